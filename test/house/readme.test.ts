import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { envTable } from "../../config/env.ts";
import { startProcess, type TestServer } from "../support/server.ts";
import { startWorld, type World } from "../support/world.ts";

const README = readFileSync(join(__dirname, "..", "..", "README.md"), "utf8");
const bash = promisify(execFile);

/** The curl lines of the tour, as they are printed. */
const TOUR = README.split("\n").filter((line) => line.startsWith("curl "));

describe("the README", () => {
  let server: TestServer;
  let world: World;
  let key: string;

  beforeAll(async () => {
    server = await startProcess();
    world = await startWorld(server.database);
    key = (await world.workspace()).ada.key;
  });
  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  it("has every environment variable in its table", () => {
    expect(README).toContain(envTable().trim());
  });

  it("has a tour whose lines answer as they are told, in their order", async () => {
    const answers: string[] = [];
    for (const line of TOUR) {
      const { stdout } = await bash("bash", ["-c", line.replaceAll("http://localhost:3000", server.base)], {
        env: { ...process.env, KEY: key },
      });
      answers.push(stdout);
    }
    const [me, groups, grace, found, wrong, made, retried] = answers;
    expect(me).toContain('"fullName":"Ada Lovelace"');
    expect(groups).toContain('"items":[');
    expect(grace).toContain('"name":"US Navy"');
    expect(found).toContain('"fullName":"Grace Hopper"');
    expect(wrong).toContain('"path":["birthday"]');
    expect(wrong).toContain('"keys":["nickname"]');
    expect(made).toContain('"name":"Acme"');
    expect(retried).toContain("Idempotent-Replayed: true");
    expect(retried?.endsWith(made ?? "-")).toBe(true);
    expect(answers).toHaveLength(7);
  });
});
