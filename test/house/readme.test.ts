import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DEMO_COMPANIES, DEMO_PEOPLE } from "../../cli/demo-records.ts";
import { envTable } from "../../config/env.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { testAdmin } from "../support/admin.ts";
import { testFolder } from "../support/folder.ts";
import { startProcess, type TestServer } from "../support/server.ts";

const README = readFileSync(join(__dirname, "..", "..", "README.md"), "utf8");
const bash = promisify(execFile);

/** Most lines that the README has: it is the first thing that a stranger reads. */
const LINES_MAX = 160;

function guide(name: string): string {
  return readFileSync(join(__dirname, "..", "..", "docs", "guides", `${name}.md`), "utf8");
}

/** The curl lines of the tour, as they are printed. */
const TOUR = README.split("\n").filter((line) => line.startsWith("curl "));

/** The workspace file that the README takes from its guide. */
const FILE = /```yaml file=acme\.yaml\n([^`]*)```/.exec(guide("workspace-file"))?.[1] ?? "";

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

  it("is short, and names settings that there are", () => {
    expect(README.split("\n").length).toBeLessThanOrEqual(LINES_MAX);
    const [, settings = ""] = README.split("## Settings\n");
    const named = [...settings.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = ""]) => name);
    expect(named).toHaveLength(6);
    expect(named.filter((name) => !envTable().includes(`\`${name}\``))).toEqual([]);
  });

  it("leads to a guide that has every environment variable in its table", () => {
    const lines = guide("settings").split("\n");
    const rows = envTable().trim().split("\n");
    const at = lines.indexOf(rows[0] ?? "");
    expect(lines.slice(at, at + rows.length)).toEqual(rows);
  });

  it("has a tour whose lines answer as they are told, in their order", async () => {
    const answers: string[] = [];
    for (const line of TOUR) {
      const { stdout } = await bash("bash", ["-c", line.replaceAll("http://localhost:3000", server.base)], {
        env: { ...process.env, KEY: key },
      });
      answers.push(stdout);
    }
    const [me, groups, annie, found, wrong, made, retried] = answers;
    expect(me).toContain('"fullName":"Ada Lovelace"');
    expect(groups).toContain('"items":[');
    expect(annie).toContain('"name":"Glenn Research Center"');
    expect(found).toContain('"fullName":"Annie Easley"');
    expect(wrong).toContain('"path":["birthday"]');
    expect(wrong).toContain('"keys":["nickname"]');
    expect(made).toContain('"name":"Acme"');
    expect(retried).toContain("Idempotent-Replayed: true");
    expect(retried?.endsWith(made ?? "-")).toBe(true);
    expect(answers).toHaveLength(7);
  });

  it("has a tour that makes nobody whom the demo has", () => {
    const tour = TOUR.join("\n");
    const names = [...DEMO_PEOPLE, ...DEMO_COMPANIES].map(({ fields }) => String(fields.lastName ?? fields.name));
    expect(names).toHaveLength(16);
    expect(names.filter((name) => tour.includes(name))).toEqual([]);
  });

  it("leads to a workspace file that apply takes, and that changes nothing the second time", async () => {
    const admin = await testAdmin();
    const files = testFolder();
    try {
      const file = files.write("acme.yaml", FILE);
      const versions = () => admin.query("select catalog_version from workspaces");
      const first = await admin.run("apply --json", file);
      expect(first).toMatchObject({ code: 0, err: "" });
      const before = await versions();
      for (const options of ["", " --prune"]) {
        expect((await admin.run(`apply --json${options}`, file)).out).toBe(first.out);
        expect(await versions()).toEqual(before);
      }
      expect(await admin.query("select name from object_types")).toEqual([{ name: "Deals" }]);
      const { groups } = (await admin.run("export --workspace acme --json")).json<{ groups: { fields: object }[] }>();
      expect(groups[0]?.fields).toMatchObject({
        Deals: [{ name: "Amount", type: "numericField" }],
        person: [{ name: "Status" }, { name: "Deals", type: "objectField" }],
        company: [{ name: "Deals", type: "objectField" }],
      });
    } finally {
      await admin.close();
      files.remove();
    }
  });
});
