import { beforeEach, expect, it } from "@jest/globals";
import { newUuid } from "../../../../base/values/ids.ts";
import type { Query } from "../../../../database/query.ts";
import { appendToLog } from "../../../../engine/events/append.ts";
import type { TestWorkspace } from "../../../../lab/harness/world.ts";
import type { EventType } from "../../../../model/events.ts";
import type { LogEntry } from "../../../../model/log.ts";
import { type LogPage, readLog } from "../../../../services/webhooks/publishing/log-entries.ts";
import { newestSeq, publish } from "../../../support/events.ts";
import { useHome } from "../../../support/home.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/decisions/0013-events.md
const home = useHome();
let acme: TestWorkspace;
let start: number;

beforeEach(async () => {
  acme = await home.workspace();
  start = (await newestSeq(home.database)) + 1;
});

const MARK = "a body that is not to be read";
const TYPES: EventType[] = ["company.deleted", "person.updated", "person.groups_updated"];

const deleted = (name = MARK): LogEntry => ({
  type: "company.deleted",
  recordId: newUuid(),
  body: { details: { name } },
});
const both = (): LogEntry => ({
  type: "person.updated+groups_updated",
  recordId: newUuid(),
  body: {
    changes: [
      { path: ["jobTitle"], before: null, after: "CTO" },
      { path: ["groups"], before: [], after: [{ id: "grp_1" }] },
    ],
  },
});
const write = (...entries: LogEntry[]) => appendToLog(home.database.read, { workspaceId: acme.uuid }, entries);

/** Reads behind the start, as far as entries are written. */
async function read(range: { after?: number; through?: number; most?: number; types?: EventType[] } = {}) {
  const through = await newestSeq(home.database);
  return readLog(home.database.read, {
    workspaceId: acme.uuid,
    after: start,
    through,
    most: 100,
    types: TYPES,
    ...range,
  });
}
/** The positions of events, counted from the start; the first entry has 1, and its second event 2. */
const placesOf = ({ events }: LogPage) => events.map(({ position }) => position - start);

it("the events of the wanted types are read in their order, with the versions of this moment", async () => {
  await subscribe(home.database, [acme.uuid, acme.ada.uuid], [[{ eventType: "company.deleted" }]]);
  await home.database.read("update workspaces set catalog_version = 12 where id = $1", [acme.uuid]);
  const entries = [deleted(), { ...deleted(), type: "company.created" } as const, both(), deleted()];
  await write(...entries);
  await publish(home.database, newUuid(), [{ type: "company.deleted" }]);
  const page = await read();
  expect(page.events.map(({ type, recordId }) => [type, recordId])).toEqual([
    ["company.deleted", entries[0]?.recordId],
    ["person.updated", entries[2]?.recordId],
    ["person.groups_updated", entries[2]?.recordId],
    ["company.deleted", entries[3]?.recordId],
  ]);
  expect(placesOf(page)).toEqual([1, 5, 6, 7]);
  expect(page).toMatchObject({ hasMore: false, through: start + 9, webhooksVersion: 1, definitionsVersion: 12 });
  expect(page.events[0]?.body).toEqual({ details: { name: MARK } });
});

it("without entries it tells the versions all the same, and of a workspace that is gone nothing", async () => {
  await subscribe(home.database, [acme.uuid, acme.ada.uuid], [[{ eventType: "company.deleted" }]]);
  const none = { events: [], through: start, hasMore: false };
  expect(await read({ through: start })).toEqual({
    ...none,
    webhooksVersion: 1,
    definitionsVersion: expect.any(Number),
  });
  const gone = { workspaceId: newUuid(), after: start, through: start + 8, most: 10, types: TYPES };
  expect(await readLog(home.database.read, gone)).toEqual({
    ...none,
    through: start + 8,
    webhooksVersion: 0,
    definitionsVersion: 0,
  });
});

it("a body is read when some webhook wants events of its type, and else it stays in the database", async () => {
  await write(deleted());
  const isRead = async (types: EventType[]) => {
    let answer = "";
    const query: Query = async <Row>(...statement: Parameters<Query>) => {
      const rows = await home.database.read<Row>(...statement);
      answer += JSON.stringify(rows);
      return rows;
    };
    const range = { workspaceId: acme.uuid, after: start, through: start + 1, most: 10, types };
    await readLog(query, range);
    return answer.includes(MARK);
  };
  expect(await isRead(["person.created", "company.created"])).toBe(false);
  expect(await isRead(["person.created", "company.deleted"])).toBe(true);
});

// docs/decisions/0013-events.md#long-texts
it("of a long text only the path is read, which is all that a filter can ask for", async () => {
  const after = "x".repeat(3_000_000);
  const entry = (): LogEntry => ({
    type: "person.updated",
    recordId: newUuid(),
    body: { changes: [{ path: ["description"], before: null, after }] },
  });
  await write(entry(), entry(), entry());
  const { events, hasMore } = await read();
  expect(events.map(({ body }) => body.changes)).toEqual([1, 2, 3].map(() => [{ path: ["description"], type: "set" }]));
  expect(hasMore).toBe(false);
});

it("of an entry with two events one is read, when only that is wanted", async () => {
  await write(both());
  expect(placesOf(await read({ types: ["person.updated"] }))).toEqual([1]);
  expect(placesOf(await read({ types: ["person.groups_updated"] }))).toEqual([2]);
  expect(placesOf(await read({ types: ["company.deleted"] }))).toEqual([]);
});

it("so many entries are read at once, of whatever types, and the next read goes on behind them", async () => {
  await write(deleted(), both(), { ...deleted(), type: "company.created" }, both(), deleted());
  const first = await read({ most: 2 });
  expect([placesOf(first), first.through - start, first.hasMore]).toEqual([[1, 3, 4], 4, true]);
  const second = await read({ most: 2, after: first.through });
  expect([placesOf(second), second.through - start, second.hasMore]).toEqual([[7, 8], 8, true]);
  const third = await read({ most: 2, after: second.through });
  expect([placesOf(third), third.through - start, third.hasMore]).toEqual([[9], 9, false]);
  expect(await read({ most: 2, after: third.through })).toMatchObject({ events: [], hasMore: false });
});

it("no entry is read behind the last one that may be, and both events of that one are", async () => {
  await write(both(), both());
  const page = await read({ through: start + 1 });
  expect([placesOf(page), page.through - start, page.hasMore]).toEqual([[1, 2], 2, false]);
});

it("behind the first event of an entry the second is read, and no other once more", async () => {
  await write(both(), deleted());
  expect(placesOf(await read({ after: start + 1 }))).toEqual([2, 3]);
  expect(placesOf(await read({ after: start + 2 }))).toEqual([3]);
  expect(placesOf(await read({ after: start + 3 }))).toEqual([]);
});

it("some megabytes of bodies are read at once, and an entry that has more alone", async () => {
  await write(...[3_000_000, 2_000_000, 9_000_000, 9_000_000, 10].map((length) => deleted("x".repeat(length))));
  const places: number[][] = [];
  for (let [after, hasMore] = [start, true]; hasMore; ) {
    const page = await read({ after });
    places.push(placesOf(page));
    ({ through: after, hasMore } = page);
  }
  expect(places).toEqual([[1, 3], [5], [7], [9]]);
});

it("bodies that nobody wants do not count", async () => {
  await write(...[9_000_000, 9_000_000, 10].map((length) => deleted("x".repeat(length))), both());
  expect(await read({ types: ["person.updated"] })).toMatchObject({ events: [{}], hasMore: false });
});

it("events of a release before the log are read too, though their positions follow one another", async () => {
  await home.database.read(
    `insert into change_log (workspace_id, seq, id, type, record_id, source, body)
     select $1, n, $1, 'company.deleted', $1, 'api', '{}' from generate_series(11, 16) n`,
    [acme.uuid],
  );
  const positions: number[] = [];
  for (let [after, hasMore] = [10, true]; hasMore; ) {
    const page = await read({ after, most: 1 });
    positions.push(...page.events.map(({ position }) => position));
    ({ through: after, hasMore } = page);
  }
  expect(positions).toEqual([11, 12, 13, 14, 15, 16]);
});
