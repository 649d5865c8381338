import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";
import { type Database, isUnavailable, openDatabase, run } from "../../database/database.ts";
import { until } from "../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

type Spoil = (answer: Buffer) => Buffer;

let test: TestDatabase;
let server: Server;
let database: Database;
/** What becomes of the next answer that comes through. */
let spoil: Spoil | undefined;

beforeAll(async () => {
  test = await testDatabase();
  const { host, port } = new pg.Client(test.url);
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  server = createServer((incoming) => {
    const outgoing = connect(target);
    for (const socket of [incoming, outgoing]) socket.on("error", () => undefined);
    incoming.on("close", () => outgoing.destroy()).pipe(outgoing);
    outgoing.on("data", (data: Buffer) => {
      incoming.write(spoil ? spoil(data) : data);
      spoil = undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: proxied } = server.address() as AddressInfo;
  const url = Object.assign(new URL(test.url.replace(/@[^/]*/, "@127.0.0.1")), { port: String(proxied) }).href;
  database = await openDatabase(url);
});

afterAll(async () => {
  await database?.close();
  server?.close();
  await test?.drop();
});

const bytes = (...values: number[]) => Buffer.from(values);
const message = (kind: string, ...body: number[]) => bytes(kind.charCodeAt(0), 0, 0, 0, body.length + 4, ...body);

const SPOILED: [what: string, spoil: Spoil][] = [
  ["a message of a kind that there is not", (answer) => Buffer.concat([message("!", 0), answer])],
  ["a row of which a part is missing", (answer) => Buffer.concat([message("D", 0, 9), answer])],
  ["a row of fewer than no columns", (answer) => Buffer.concat([message("D", 0xff, 0xff), answer])],
  ["a request for a password that nobody knows", (answer) => Buffer.concat([message("R", 0, 0, 0, 99), answer])],
  ["an error without an end", () => message("E", 0x53, 0x45)],
  ["an error without a code", (answer) => Buffer.concat([message("E", 0), answer])],
  ["an end that is longer than one is", (answer) => Buffer.concat([message("Z", 0x49, 0, 0), answer])],
];

/** Spoils the next answer, if any, and asks. */
type Ask = (how?: Spoil) => Promise<unknown>;

const spoiling = <Result>(how: Spoil | undefined, work: () => Promise<Result>) => {
  spoil = how;
  return work();
};
const ASKED: [where: string, ask: Ask][] = [
  ["a lane", (how) => spoiling(how, () => database.sharedConnection("spoiled").read("select 1 as n"))],
  ["a filter", (how) => spoiling(how, () => database.queryPlanned("select 1 as n"))],
  // One that learns it from the answer to BEGIN begins on another connection.
  [
    "a write",
    (how) =>
      database.transaction(async (trx) => {
        await trx.opened;
        return spoiling(how, () => run(trx, "select 1 as n"));
      }),
  ],
];

it.each(SPOILED.flatMap(([what, how]) => ASKED.map(([where, ask]) => ({ what, how, where, ask }))))(
  "Of $what $where learns that the database is away, and the next statement gets its answer",
  async ({ how, ask }) => {
    await ask();
    const failure = await ask(how).catch((error: unknown) => error);
    expect(isUnavailable(failure)).toBe(true);
    expect(await ask()).toEqual([{ n: 1 }]);
  },
);

it.each(ASKED.slice(0, 2))(
  "a row that nobody has asked for, behind the answer to %s, ends the connection only",
  async (_, ask) => {
    expect(await ask((answer) => Buffer.concat([answer, message("D", 0, 0)]))).toEqual([{ n: 1 }]);
    expect(await until("another connection is there", () => ask())).toEqual([{ n: 1 }]);
  },
);

it("a connection that cannot be read while it is opened is one that was not opened", async () => {
  spoil = () => message("R", 0, 0, 0, 99);
  const failure = await database
    .sharedConnection("another")
    .read("select 1")
    .catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
  // Who comes at once gets the error of the last attempt.
  const rows = await until("another attempt is made", () => database.sharedConnection("another").read("select 1 as n"));
  expect(rows).toEqual([{ n: 1 }]);
});
