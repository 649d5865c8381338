/**
 * The floor: node:http and pg. For each request it runs the statements that the real server ran, with the same values, on
 * the same kind of client, and sends as many bytes and the same headers. It knows no keys, checks nothing, renders nothing.
 *
 *   node bench/http/bare-server.ts CASES_FILE [plan-once]    (DATABASE_URL; prints "ready PORT")
 *
 * Its connections are as pg opens them; with `plan-once` they have the setting of ours that spares planning.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { newUuid } from "../../base/values/ids.ts";
import { poolConnection, readerConnection } from "../../database/connection.ts";
import { settingsSql } from "../../database/session.ts";
import { PLAN_ONCE, statementName } from "../../database/statement.ts";
import { CASE_HEADER, type Case, type Step } from "./case.ts";

const APPLICATION = "bench bare";
const POOL_MAX = 10;
const POOL_WAIT_MS = 30_000;

type Config = { name?: string; text: string; values: unknown[] };
type Query = (config: Config) => Promise<unknown>;

interface Prepared {
  on: Step["on"];
  config(fresh: string[]): Config;
}

interface Served {
  fresh: number;
  steps: Prepared[];
  headers: Record<string, string>;
  body: Buffer;
}

const [, , file = "", setting] = process.argv;
const url = process.env.DATABASE_URL ?? "";
const cases = (JSON.parse(readFileSync(file, "utf8")) as Case[]).map(prepare);
const reader = new pg.Client(readerConnection(url, APPLICATION));
const pools = { pool: openPool(), alone: openPool() };
await reader.connect();
if (setting === "plan-once") {
  pools.pool.on("connect", (client) => void client.query(settingsSql(PLAN_ONCE)));
  await reader.query(settingsSql(PLAN_ONCE));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(500, { "Content-Length": 0 });
    response.end();
    console.error(error);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`ready ${(server.address() as AddressInfo).port}`));

function openPool(): pg.Pool {
  const config = poolConnection(url, APPLICATION) as pg.PoolConfig;
  return new pg.Pool({ ...config, max: POOL_MAX, connectionTimeoutMillis: POOL_WAIT_MS });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const served = cases[Number(request.headers[CASE_HEADER])];
  if (!served) throw new Error("Unknown case");
  if (request.method !== "GET") await readAll(request);
  await runAll(served);
  response.writeHead(200, served.headers);
  response.end(served.body);
}

function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

async function runAll({ steps, fresh }: Served): Promise<void> {
  const uuids = Array.from({ length: fresh }, newUuid);
  let client: pg.PoolClient | undefined;
  let inTransaction = false;
  try {
    for (const { on, config } of steps) {
      const filled = config(uuids);
      if (on === "reader") {
        await query(reader, filled);
        continue;
      }
      client ??= await pools[on].connect();
      await query(client, filled);
      if (filled.text.startsWith("BEGIN")) inTransaction = true;
      if (filled.text.startsWith("COMMIT")) inTransaction = false;
      if (inTransaction) continue;
      client.release();
      client = undefined;
    }
  } finally {
    // A statement has failed: whatever state the connection is in, it goes.
    client?.release(true);
  }
}

/** pg reads all rows and parses their columns before it answers. */
function query(client: { query: Query }, config: Config): Promise<unknown> {
  return client.query(config);
}

function prepare({ steps, answer, fresh }: Case): Served {
  return {
    fresh: fresh.length,
    steps: steps.map((step) => prepareStep(step, fresh)),
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(answer.body),
  };
}

/** Statements that make records get new uuids; the text around them is cut once. */
function prepareStep({ on, text, values, named }: Step, fresh: string[]): Prepared {
  const name = named ? { name: statementName(text) } : {};
  const fill = values.map((value) => filler(value, fresh));
  return { on, config: (uuids) => ({ ...name, text, values: fill.map((one) => one(uuids)) }) };
}

function filler(value: unknown, fresh: string[]): (uuids: string[]) => unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => filler(item, fresh));
    return (uuids) => items.map((item) => item(uuids));
  }
  if (typeof value !== "string" || fresh.length === 0) return () => value;
  const pieces = value.split(new RegExp(`(${fresh.join("|")})`));
  if (pieces.length === 1) return () => value;
  const places = pieces.map((piece) => fresh.indexOf(piece));
  return (uuids) => pieces.map((piece, i) => uuids[places[i] ?? -1] ?? piece).join("");
}
