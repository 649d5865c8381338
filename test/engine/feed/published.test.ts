import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { PUBLISHED_READS, type PublishedEvent } from "../../../engine/feed/published.ts";
import type { EventType } from "../../../model/events.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

// docs/guides/events.md#who-sees-what
let home: TestDatabase;
const [workspaceId, author, assignee] = [newUuid(), newUuid(), newUuid()];

beforeAll(async () => {
  home = await testDatabase();
});

afterAll(() => home.drop());

/** An event as it is read after it was published. */
async function read(type: EventType, recordId: Uuid): Promise<PublishedEvent | undefined> {
  await home.database.read("delete from events");
  const id = newUuid();
  await home.database.read(
    `insert into events (workspace_id, position, id, type, record_id, body, published_at) values ($1, 7, $2, $3, $4, '{"groups":[]}', now())`,
    [workspaceId, id, type, recordId],
  );
  const [event] = await home.database.read<PublishedEvent>(`select ${PUBLISHED_READS} from events e`);
  expect(event).toEqual({ position: 7, workspaceId, id, type, recordId, body: { groups: [] }, sight: event?.sight });
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
