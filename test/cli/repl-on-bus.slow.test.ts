import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { type Certificates, makeCertificates } from "../support/certificates.ts";
import { client } from "../support/client.ts";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";
import { describeBus, type NatsServer, startNats } from "../support/nats.ts";

const MAIN = join(process.cwd(), "cli", "main.mjs");
/** A new key, as JSON shows it. */
const KEY = /"key":"(cwk_[\w-]+)"/;
const NAMESPACE = "repl-on-bus";

// A server and the REPL, on a NATS with TLS and passwords. docs/guides/growing.md#the-bus
describeBus("npm run repl, with NATS_URL", () => {
  const files = testFolder();
  let made: Certificates;
  let nats: NatsServer;
  let test: TestDatabase;
  let other: TestDatabase;
  let cluster: Cluster;
  let world: World;
  let workspace: TestWorkspace;
  let env: Record<string, string>;

  beforeAll(async () => {
    made = makeCertificates(files.path);
    const { cert, key } = made.server;
    const config = `authorization { user: cw, password: secret }\ntls { cert_file: "${cert}", key_file: "${key}" }\n`;
    [nats, test, other] = await Promise.all([startNats({ config }), testDatabase(), testDatabase()]);
    world = await startWorld(test.database);
    workspace = await world.workspace();
    const natsUrl = `tls://cw:secret@127.0.0.1:${nats.port}`;
    env = { NAMESPACE, NATS_CA: made.ca };
    cluster = await startCluster({ natsUrl, databaseUrl: test.url, copies: 1, env });
    Object.assign(env, { NATS_URL: natsUrl, LOG_LEVEL: "warn", HOME: files.path, PATH: process.env.PATH });
  });

  afterAll(async () => {
    await cluster?.stop();
    await world?.stop();
    await Promise.all([test?.drop(), other?.drop(), nats?.stop()]);
    files.remove();
  });

  /** What the REPL says to a line. */
  function said(databaseUrl: string, line: string): Promise<string> {
    const child = spawn(process.execPath, [MAIN, "repl"], { env: { ...env, DATABASE_URL: databaseUrl } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)));
    child.stdin.end(`${line}\nq\n`);
    return new Promise((resolve) => child.on("close", () => resolve(output)));
  }

  it("calls the services of the server, and creates keys there", async () => {
    const line = `keys create --workspace ${workspace.slug} --user ${workspace.ada.email} --json`;
    // The REPL runs a line that is piped to it half a second after its start, and a busy server is not known by then.
    const output = await until(
      "the REPL knows the services",
      async () => {
        const text = await said(test.url, line);
        return !text.includes("is not found") && text;
      },
      60_000,
    );
    expect(output).toMatch(KEY);
    const [, key = ""] = KEY.exec(output) ?? [];
    const api = client({ ...cluster, database: test.database }, key);
    expect((await api.get("/v1/users/me")).status).toBe(200);
  });

  it("reaches nobody without the database of the server", async () => {
    const before = await test.database.read("select from api_keys");
    const output = await said(other.url, `keys create --workspace ${workspace.slug} --user ${workspace.ada.email}`);
    expect(output).toContain("Service 'keys.create' is not found.");
    expect(output).not.toContain("cwk_");
    expect(await test.database.read("select from api_keys")).toHaveLength(before.length);
  });
});
