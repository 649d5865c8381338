import { beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, toId, type Uuid } from "../../../base/values/ids.ts";
import { type EventBatch, readAllEvents } from "../../../engine/feed/read-all-events.ts";
import { readEvents } from "../../../engine/feed/read-events.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { TestWorkspace } from "../../../lab/harness/world.ts";
import type { EventType } from "../../../model/events.ts";
import { newestSeq, publish, type TestEvent } from "../../support/events.ts";
import { useHome } from "../../support/home.ts";

// docs/guides/event-feed.md#the-feed
const home = useHome();
let acme: TestWorkspace;
let other: TestWorkspace;
let start: number;

beforeEach(async () => {
  [acme, other] = [await home.workspace(), await home.workspace()];
  start = (await newestSeq(home.database)) + 1;
});

/** The position of the event of the entry that is written as the nth one from the start, and of its second event. */
const at = (n: number) => start + 2 * n - 1;
/** The position from which a reader of that entry goes on. */
const behind = (n: number) => start + 2 * n;

const KB = 1024;
const long = (bytes: number): TestEvent => ({ body: { details: { text: "x".repeat(bytes) } } });
/** An entry of two events, of which a user sees the second one who sees the group. */
const both = (groupId = "", text = "CTO"): TestEvent => ({
  type: "person.updated+groups_updated",
  body: {
    changes: [
      { path: ["jobTitle"], before: null, after: text },
      { path: ["groups"], before: [], after: [{ id: groupId }] },
    ],
  },
});
const tell = (workspace: TestWorkspace, ...events: TestEvent[]) => publish(home.database, workspace.uuid, events);
const page = (after: number, limit = 100, types?: EventType[]) =>
  readEvents(
    storeOf(home.database),
    { workspaceId: acme.uuid, userId: acme.ada.uuid },
    { after, limit, ...(types && { types }) },
  );
const about = (events: { type: string; recordId: string }[]) =>
  events.map(({ recordId }) => toId("person", recordId as TestWorkspace["uuid"]));

describe("A page", () => {
  it("ends with the event after which it has a megabyte, and goes on behind it", async () => {
    const made = await tell(acme, ...Array.from({ length: 7 }, () => long(300 * KB)));
    const first = await page(start);
    expect([about(first.events), first.through, first.hasMore]).toEqual([made.slice(0, 4), at(4), true]);
    const second = await page(first.through);
    expect([about(second.events), second.through, second.hasMore]).toEqual([made.slice(4), behind(7), false]);
  });

  it("goes on at the end when it begins beyond it, since the database has lost events", async () => {
    const lost = await page(start + 1000);
    expect(lost).toEqual({ events: [], through: start, hasMore: false });
    const made = await tell(acme, {});
    expect(about((await page(lost.through)).events)).toEqual(made);
  });

  it("has an event that is longer by itself", async () => {
    const made = await tell(acme, long(3000 * KB), {}, long(3000 * KB));
    const first = await page(start);
    expect([about(first.events), first.hasMore]).toEqual([made.slice(0, 1), true]);
    const second = await page(first.through);
    expect([about(second.events), second.hasMore]).toEqual([made.slice(1), true]);
    expect(await page(second.through)).toEqual({ events: [], through: behind(3), hasMore: false });
  });

  it("counts what its reader may not see, which is read as well, and not what is of other types", async () => {
    const hidden = long(300 * KB);
    hidden.body = { ...hidden.body, users: [other.ada.uuid] };
    await tell(acme, ...Array.from({ length: 5 }, () => hidden));
    const [last] = await tell(acme, { type: "company.created" });
    expect(await page(start)).toEqual({ events: [], through: at(4), hasMore: true });
    expect(last).toMatch(/^com_/);
    expect((await page(start, 100, ["company.created"])).events).toHaveLength(1);
  });

  it("may end between the two events of an entry, however long it is, and the next one begins with the second", async () => {
    const { id } = await acme.group(acme.ada);
    start = (await newestSeq(home.database)) + 1;
    const [, one, two] = await tell(acme, {}, both(id), both(id, "x".repeat(2000 * KB)), {});
    const walked: [string, string, number][] = [];
    for (let [after, hasMore] = [start, true]; hasMore; ) {
      const next = await page(after, 1);
      expect(next.events).toHaveLength(1);
      for (const { type, recordId, position } of next.events) walked.push([type, toId("person", recordId), position]);
      ({ through: after, hasMore } = next);
    }
    expect(walked.slice(1, -1)).toEqual([
      ["person.updated", one, at(2)],
      ["person.groups_updated", one, at(2) + 1],
      ["person.updated", two, at(3)],
      ["person.groups_updated", two, at(3) + 1],
    ]);
  });

  it("has of the two events of an entry only those of the wanted types", async () => {
    const { id } = await acme.group(acme.ada);
    start = (await newestSeq(home.database)) + 1;
    await tell(acme, both(id), { type: "company.updated", body: both().body ?? {} });
    const found = async (...types: EventType[]) =>
      (await page(start, 100, types)).events.map(({ type, position }) => [type, position]);
    expect(await found("person.updated")).toEqual([["person.updated", at(1)]]);
    expect(await found("person.groups_updated", "company.updated")).toEqual([
      ["person.groups_updated", at(1) + 1],
      ["company.updated", at(2)],
    ]);
    expect(await found("company.groups_updated")).toEqual([]);
  });

  it("has events of a release before the log too, whose positions follow one another", async () => {
    const records = Array.from({ length: 4 }, () => newUuid());
    await home.database.read(
      `insert into change_log (workspace_id, seq, id, type, record_id, source, body)
       select $1, n + 40, $1, 'person.created', record, 'api', '{"groups":[]}' from unnest($2::uuid[]) with ordinality r (record, n)`,
      [acme.uuid, records],
    );
    const made = await tell(acme, {});
    const walked: Uuid[] = [];
    for (let [after, hasMore] = [0, true]; hasMore; ) {
      const next = await page(after, 1);
      walked.push(...next.events.map(({ recordId }) => recordId));
      ({ through: after, hasMore } = next);
    }
    expect(walked.map((uuid) => toId("person", uuid))).toEqual([
      ...records.map((uuid) => toId("person", uuid)),
      ...made,
    ]);
  });
});

describe("A batch of all workspaces", () => {
  const read = (...after: [TestWorkspace, number][]) =>
    readAllEvents(home.database.read, new Map(after.map(([{ uuid }, position]) => [uuid, position])));
  /** The events that were read of one workspace. */
  const of = ({ uuid }: TestWorkspace, batches: Map<Uuid, EventBatch>) => {
    const { events, through, isFull } = batches.get(uuid) ?? { events: [] };
    return [about(events), through, isFull];
  };

  it("ends with the event after which it has two megabytes, and goes on behind it", async () => {
    const made = await tell(acme, ...Array.from({ length: 9 }, () => long(300 * KB)));
    expect(of(acme, await read([acme, start]))).toEqual([made.slice(0, 7), behind(7), true]);
    expect(of(acme, await read([acme, behind(7)]))).toEqual([made.slice(7), behind(9), false]);
  });

  it("divides the two megabytes evenly among workspaces", async () => {
    const ofOther = await tell(other, ...Array.from({ length: 9 }, () => long(300 * KB)));
    const ofAcme = await tell(acme, ...Array.from({ length: 9 }, () => long(300 * KB)));
    const first = await read([other, start], [acme, start]);
    expect(of(other, first)).toEqual([ofOther.slice(0, 4), behind(4), true]);
    expect(of(acme, first)).toEqual([ofAcme.slice(0, 4), behind(13), true]);
    const second = await read([other, behind(4)], [acme, behind(13)]);
    expect(of(other, second)).toEqual([ofOther.slice(4, 8), behind(8), true]);
    expect(of(acme, second)).toEqual([ofAcme.slice(4, 8), behind(17), true]);
  });

  it("has the first event of each workspace, however long it is", async () => {
    const ofOther = await tell(other, long(3000 * KB));
    const made = await tell(acme, {});
    const first = await read([other, start], [acme, start]);
    expect(of(other, first)).toEqual([ofOther, behind(2), false]);
    expect(of(acme, first)).toEqual([made, behind(2), false]);
  });

  it("reads nothing of a workspace without news", async () => {
    await tell(other, {});
    const sent: string[] = [];
    const counted: typeof home.database.read = (sql, ...rest) => {
      sent.push(sql);
      return home.database.read(sql, ...rest);
    };
    const batches = await readAllEvents(
      counted,
      new Map([
        [other.uuid, start],
        [acme.uuid, start],
      ]),
    );
    expect(of(acme, batches)).toEqual([[], behind(1), false]);
    expect(sent).toHaveLength(3);
  });

  it("counts only what somebody has asked for", async () => {
    await tell(other, ...Array.from({ length: 9 }, () => long(300 * KB)));
    const made = await tell(acme, {}, long(3000 * KB), {});
    expect(of(acme, await read([acme, start]))).toEqual([made.slice(0, 2), behind(11), true]);
    expect(of(acme, await read([acme, behind(11)]))).toEqual([made.slice(2), behind(12), false]);
  });

  it("tells that the end is lower than where it began", async () => {
    expect(of(acme, await read([acme, start + 1000]))).toEqual([[], start, false]);
  });

  it("looks at 500 entries, of which each workspace has its share", async () => {
    const made = await tell(acme, ...Array.from({ length: 600 }, () => ({})));
    expect(of(acme, await read([acme, start]))).toEqual([made.slice(0, 500), behind(500), true]);
    expect(of(acme, await read([acme, behind(500)]))).toEqual([made.slice(500), behind(600), false]);
    const ofOther = await tell(other, ...Array.from({ length: 100 }, () => ({})));
    const shared = await read([acme, start], [other, start]);
    expect(of(acme, shared)).toEqual([made.slice(0, 250), behind(250), true]);
    expect(of(other, shared)).toEqual([ofOther, behind(700), false]);
  });

  it("has both events of an entry, and behind the first one the second", async () => {
    const [one] = await tell(acme, both());
    expect(of(acme, await read([acme, start]))).toEqual([[one, one], behind(1), false]);
    const { events = [] } = (await read([acme, at(1)])).get(acme.uuid) ?? {};
    expect(events.map(({ type, position }) => [type, position])).toEqual([["person.groups_updated", at(1) + 1]]);
    expect(of(acme, await read([acme, behind(1)]))).toEqual([[], behind(1), false]);
  });

  it("tells with which definitions the events of a workspace are to be seen", async () => {
    await tell(acme, {});
    await home.database.read("update workspaces set catalog_version = 12 where id = $1", [acme.uuid]);
    expect((await read([acme, start])).get(acme.uuid)?.version).toBe(12);
  });
});
