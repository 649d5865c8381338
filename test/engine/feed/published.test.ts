import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { ENTRY_READS, eventsOf, type PublishedEvent, type StoredEntry } from "../../../engine/feed/published.ts";
import type { EventType } from "../../../model/events.ts";
import type { LogType } from "../../../model/log.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { publishOne } from "../../support/events.ts";

// docs/guides/events.md#who-sees-what
let home: TestDatabase;
const [workspaceId, author, assignee] = [newUuid(), newUuid(), newUuid()];

beforeAll(async () => {
  home = await testDatabase();
});

afterAll(() => home.drop());

/** An event as it is read of the log. */
async function read(type: EventType, recordId: Uuid): Promise<PublishedEvent | undefined> {
  await home.database.read("delete from change_log");
  const { id, position } = await publishOne(home.database, workspaceId, { type, recordId, body: { groups: [] } });
  const entries = await home.database.read<StoredEntry>(
    `select ${ENTRY_READS} from change_log e where e.workspace_id = $1`,
    [workspaceId],
  );
  const [event] = entries.flatMap(eventsOf);
  expect(event).toEqual({ position, workspaceId, id, type, recordId, body: { groups: [] }, sight: event?.sight });
  return event;
}

async function note(visibility: "public" | "private"): Promise<Uuid> {
  const uuid = newUuid();
  await home.database.read(
    `insert into notes (workspace_id, id, created_at, created_by, entity_kind, entity_id, visibility, content, search)
     values ($1, $2, now(), $3, 'person', $2, $4, 'x', '')`,
    [workspaceId, uuid, author, visibility],
  );
  return uuid;
}

async function reminder(isPublic: boolean): Promise<Uuid> {
  const uuid = newUuid();
  await home.database.read(
    `insert into tasks (workspace_id, id, created_at, created_by, entity_kind, entity_id, made_as, title, due_at, time_zone, first_due_at, is_public, assigned_user_ids)
     values ($1, $2, now(), $3, 'person', $2, 'reminder', 'x', '2026-01-01', 'UTC', '2026-01-01', $4, array[$5::uuid])`,
    [workspaceId, uuid, author, isPublic, assignee],
  );
  return uuid;
}

it("a note is read with whom it is for now: its author when it is private, else everybody who sees its record", async () => {
  expect((await read("note.created", await note("private")))?.sight).toEqual({ users: [author] });
  expect((await read("note.updated", await note("public")))?.sight).toEqual({ users: null });
});

it("a reminder is read with whom it is for now: its creator and its assignees when it is private", async () => {
  expect((await read("reminder.triggered", await reminder(false)))?.sight).toEqual({
    users: [author, assignee],
    home: null,
  });
  expect((await read("reminder.updated", await reminder(true)))?.sight).toEqual({ users: null, home: null });
});

it("what is gone is for nobody in particular, and neither are records", async () => {
  for (const type of ["note.deleted", "reminder.deleted", "person.updated", "object.created"] as const)
    expect((await read(type, newUuid()))?.sight).toBeNull();
});

// docs/guides/events.md#which-events-a-change-makes
describe("An entry", () => {
  const entry = (type: LogType, body: StoredEntry["body"], id = newUuid()): StoredEntry => ({
    seq: 40,
    workspaceId,
    id,
    type,
    recordId: newUuid(),
    body,
    sight: null,
  });
  const changes = [
    { path: ["jobTitle"], before: "COO", after: "CTO" },
    { path: ["middleName"], before: "Marie", after: null },
    { path: ["groups"], before: [{ id: "grp_1" }], after: [{ id: "grp_2" }] },
  ];
  const told = [
    { path: ["jobTitle"], type: "set", value: "CTO" },
    { path: ["middleName"], type: "set" },
  ];
  const toldOfGroups = [
    { path: ["groups"], type: "remove", value: [{ id: "grp_1" }] },
    { path: ["groups"], type: "add", value: [{ id: "grp_2" }] },
  ];

  it("makes one event, which tells what is new of each change", () => {
    const groups = [newUuid()];
    const one = entry("person.updated", { groups, changes: changes.slice(0, 2) });
    const { seq: position, ...rest } = one;
    expect(eventsOf(one)).toEqual([{ ...rest, position, body: { groups, changes: told } }]);
    const [deleted] = eventsOf(entry("person.deleted", { details: { fullName: "Grace" } }));
    expect(deleted?.body).toEqual({ details: { fullName: "Grace" } });
  });

  it.each(["person", "company"] as const)("makes two of a %s whose fields and groups have changed", (kind) => {
    const groups = [newUuid()];
    const both = entry(`${kind}.updated+groups_updated`, { groups, changes });
    const [first, second] = eventsOf(both);
    const { workspaceId, recordId } = both;
    const common = { workspaceId, recordId, sight: null };
    expect(first).toEqual({
      ...common,
      position: 40,
      id: both.id,
      type: `${kind}.updated`,
      body: { groups, changes: told },
    });
    expect(second).toEqual({
      ...common,
      position: 41,
      id: second?.id,
      type: `${kind}.groups_updated`,
      body: { groups, changes: toldOfGroups },
    });
    expect([second?.id.slice(0, -1), second?.id === both.id]).toEqual([both.id.slice(0, -1), false]);
    expect(eventsOf(both)).toHaveLength(2);
  });

  it("gives its second event always the same id, that of the first one but for the last bit", () => {
    for (const [id, other] of [
      ["0", "1"],
      ["1", "0"],
      ["9", "8"],
      ["a", "b"],
      ["f", "e"],
    ]) {
      const uuid = `019f8a3b-1a00-7d42-8f10-6b5c4d3e2f1${id}` as Uuid;
      const [, second] = eventsOf(entry("person.updated+groups_updated", { changes }, uuid));
      expect(second?.id).toBe(`019f8a3b-1a00-7d42-8f10-6b5c4d3e2f1${other}`);
    }
  });

  it("makes of texts that are not told an event that says that they have changed, and no more", () => {
    const [event] = eventsOf(
      entry("note.updated", { changes: [{ path: ["content"], before: "a", after: "b", untold: true }] }),
    );
    expect(event?.body.changes).toEqual([{ path: ["content"], type: "set" }]);
  });

  it("of a release before the log holds its event as it was told", () => {
    const old = [...told, ...toldOfGroups] as { path: string[]; type: "set" }[];
    expect(eventsOf(entry("person.updated", { changes: old }))[0]?.body).toEqual({ changes: old });
    const { position } = eventsOf({ ...entry("person.updated", {}), seq: 41 })[0] ?? {};
    expect(position).toBe(41);
  });
});
