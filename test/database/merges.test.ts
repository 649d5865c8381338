import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";
import { databaseFrom, type TestDatabase } from "../support/database.ts";

// docs/guides/merging.md#history
/** A merge, as processes of the release before write it. */
const MERGE = `
insert into merges select * from json_populate_recordset(null::merges, json_build_array(json_build_object(
  'workspace_id', $1::uuid, 'id', gen_random_uuid(), 'kind', $2::text, 'survivor_id', $3::uuid, 'merged_id', $4::uuid,
  'survivor_before', json_build_object('name', 'survivor'), 'merged_before', json_build_object('name', $4::uuid),
  'created_at', now(), 'created_by', $1::uuid)))`;
const ENTRY = `
insert into change_log (workspace_id, id, type, record_id, source, body)
values ($1, gen_random_uuid(), $2, $3, 'api', '{"groups":[],"details":{"name":"Told"}}')`;

const [workspaceId, survivor] = [newUuid(), newUuid()];
const [person, object, withoutEntry, deleted] = [newUuid(), newUuid(), newUuid(), newUuid()];
let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await databaseFrom("0020-merges-in-the-log", async (query) => {
    await query("insert into workspaces (id, slug, name, created_at) values ($1, 'acme', 'Acme', now())", [
      workspaceId,
    ]);
    for (const [kind, merged] of [
      ["person", person],
      ["object", object],
      ["company", withoutEntry],
    ] as const)
      await query(MERGE, [workspaceId, kind, survivor, merged]);
    for (const [type, recordId] of [
      ["person.updated", person],
      ["person.deleted", person],
      ["object.deleted", object],
      ["person.deleted", deleted],
    ] as const)
      await query(ENTRY, [workspaceId, type, recordId]);
    // The same record of another workspace, as after an import.
    await query(ENTRY, [newUuid(), "person.deleted", person]);
  });
  database = test.database;
});

afterAll(() => test.drop());

it("merges of the release before stand in the entries of the deletions, and those without one are gone", async () => {
  const told = { groups: [], details: { name: "Told" } };
  const merged = (uuid: Uuid) => ({
    ...told,
    merged: { into: survivor, before: { name: uuid }, survivorBefore: { name: "survivor" } },
  });
  const rows = await database.read<{ body: object }>("select body from change_log order by seq");
  expect(rows.map(({ body }) => body)).toEqual([told, merged(person), merged(object), told, told]);
  expect(await database.read("select from merges")).toEqual([]);
});

it("a process of the release before still merges while others are updated, and leaves no row", async () => {
  await database.read(MERGE, [workspaceId, "person", survivor, newUuid()]);
  expect(await database.read("select from merges")).toEqual([]);
});
