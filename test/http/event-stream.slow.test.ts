import { afterEach, expect, it } from "@jest/globals";
import type { Uuid } from "../../base/values/ids.ts";
import { until } from "../../lab/harness/until.ts";
import type { TestUser } from "../../lab/harness/world.ts";
import { type EventReader, readEvents } from "../support/event-reader.ts";
import { publish, type TestEvent } from "../support/events.ts";
import { describeServer } from "../support/scene.ts";

describeServer("The stream of events", (scene) => {
  const open: EventReader[] = [];

  afterEach(() => {
    for (const reader of open.splice(0)) reader.close();
  });

  async function read(by: TestUser | string, query = "", headers: Record<string, string> = {}): Promise<EventReader> {
    const reader = await readEvents(scene.server, typeof by === "string" ? by : by.key, query, headers);
    open.push(reader);
    return reader;
  }

  async function setUp() {
    const workspace = await scene.workspace();
    const tell = (...events: TestEvent[]) => publish(scene.server.database, workspace.uuid, events);
    return { workspace, ada: workspace.ada, tell };
  }

  const has = (reader: EventReader, id: string | undefined) =>
    until(
      `it is told of ${id}`,
      () => id !== undefined && reader.text().includes(id) && reader.text().endsWith("\n\n"),
    );
  const gone = (reader: EventReader) => until("the stream has ended", reader.isOver);
  const codeOf = async (reader: EventReader) => {
    await gone(reader);
    return JSON.parse(reader.text()).error;
  };
  /** How many places a user has taken. */
  const taken = async ({ uuid }: TestUser) =>
    (await scene.server.database.read("select from event_streams where user_id = $1 and until > now()", [uuid])).length;

  it("begins with what happens now, and tells each event as the feed lists it (docs/guides/event-feed.md#the-stream)", async () => {
    const { ada, tell } = await setUp();
    await tell({});
    const reader = await read(ada);
    expect([reader.status, reader.headers]).toEqual([
      200,
      expect.objectContaining({
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        "x-request-id": expect.any(String),
        "x-api-version": "2025-06-09",
      }),
    ]);
    const made = await tell({}, { type: "company.created" });
    await has(reader, made[1]);
    expect(reader.text().startsWith("retry: 2000\n\nid: ")).toBe(true);
    const items = (await scene.api(ada).get("/v1/events")).items;
    expect(reader.events().map(({ event, told }) => [event, told])).toEqual(
      items.slice(1).map((item) => [item.type, item]),
    );
  });

  it("tells what a request has changed as soon as it is written", async () => {
    const { ada } = await setUp();
    const reader = await read(ada);
    const tookMs: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { data } = await scene.api(ada).post("/v1/people", {});
      const begun = performance.now();
      await has(reader, data.id);
      tookMs.push(performance.now() - begun);
    }
    // Without a word of the writer each one would come a second behind the one before.
    expect(Math.min(...tookMs.slice(1))).toBeLessThan(500);
  });

  it("goes on behind Last-Event-ID, the cursor of a list of whatever types, or since, and its ids are cursors of the list", async () => {
    const { ada, tell } = await setUp();
    const api = scene.api(ada);
    const page = await api.get("/v1/events?types=company.created");
    const { cursor } = (page.body as { data: { cursor: string } }).data;
    const made = await tell({}, {}, {}, {});
    const all = await read(ada, `?cursor=${cursor}`);
    await has(all, made[3]);
    expect(all.about()).toEqual(made);
    const [, second] = all.events();
    const further = await read(ada, `?types=person.created&cursor=${cursor}`, { "Last-Event-ID": second?.id ?? "" });
    await has(further, made[3]);
    expect(further.about()).toEqual(made.slice(2));
    const since = await read(ada, "?since=2020-01-01");
    await has(since, made[3]);
    expect(since.about()).toEqual(made);
    const list = await api.get(`/v1/events?cursor=${second?.id}`);
    expect(list.items.map(({ data }) => (data as { id: string }).id)).toEqual(made.slice(2));
    const typed = further.events()[0]?.id;
    expect((await api.get(`/v1/events?types=person.created&cursor=${typed}`)).items).toHaveLength(1);
  });

  it("refuses what is no request for a stream as JSON: ids of elsewhere, types that there are not, a missing key", async () => {
    const { ada, tell } = await setUp();
    const { ada: stranger, tell: tellStranger } = await setUp();
    const reader = await read(stranger);
    await has(reader, (await tellStranger({}))[0]);
    const [foreign] = reader.events();
    for (const [by, query, headers, status, path] of [
      [ada, "", { "Last-Event-ID": foreign?.id ?? "" }, 422, ["cursor"]],
      [ada, "", { "Last-Event-ID": "garbage" }, 422, ["cursor"]],
      [ada, `?cursor=${foreign?.id}`, {}, 422, ["cursor"]],
      [ada, "?types=task.created", {}, 422, ["types", 0]],
      ["cwk_wrong", "", {}, 401, undefined],
    ] as const) {
      const refused = await read(by, query, headers);
      const error = await codeOf(refused);
      expect([refused.status, error.details?.issues?.[0].path]).toEqual([status, path]);
    }
    expect(await taken(ada)).toBe(0);
    const empty = await read(ada, "", { "Last-Event-ID": "" });
    await has(empty, (await tell({}))[0]);
  });

  it("is asked for by its media type, also with parameters and other types of less weight", async () => {
    const { ada } = await setUp();
    for (const Accept of [
      "text/event-stream",
      "Text/Event-Stream; charset=utf-8",
      "application/json;q=0.9, text/event-stream",
      "text/event-stream, */*;q=0.1",
    ]) {
      const reader = await read(ada, "", { Accept });
      expect([Accept, reader.headers["content-type"]]).toEqual([Accept, "text/event-stream"]);
      reader.close();
    }
    for (const Accept of [
      "*/*",
      "text/event-stream;q=0",
      "text/event-stream, application/json",
      "text/event-streams",
    ]) {
      const reader = await read(ada, "", { Accept });
      expect([Accept, reader.headers["content-type"]]).toEqual([Accept, "application/json; charset=utf-8"]);
    }
  });

  it("keeps types and sight: other types, other workspaces, hidden groups, private notes, each user their own cut", async () => {
    const { workspace, ada, tell } = await setUp();
    const bob = await workspace.user("Bob Stone");
    const hidden = await workspace.group(ada);
    const shared = await workspace.group(ada, { members: [[bob, "reader"]] });
    const { ada: stranger, tell: tellStranger } = await setUp();
    const [asAda, asBob, companies, elsewhere] = await Promise.all([
      read(ada),
      read(bob),
      read(bob, "?types=company.created"),
      read(stranger),
    ]);
    const value = [{ id: hidden.id }, { id: shared.id }];
    const made = await tell(
      { type: "object.created", body: { home: hidden.id.slice(4) as Uuid, objectType: "Deals" } },
      { type: "note.deleted", body: { users: [ada.uuid] } },
      { type: "person.groups_updated", body: { changes: [{ path: ["groups"], type: "add", value }] } },
      { type: "company.created" },
    );
    const [other] = await tellStranger({});
    await Promise.all([has(asAda, made[3]), has(asBob, made[3]), has(companies, made[3]), has(elsewhere, other)]);
    expect(asAda.about()).toEqual(made);
    expect(asBob.about()).toEqual(made.slice(2));
    expect(companies.about()).toEqual(made.slice(3));
    expect(elsewhere.about()).toEqual([other]);
    const cut = (reader: EventReader) => reader.events().map(({ told }) => told.data.changes?.[0]?.value);
    expect([cut(asAda)[2], cut(asBob)[0]]).toEqual([value, value.slice(1)]);
  });

  it("sees what its user may see at the moment of the event: a member who is taken in, and one who is put out", async () => {
    const { workspace, ada, tell } = await setUp();
    const bob = await workspace.user("Bob Stone");
    const group = await workspace.group(ada);
    const reader = await read(bob);
    const deal: TestEvent = { type: "object.created", body: { home: group.id.slice(4) as Uuid, objectType: "Deals" } };
    const api = scene.api(ada);
    const [, first = ""] = await tell(deal, {});
    await has(reader, first);
    await api.post(`/v1/groups/${group.id}/members`, { id: bob.id, role: "reader" });
    const [seen = ""] = await tell(deal);
    await has(reader, seen);
    await api.delete(`/v1/groups/${group.id}/members/${bob.id}`);
    await tell(deal);
    const [last = ""] = await tell({});
    await has(reader, last);
    expect(reader.about()).toEqual([first, seen, last]);
  });

  it("misses none and tells none twice while it catches up and much happens (docs/guides/event-feed.md#cursors)", async () => {
    const { ada, tell } = await setUp();
    const made = await tell(...Array.from({ length: 450 }, () => ({})));
    const readers = [read(ada, "?since=2020-01-01"), read(ada, "?since=2020-01-01")];
    for (let i = 0; i < 20; i += 1) made.push(...(await tell({}, {}, {})));
    readers.push(read(ada, "?since=2020-01-01"));
    for (let i = 0; i < 20; i += 1) made.push(...(await tell({}, {}, {})));
    for (const reader of await Promise.all(readers)) {
      await has(reader, made.at(-1));
      expect(reader.about()).toEqual(made);
    }
  });

  it("is 429 for a user's sixth, which counts no rate limit, until one is closed; other users have their own five", async () => {
    const { workspace, ada, tell } = await setUp();
    const second = await workspace.key(ada);
    const five = await Promise.all([ada, ada, ada, second.key, second.key].map((by) => read(by)));
    expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await read(ada);
    const error = await codeOf(sixth);
    expect([sixth.status, sixth.headers["retry-after"], error.code, error.details]).toEqual([
      429,
      "30",
      "TOO_MANY_REQUESTS",
      undefined,
    ]);
    expect(error.message).toContain("5 open streams");
    const other = await read(await workspace.user("Bob Stone"));
    expect(other.status).toBe(200);
    five[2]?.close();
    await until("a place is free", async () => (await taken(ada)) === 4);
    const again = await read(ada);
    expect(again.status).toBe(200);
    await has(again, (await tell({}))[0]);
  });

  it("of many that come at once never more than five are open, and five are", async () => {
    const { ada } = await setUp();
    const readers = await Promise.all(Array.from({ length: 15 }, () => read(ada)));
    const statuses = readers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(10).fill(429)]);
  });

  it("ends when its reader is too far behind, and who comes again with the last id misses nothing (docs/guides/event-feed.md#when-it-ends)", async () => {
    const { ada, tell } = await setUp();
    const [slow, quick] = [await read(ada), await read(ada)];
    slow.pause();
    const details = { text: "x".repeat(100_000) };
    const made: string[] = [];
    // Each time less than 1 MiB, so that the quick one is never too far behind, however busy the machine is.
    for (let i = 0; i < 12; i += 1) {
      made.push(...(await tell(...Array.from({ length: 8 }, () => ({ body: { details } })))));
      await has(quick, made.at(-1));
    }
    await until("the slow one has lost its place", async () => (await taken(ada)) === 1);
    slow.resume();
    await gone(slow);
    expect(slow.isWhole()).toBe(false);
    const got = slow.about();
    expect(got).toEqual(made.slice(0, got.length));
    const again = await read(ada, "", { "Last-Event-ID": slow.events().at(-1)?.id ?? "" });
    await has(again, made.at(-1));
    expect([...got, ...again.about()]).toEqual(made);
  });

  it("reads old events only as fast as its reader takes them", async () => {
    const { ada, tell } = await setUp();
    const details = { text: "x".repeat(100_000) };
    const made: string[] = [];
    for (let i = 0; i < 30; i += 1)
      made.push(...(await tell(...Array.from({ length: 10 }, () => ({ body: { details } })))));
    const reader = await read(ada, "?since=2020-01-01");
    reader.pause();
    // Others are told of what happens meanwhile.
    const quick = await read(ada);
    made.push(...(await tell({})));
    await has(quick, made.at(-1));
    reader.resume();
    await has(reader, made.at(-1));
    expect(reader.about()).toEqual(made);
  });
});
