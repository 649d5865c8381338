import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import type { Caller } from "../../../base/contract/caller.ts";
import { newUuid } from "../../../base/values/ids.ts";
import { run } from "../../../database/database.ts";
import { BATCH, NEWS } from "../../../engine/feed/read-all-events.ts";
import { PAGE } from "../../../engine/feed/read-events.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { until } from "../../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../../lab/harness/world.ts";
import { logTypesOf } from "../../../model/log.ts";
import { createEncryptedSeal } from "../../../services/gateway/response/encrypted-cursor.ts";
import { createStreams, type Streams } from "../../../services/gateway/stream/streams.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { type EventReader, openStream } from "../../support/event-reader.ts";
import { newestSeq, publish } from "../../support/events.ts";

const HOUR_MS = 3_600_000;

/** A clock that goes on only when it is told to. */
function stillClock() {
  let at = 0;
  const waiting = new Set<{ due: number; go: () => void }>();
  return {
    now: () => at,
    pause: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const one = { due: at + ms, go: resolve };
        waiting.add(one);
        signal.addEventListener("abort", () => {
          waiting.delete(one);
          resolve();
        });
      }),
    /** Lets time pass, and what was due by then begin. */
    async pass(ms: number) {
      for (const end = at + ms; at < end; ) {
        at = Math.min(end, at + 1000);
        for (const one of waiting)
          if (one.due <= at) {
            waiting.delete(one);
            one.go();
          }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

let test: TestDatabase;
let world: World;
let workspace: TestWorkspace;
let server: Server;
let streams: Streams;
let clock: ReturnType<typeof stillClock>;
let as: Caller;
let lastEventId: string | undefined;
let identify: (key: string) => Promise<Caller | null>;
const open: EventReader[] = [];

beforeAll(async () => {
  test = await testDatabase();
  world = await startWorld(test.database);
});

afterAll(async () => {
  await world.stop();
  await test.drop();
});

beforeEach(async () => {
  workspace = await world.workspace();
  clock = stillClock();
  lastEventId = undefined;
  const { caller } = workspace.ada;
  identify = async () => caller;
  as = caller;
  streams = createStreams({
    streamsMax: 6,
    source: storeOf(test.database),
    seal: createEncryptedSeal(Buffer.from("x")),
    publicUrl: "http://test",
    identify: (key) => identify(key),
    logger: { warn: () => undefined },
    ...clock,
  });
  const answer = async (response: ServerResponse) => {
    try {
      const reply = await streams.open(as, { apiKey: "key", lastEventId });
      response.writeHead(reply.status, reply.headers);
      reply.open?.(response);
    } catch (error) {
      response.writeHead((error as { code: number }).code).end();
    }
  };
  server = createServer((_, response) => void answer(response)).listen(0);
});

afterEach(async () => {
  for (const reader of open.splice(0)) reader.close();
  await streams.stop();
  server.close();
});

async function read(): Promise<EventReader> {
  const reader = await openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "key");
  open.push(reader);
  if (reader.status === 200) await until("it has begun", () => reader.text() !== "");
  return reader;
}

const gone = (reader: EventReader) => until("it has ended", reader.isOver);
const places = () =>
  test.database.read<{ until: Date }>("select until from event_streams where user_id = $1", [workspace.ada.uuid]);

it("a quiet stream gets a comment every 15 s at most, and ends whole after an hour", async () => {
  const reader = await read();
  const comments = () =>
    reader
      .text()
      .split("\n")
      .filter((line) => line.startsWith(":")).length;
  for (let i = 1; i <= 3; i += 1) {
    await clock.pass(15_000);
    await until(`comment ${i} has come`, () => comments() >= i);
  }
  await clock.pass(HOUR_MS - 60_000);
  expect(reader.isOver()).toBe(false);
  await clock.pass(20_000);
  await gone(reader);
  expect(reader.isWhole()).toBe(true);
});

it("a stream ends within 30 s of the end of its key, also when nobody can be asked for it, or does not answer", async () => {
  const reader = await read();
  await clock.pass(25_000);
  expect(reader.isOver()).toBe(false);
  identify = async () => null;
  await clock.pass(15_000);
  await gone(reader);
  identify = async () => workspace.ada.caller;
  const other = await read();
  identify = () => Promise.reject(new Error("away"));
  await clock.pass(15_000);
  expect(other.isOver()).toBe(false);
  await clock.pass(15_000);
  await gone(other);
  identify = async () => workspace.ada.caller;
  const third = await read();
  const answers: ((caller: null) => void)[] = [];
  identify = () => new Promise((resolve) => answers.push(resolve));
  await clock.pass(15_000);
  expect(third.isOver()).toBe(false);
  await clock.pass(15_000);
  await gone(third);
  for (const answer of answers) answer(null);
});

it("a place that nobody renews is free again, and a stream whose place somebody has got ends", async () => {
  const five = await Promise.all(Array.from({ length: 5 }, read));
  expect((await read()).status).toBe(429);
  await test.database.read("update event_streams set until = now() where user_id = $1", [workspace.ada.uuid]);
  const sixth = await read();
  expect(sixth.status).toBe(200);
  await clock.pass(11_000);
  await until("one has lost its place", () => five.filter((reader) => reader.isOver()).length === 1);
  await until("the others are renewed", async () => {
    const rows = await places();
    return rows.length === 5 && rows.every((row) => row.until > new Date());
  });
  expect((await read()).status).toBe(429);
});

it("places that a crash of the database has lost are taken anew", async () => {
  const reader = await read();
  await test.database.read("delete from event_streams where user_id = $1", [workspace.ada.uuid]);
  await clock.pass(11_000);
  await until("it is there again", async () => (await places()).length === 1);
  expect(reader.isOver()).toBe(false);
});

it("a gateway with as many streams as it may have answers 503 to the next one, whose place stays free", async () => {
  const { caller } = await workspace.user("Bob Stone");
  const { caller: ada } = workspace.ada;
  for (let i = 0; i < 5; i += 1) await read();
  as = caller;
  expect((await read()).status).toBe(200);
  expect((await read()).status).toBe(503);
  as = ada;
  expect((await read()).status).toBe(503);
  const rows = await test.database.read("select from event_streams where user_id = $1", [caller.userId]);
  expect(rows).toHaveLength(1);
  open[0]?.close();
  await until("one may be opened", async () => (await read()).status === 200);
});

it("a stop ends all streams and gives back their places, and who opens one then gets an end", async () => {
  const readers = [await read(), await read()];
  await streams.stop();
  await Promise.all(readers.map(gone));
  expect(await places()).toEqual([]);
  const late = await openStream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "key");
  await gone(late);
});

it("events are told at once when somebody tells of them, and after a second otherwise", async () => {
  const reader = await read();
  const told: string[] = [];
  // The clock of the streams stands still, so nothing but the word of somebody has them read.
  for (let i = 1; i <= 3; i += 1) {
    told.push(...(await publish(test.database, workspace.uuid, [{}])));
    streams.wake([newUuid(), workspace.uuid]);
    await until(`event ${i} is told`, () => reader.events().length === i);
  }
  const [last = ""] = await publish(test.database, workspace.uuid, [{}]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reader.about()).toEqual(told);
  // Behind a read there is a short rest by the real clock, and then the interval begins.
  await until("it is told", async () => {
    await clock.pass(1000);
    return reader.text().includes(last);
  });
  expect(reader.about()).toEqual([...told, last]);
});

it("a stream reads nothing when something has happened in another workspace", async () => {
  const reader = await read();
  const [first = ""] = await publish(test.database, workspace.uuid, [{}]);
  streams.wake([workspace.uuid]);
  await until("it is told", () => reader.about().includes(first));
  const [second = ""] = await publish(test.database, workspace.uuid, [{}]);
  streams.wake([newUuid()]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(reader.about()).toEqual([first]);
  streams.wake([workspace.uuid]);
  await until("it is told", () => reader.about().includes(second));
});

it("events of a transaction that ends late are told with it, before those that were written since", async () => {
  const reader = await read();
  const made: string[] = [];
  await test.database.transaction(async (trx) => {
    made.push(...(await publish({ read: (...statement) => run(trx, ...statement) }, workspace.uuid, [{}, {}])));
    made.push(...(await publish(test.database, workspace.uuid, [{}])));
    streams.wake([workspace.uuid]);
    await clock.pass(1000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reader.about()).toEqual([]);
  });
  streams.wake([workspace.uuid]);
  await until("all are told", () => reader.about().length === 3);
  expect(reader.about()).toEqual(made);
});

it("a stream that is opened while a transaction is under way has its events, and none that were there before", async () => {
  await publish(test.database, workspace.uuid, [{}]);
  let made: string[] = [];
  let reader: EventReader | undefined;
  await test.database.transaction(async (trx) => {
    made = await publish({ read: (...statement) => run(trx, ...statement) }, workspace.uuid, [{}]);
    reader = await read();
  });
  streams.wake([workspace.uuid]);
  await until("it is told", () => reader?.about().length === 1);
  expect(reader?.about()).toEqual(made);
});

it("both events of an entry are told, and who comes again behind the first gets the second", async () => {
  const { id } = await workspace.group(workspace.ada);
  const changes = [
    { path: ["jobTitle"], before: null, after: "CTO" },
    { path: ["groups"], before: [], after: [{ id }] },
  ];
  const both = ["person.updated", "person.groups_updated"];
  const reader = await read();
  await publish(test.database, workspace.uuid, [{ type: "person.updated+groups_updated", body: { changes } }]);
  streams.wake([workspace.uuid]);
  await until("both are told", () => reader.events().length === 2);
  const told = reader.events();
  expect(told.map(({ event }) => event)).toEqual(both);
  expect(new Set(told.map((one) => one.told.id)).size).toBe(2);
  lastEventId = told[0]?.id;
  const again = await read();
  await until("it is told", () => again.events().length > 0);
  expect(again.events().map((one) => one.told)).toEqual([told[1]?.told]);
  lastEventId = told[1]?.id;
  const last = await read();
  const [next = ""] = await publish(test.database, workspace.uuid, [{}]);
  streams.wake([workspace.uuid]);
  await until("it is told", () => last.about().length > 0);
  expect(last.about()).toEqual([next]);
});

it("streams end when events were lost by a restore, and who comes again goes on at the end", async () => {
  const before = await newestSeq(test.database);
  await test.database.read("select setval('change_log_seq', $1)", [before + 1_000_000]);
  const reader = await read();
  const [first = ""] = await publish(test.database, workspace.uuid, [{}]);
  streams.wake([workspace.uuid]);
  await until("it is told", () => reader.text().includes(first));
  const { id } = reader.events()[0] ?? { id: "" };
  await test.database.read("delete from change_log where seq > $1", [before]);
  await test.database.read("select setval('change_log_seq', $1)", [before]);
  streams.wake([workspace.uuid]);
  await gone(reader);
  lastEventId = id;
  const again = await read();
  await until("it has caught up", async () => {
    // Nothing tells from outside that it has, so events come until one is told.
    await publish(test.database, workspace.uuid, [{}]);
    streams.wake([workspace.uuid]);
    return again.about().length > 0;
  });
});

it("the statements of list and stream walk along an index, and sort nothing", async () => {
  const other = await world.workspace();
  for (const one of [workspace, other])
    await test.database.queryPlanned(
      `insert into change_log (workspace_id, id, type, record_id, source, body)
       select $1, gen_random_uuid(), 'person.created', gen_random_uuid(), 'api', '{}' from generate_series(1, 30000)`,
      [one.uuid],
    );
  await test.database.knex.raw("analyze change_log");
  const last = await newestSeq(test.database);
  const none = "00000000-0000-0000-0000-000000000000";
  for (const [sql, values] of [
    [PAGE, [workspace.uuid, 0, none, 2000, logTypesOf(), 21, 1e6, last]],
    [PAGE, [workspace.uuid, 0, none, 2000, ["company.created"], 21, 1e6, last]],
    [BATCH, [other.uuid, last - 200, last, 250, 1e6]],
    [NEWS, [[workspace.uuid, other.uuid], last - 200]],
  ] as const) {
    const rows = await test.database.read<{ "QUERY PLAN": string }>(`explain (analyze, timing off) ${sql}`, [
      ...values,
    ]);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index (Only )?Scan using change_log_\d+_pkey on change_log_\d+/);
    expect(plan).not.toMatch(/Seq Scan on change_log|Bitmap/);
    // The others sort only the rows that they have found.
    if (sql === PAGE) expect(plan).not.toContain("Sort");
  }
});
