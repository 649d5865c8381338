import { expect, it } from "@jest/globals";
import { firstUuidOf, newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import type { TestGroup, TestUser } from "../../lab/harness/world.ts";
import type { EventType } from "../../model/events.ts";
import type { Answer, Client } from "../support/client.ts";
import { publish, type TestEvent, type Told } from "../support/events.ts";
import { describeServer } from "../support/scene.ts";

const PATH = "/v1/events";

const DAY_MS = 86_400_000;

describeServer("The feed", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const tell = (...events: TestEvent[]) => publish(scene.server.database, workspace.uuid, events);
    return { workspace, api: scene.api(workspace.ada), tell };
  }

  const told = ({ items }: Answer) => items as unknown as Told[];
  const about = (answer: Answer) => told(answer).map(({ data }) => data.id);
  const cursorOf = (answer: Answer) => (answer.body as { data: { cursor: string } }).data.cursor;
  const after = (answer: Answer, more = "") => `${PATH}?cursor=${cursorOf(answer)}${more}`;
  const uuidOf = ({ id }: TestGroup | TestUser) => id.slice(4) as Uuid;

  /** All pages by their cursors, as somebody reads who ignores nextLink. */
  async function walk(api: Client, query: string): Promise<string[]> {
    const found: string[] = [];
    for (let answer = await api.get(`${PATH}?${query}`); ; answer = await api.get(after(answer, `&${query}`))) {
      found.push(...about(answer));
      if (answer.nextLink === undefined) return found;
    }
  }

  it("lists events oldest first, as webhooks send them, with a cursor on every page (docs/guides/event-feed.md#the-feed)", async () => {
    const { api, tell } = await setUp();
    const changes = [{ path: ["jobTitle"], type: "set" as const, value: "Admiral" }];
    const [first = "", second = ""] = await tell({}, { type: "person.updated", body: { changes } });
    const page = await api.get(PATH);
    expect(told(page)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: "person.created",
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        source: `${scene.server.publicUrl}/v1/events`,
        data: { id: first, url: `${scene.server.publicUrl}/v1/people/${first}` },
      },
      expect.objectContaining({ type: "person.updated", data: expect.objectContaining({ id: second, changes }) }),
    ]);
    expect(page.body).toEqual({ data: { items: expect.any(Array), pagination: {}, cursor: expect.any(String) } });
  });

  it("goes on from the cursor of an empty feed, of an empty page and of the last page, and skips nothing", async () => {
    const { api, tell } = await setUp();
    const empty = await api.get(PATH);
    expect([about(empty), empty.nextLink]).toEqual([[], undefined]);
    const made = await tell({}, {}, {});
    const page = await api.get(after(empty, "&limit=2"));
    expect(about(page)).toEqual(made.slice(0, 2));
    expect(page.nextLink).toContain(`cursor=${cursorOf(page)}`);
    const last = await api.get(after(page));
    expect([about(last), last.nextLink]).toEqual([made.slice(2), undefined]);
    const nothing = await api.get(after(last));
    expect(about(nothing)).toEqual([]);
    const later = await tell({});
    expect(about(await api.get(after(nothing)))).toEqual(later);
    expect(about(await api.get(after(last)))).toEqual(later);
  });

  it("shows in no cursor how many events there were, and another cursor each time (docs/guides/event-feed.md#cursors)", async () => {
    const { api, tell } = await setUp();
    await tell({}, {});
    const [{ last } = { last: "" }] = await scene.server.database.read<{ last: string }>(
      "select setval('change_log_seq', nextval('change_log_seq') + 1000000)::text as last",
    );
    const pages = [await api.get(PATH), await api.get(PATH), await api.get(`${PATH}?limit=1`)];
    const cursors = pages.map(cursorOf);
    expect(new Set(cursors).size).toBe(3);
    expect(new Set(cursors.map(({ length }) => length)).size).toBe(1);
    const readable = Buffer.from(cursors[0] ?? "", "base64url").toString("latin1");
    expect(readable.endsWith(last)).toBe(false);
  });

  it.each([1, 2, 3, 100])("gives each event once in pages of %i", async (limit) => {
    const { api, tell } = await setUp();
    const made = await tell(...Array.from({ length: 7 }, () => ({})));
    expect(await walk(api, `limit=${limit}`)).toEqual(made);
    expect((await api.all(`${PATH}?limit=${limit}`)).map((item) => (item as unknown as Told).data.id)).toEqual(made);
  });

  it("takes types, and refuses those that there are not", async () => {
    const { api, tell } = await setUp();
    const types: EventType[] = ["company.created", "person.deleted", "person.created", "company.created"];
    const made = await tell(...types.map((type) => ({ type })));
    const named = "types=company.created&types=person.deleted";
    expect(await walk(api, `${named}&limit=1`)).toEqual([made[0], made[1], made[3]]);
    expect((await api.get(`${PATH}?types=task.created`)).issues).toMatchObject([
      { code: "invalid_enum_value", path: ["types", 0] },
    ]);
  });

  it("binds cursors to the workspace and the types, and to nothing else (docs/guides/event-feed.md#cursors)", async () => {
    const { api, tell } = await setUp();
    const made = await tell({}, {}, {});
    const all = await api.get(`${PATH}?limit=1&since=2020-01-01`);
    expect(about(await api.get(after(all, "&limit=5&since=2031-01-01")))).toEqual(made.slice(1));
    const types = await api.get(`${PATH}?types=person.created&types=company.created&limit=1`);
    expect(about(await api.get(after(types, "&types=company.created&types=person.created")))).toEqual(made.slice(1));
    const refused = [{ code: "custom", path: ["cursor"] }];
    for (const path of [after(all, "&types=person.created"), after(types), after(types, "&types=person.created")])
      expect((await api.get(path)).issues).toMatchObject(refused);
    const { api: other } = await setUp();
    expect((await other.get(after(all))).issues).toMatchObject(refused);
    expect((await api.get(`${PATH}?cursor=garbage`)).issues).toMatchObject(refused);
    expect((await api.get(`/v1/people?cursor=${cursorOf(all)}`)).issues).toMatchObject(refused);
  });

  it("begins with what was made at the time in since or later, a timestamp or a date", async () => {
    const { api, tell } = await setUp();
    const at = (text: string) => ({ id: firstUuidOf(Date.parse(text)) });
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const dayTime = (i: number, hours: number) => new Date(today + (i - 30) * DAY_MS + hours * 3_600_000).toISOString();
    // The log may be kept for longer than events are told.
    const [, ...made] = await tell(at(dayTime(-1, 0)), ...Array.from({ length: 29 }, (_, i) => at(dayTime(i + 1, 12))));
    const times = made.map((_, i) => dayTime(i + 1, 12));
    expect(about(await api.get(`${PATH}?limit=100`))).toEqual(made);
    expect(about(await api.get(`${PATH}?limit=100&since=2020-01-01`))).toEqual(made);
    for (const [i, time] of times.entries())
      expect(about(await api.get(`${PATH}?limit=100&since=${time}`))).toEqual(made.slice(i));
    expect(about(await api.get(`${PATH}?limit=100&since=${dayTime(20, 0).slice(0, 10)}`))).toEqual(made.slice(19));
    expect(about(await api.get(`${PATH}?since=2031-01-01`))).toEqual([]);
    expect((await api.get(`${PATH}?since=soon`)).issues).toMatchObject([{ code: "invalid_string", path: ["since"] }]);
    expect(about(await api.get(`${PATH}?since=${dayTime(3, 12).replace("000Z", "001Z")}&limit=1`))).toEqual([made[3]]);
  });

  it("shows of hidden groups, private notes and other workspaces nothing, and of a change what is seen (docs/guides/events.md#who-sees-what)", async () => {
    const { workspace, api, tell } = await setUp();
    const bob = await workspace.user("Bob Stone");
    const [hidden, shared] = [
      await workspace.group(workspace.ada),
      await workspace.group(workspace.ada, { members: [[bob, "reader"]] }),
    ];
    const groups = [{ id: hidden.id }, { id: shared.id }];
    const made = await tell(
      { type: "object.created", body: { home: uuidOf(hidden), objectType: "Deals" } },
      { type: "note.deleted", body: { users: [uuidOf(workspace.ada)] } },
      { type: "person.groups_updated", body: { changes: [{ path: ["groups"], type: "add", value: groups }] } },
      {
        type: "person.groups_updated",
        body: { changes: [{ path: ["groups"], type: "add", value: groups.slice(0, 1) }] },
      },
    );
    expect(about(await api.get(PATH))).toEqual(made);
    const asBob = await scene.api(bob).get(PATH);
    expect(about(asBob)).toEqual([made[2]]);
    expect(told(asBob)[0]?.data.changes).toEqual([{ path: ["groups"], type: "add", value: [{ id: shared.id }] }]);
    const { api: elsewhere } = await setUp();
    expect(about(await elsewhere.get(PATH))).toEqual([]);
  });

  it("of private notes that are shown later, the sight of now counts", async () => {
    const { workspace, api, tell } = await setUp();
    const bob = await workspace.user("Bob Stone");
    const { data: person } = await api.post("/v1/people", {});
    const sent = { entity: { id: person.id }, visibility: "private", content: "Met." };
    const { data: note } = await api.post("/v1/notes", sent);
    await tell({ type: "note.created", recordId: note.id.slice(4) as Uuid });
    const asBob = () => scene.api(bob).get(`${PATH}?types=note.created`);
    expect(about(await asBob())).toEqual([]);
    await api.patch(`/v1/notes/${note.id}`, { visibility: "public" });
    expect(new Set(about(await asBob()))).toEqual(new Set([note.id]));
  });

  it("looks at 2,000 events for a page, and then says where to go on", async () => {
    const { workspace, api, tell } = await setUp();
    const bob = await workspace.user("Bob Stone");
    const group = await workspace.group(workspace.ada);
    const secret: TestEvent = { type: "object.updated", body: { home: uuidOf(group), objectType: "Deals" } };
    await tell(...Array.from({ length: 2500 }, () => secret));
    const [last] = await tell({});
    for (const [by, query] of [
      [scene.api(bob), "limit=100"],
      [api, "types=person.created"],
    ] as const) {
      const first = await by.get(`${PATH}?${query}`);
      expect([about(first), typeof first.nextLink]).toEqual([[], "string"]);
      const second = await by.get(after(first, `&${query}`));
      expect([about(second), second.nextLink]).toEqual([[last], undefined]);
    }
  });

  it("answers HEAD with Accept: text/event-stream as it does the list's, and lists for Accept: */*", async () => {
    const { api } = await setUp();
    const head = await api.request("HEAD", PATH, undefined, { Accept: "text/event-stream" });
    expect([head.status, head.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    for (const Accept of ["*/*", "text/*", "application/json", "application/json, text/event-stream;q=0.5"])
      expect((await api.get(PATH, { Accept })).items).toEqual([]);
  });

  it("names each event by one id for all who see it", async () => {
    const { workspace, api, tell } = await setUp();
    const id = newUuid();
    await tell({ id });
    const bob = await workspace.user("Bob Stone");
    for (const by of [api, scene.api(bob)]) expect(told(await by.get(PATH))[0]?.id).toBe(toId("event", id));
  });
});
