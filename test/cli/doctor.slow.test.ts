import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { comparableEmail } from "../../base/values/text.ts";
import { until } from "../../lab/harness/until.ts";
import { startWorld, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import { adminOf, type TestAdmin } from "../support/admin.ts";
import { type Client, client } from "../support/client.ts";
import { startProcess, type TestServer } from "../support/server.ts";

const TYPES = [people, companies, objects];
const FIELDS = [
  { type: "textField", name: "Note" },
  { type: "numericField", name: "Amount" },
  { type: "dateField", name: "Due" },
  { type: "contactField", name: "Contacts" },
  { type: "multipleSelect", name: "Tags", options: [{ label: "Old" }, { label: "New" }] },
  { type: "textField", name: "Removed later" },
];
const VALUES = { Note: "Call her", Amount: "1.50", Due: "2024-02-29", Tags: ["Old", "New"], "Removed later": "x" };

/** What may be wrong in the rows of an index, in SQL. docs/guides/database.md#doctor */
const WRONG: [table: string, column: string, value: string][] = [
  ["person_search", "text_keys", "text_keys[2:]"],
  ["person_search", "folded_texts", "'lead'"],
  ["person_search", "folded_lists", "folded_texts"],
  ["person_search", "birthday", "birthday + 1"],
  ["person_search", "created_by", "id"],
  ["company_search", "text_keys", "text_keys || id"],
  ["company_search", "folded_texts", "''"],
  ["company_search", "folded_lists", "''"],
  ["company_search", "funding_raised", "funding_raised + 1"],
  ["company_search", "foundation_year", "null"],
  ["company_search", "last_funding_date", "last_funding_date - 1"],
  ["company_search", "created_by", "id"],
  ["object_search", "text_keys", "'{}'"],
  ["object_search", "folded_texts", "'lead'"],
  ["object_search", "created_by", "id"],
  ["object_search", "object_type_id", "id"],
  ...["person", "company", "object"].flatMap((kind): [string, string, string][] => [
    [`${kind}_groups`, "group_id", "workspace_id"],
    [`${kind}_values`, "group_id", "workspace_id"],
    [`${kind}_values`, "folded_text", "'lead'"],
    [`${kind}_values`, "number_value", "number_value + 1"],
    [`${kind}_values`, "date_value", "date_value + 1"],
    [`${kind}_values`, "item", "gen_random_uuid()"],
    [`${kind}_values`, "position", "-position"],
  ]),
  ["person_companies", "company_id", "workspace_id"],
  ["object_people", "person_id", "workspace_id"],
  ["object_companies", "company_id", "workspace_id"],
];

/** The tables that are indexes of records, with the column of the record's id. */
const INDEXES = TYPES.flatMap(({ kind, groupsTable, valuesTable, searchTable, recordIdColumn, links }) =>
  [
    [groupsTable, recordIdColumn],
    [valuesTable, recordIdColumn],
    [searchTable, "id"],
    ...links.map(({ storage }) => [storage.table, storage.from]),
  ].map(([table = "", own = ""]) => ({ kind, table, own })),
);

const migration = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../database/migrations/${name}.sql`), "utf8");

interface Check {
  name: string;
  ok: boolean;
  message: string;
}

describe("doctor", () => {
  let server: TestServer;
  let world: World;
  let admin: Omit<TestAdmin, "query">;
  let workspace: TestWorkspace;
  let api: Client;
  /** A connection on which no trigger runs, so that each table can be spoilt alone. */
  let spoiler: pg.Client;

  beforeAll(async () => {
    const started = await startProcess();
    server = started;
    world = await startWorld(server.database);
    admin = adminOf(started.databaseUrl);
    workspace = await world.workspace();
    api = client(server, workspace.ada.key);
    spoiler = new pg.Client(started.databaseUrl);
    await spoiler.connect();
    await spoiler.query("set session_replication_role = replica");
    await makeRecords();
  });

  afterAll(async () => {
    await spoiler.end();
    await admin.close();
    await world.stop();
    await server.stop();
  });

  /**
   * Records with something in every index, and traces of what is gone: a field, an option, records that were merged or
   * deleted.
   */
  async function makeRecords(): Promise<void> {
    const group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "person", { type: "objectField", name: "Deals" });
    for (const entity of ["person", "company", "Deals"])
      for (const field of FIELDS) await workspace.field(workspace.ada, group, entity, field);
    const groups = [{ id: group.id }];
    const make = async (path: string, body: object) => (await api.post(path, body)).data.id;
    const company = await make("/v1/companies", {
      name: "Acme",
      fundingRaised: "1000.5",
      foundationYear: "1999",
      lastFundingDate: "2024-03-01",
      emails: ["info@example.test"],
      groups,
      customFieldValues: { [group.id]: VALUES },
    });
    const values = { ...VALUES, Contacts: [{ id: company }] };
    const person = await make("/v1/people", {
      fullName: "Ada Lovelace",
      birthday: "1815-12-10",
      emails: ["ada@example.test"],
      groups,
      companies: [{ id: company }],
      customFieldValues: { [group.id]: values },
    });
    const deals = `/v1/groups/${group.id}/Deals`;
    const deal = { companies: [{ id: company }], people: [{ id: person }], customFieldValues: values };
    const [object, twin] = [await make(deals, { name: "Big", ...deal }), await make(deals, { name: "Twin", ...deal })];
    await api.post(`${deals}/${object}/merge`, { records: [{ id: twin }] });
    await api.delete(`/v1/people/${await make("/v1/people", { fullName: "Gone", groups })}`);
    const fields = `/v1/groups/${group.id}/custom-fields/person`;
    const { options } = (await api.get(`${fields}/Tags`)).data as unknown as { options: { id: string }[] };
    await api.patch(`${fields}/Tags`, { removeOptions: [options[0]?.id] });
    await server.database.read("delete from custom_fields where name = 'Removed later'");
  }

  async function examined(): Promise<Check[]> {
    const { code, json } = await admin.run("doctor --json");
    const { ok, checks } = json<{ ok: boolean; checks: Check[] }>();
    expect(code).toBe(ok ? 0 : 1);
    return checks;
  }

  /** What the check of the records says while something is wrong in one table. */
  async function checkOfRecords(table: string, spoil: string): Promise<Check | undefined> {
    await spoiler.query(`create temporary table saved as table ${table}`);
    try {
      expect((await spoiler.query(spoil)).rowCount).toBeGreaterThan(0);
      return (await examined()).find(({ name }) => name === "records");
    } finally {
      await spoiler.query(`delete from ${table}`);
      await spoiler.query(`insert into ${table} table saved`);
      await spoiler.query("drop table saved");
    }
  }

  it("finds sound records sound, whatever they had to do with that is gone", async () => {
    // The database of the tests is made to be fast, not to survive a power cut.
    expect((await examined()).filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["durability"]);
    const records = (await examined()).find(({ name }) => name === "records");
    expect(records).toEqual({ name: "records", ok: true, message: "3 records are indexed as they are" });
  });

  it("says what to do about whatever else is wrong", async () => {
    const keys = await server.database.read<{ id: string; key: Buffer }>("select id, name_key as key from companies");
    const members = await server.database.read("delete from group_members returning *");
    await server.database.read("update companies set name_key = '\\x00'");
    const failed = (await examined()).filter(({ ok }) => !ok);
    expect(failed.map(({ name, message }) => `${name}: ${message}`)).toEqual([
      expect.stringMatching(/^durability: .*: switch on what is off/),
      expect.stringMatching(/^definitions: private group without an admin: "Sales" in w-.*: apply a workspace file/),
      expect.stringMatching(/^company names: 1 companies have the key of another name, "Acme" for example: give each/),
    ]);
    for (const { id, key } of keys)
      await server.database.read("update companies set name_key = $2 where id = $1", [id, key]);
    await server.database.read(
      "insert into group_members select * from json_populate_recordset(null::group_members, $1)",
      [JSON.stringify(members)],
    );
  });

  it("finds that the directories of slugs and hashes are not those of the workspaces and keys", async () => {
    const check = async () => (await examined()).find(({ name }) => name === "directories");
    const { uuid, slug } = await world.workspace();
    const [gone, place] = ["00000000-0000-7000-8000-00000000000a", "workspace_id = $1"];
    const [slugs, hashes] = [`workspace_slugs where ${place}`, `key_hashes where ${place}`];
    const backSlug = "insert into workspace_slugs select id, slug from workspaces where id = $1";
    const backHash = "insert into key_hashes select workspace_id, id, hash from api_keys where workspace_id = $1";
    for (const [spoil, repair, of, message] of [
      [`delete from ${slugs}`, backSlug, uuid, `^${slug} is not found by its slug: `],
      ["insert into workspace_slugs values ($1, 'left')", `delete from ${slugs}`, gone, "^left is a slug without a"],
      [`delete from ${hashes}`, backHash, uuid, `^${slug} has a key that is not found by its hash, [-0-9a-f]{36}: `],
      ["insert into key_hashes values ($1, $1, '')", `delete from ${hashes}`, gone, `^${gone} has the hash of a key`],
    ] as const) {
      await server.database.read(spoil, [of]);
      expect(await check()).toMatchObject({ ok: false, message: expect.stringMatching(message) });
      await server.database.read(repair, [of]);
    }
    expect(await check()).toMatchObject({ ok: true, message: expect.stringMatching(/^\d+ slugs and \d+ keys are/) });
  });

  it("tells of settings with which PostgreSQL plans badly, and of jit, as a session of others has them", async () => {
    const check = async () => (await examined()).find(({ name }) => name === "settings");
    expect(await check()).toMatchObject({ ok: true, message: expect.stringMatching(/jit=(on|off) \(off in our/) });
    const [{ name } = { name: "" }] = await server.database.read<{ name: string }>("select current_database() as name");
    await server.database.read(`alter database ${name} set enable_indexscan = off`);
    expect(await check()).toEqual({
      name: "settings",
      ok: false,
      message: "enable_indexscan=off: switch them on, or statements get slow as tables grow",
    });
    await server.database.read(`alter database ${name} reset enable_indexscan`);
  });

  it("finds credits that enrichments have not used, and enrichments of people who are gone", async () => {
    const check = async () => (await examined()).find(({ name }) => name === "enrichments");
    const { data: person } = await api.post("/v1/people", {});
    const { data: enrichment } = await api.post(`/v1/people/${person.id}/enrich`);
    await until("it has finished", async () => (await api.get(`/v1/enrichments/${enrichment.id}`)).data.finishedAt);
    expect(await check()).toEqual({ name: "enrichments", ok: true, message: "1 enrichments cost what was used" });
    await spoiler.query("update credits set used = used + 2");
    expect(await check()).toEqual({
      name: "enrichments",
      ok: false,
      message: `${workspace.slug} has used 2 credits, but its enrichments cost 0: correct the column used of its row in credits`,
    });
    // A completed one costs one, and so does one that has not finished.
    await spoiler.query("update enrichments set status = 'completed'");
    await spoiler.query("update credits set used = 1");
    expect(await check()).toMatchObject({ ok: true });
    const uuid = person.id.slice("per_".length);
    const [{ full }] = (await spoiler.query("delete from people where id = $1 returning full_name as full", [uuid]))
      .rows;
    expect(await check()).toMatchObject({
      ok: false,
      message: expect.stringMatching(/has an enrichment of a person who is not there, [-0-9a-f]{36}: delete this row/),
    });
    await spoiler.query("update enrichments set entity_name = $1", [full]);
    expect(await check()).toMatchObject({ ok: true });
    await spoiler.query("delete from person_search where id = $1", [uuid]);
  });

  it.each(WRONG)("finds that %s.%s is not what the row says, when it is %s", async (table, column, value) => {
    const kind = TYPES.find((type) => table.startsWith(`${type.kind}_`))?.kind;
    const found = await checkOfRecords(table, `update ${table} set ${column} = ${value} where ${column} is not null`);
    const words = `${table} differs from the ${kind} [-0-9a-f]{36}: its filters are wrong`;
    expect(found).toMatchObject({ ok: false, message: expect.stringMatching(words) });
  });

  it.each(INDEXES)("finds that rows of $table are missing", async ({ table, kind }) => {
    const found = await checkOfRecords(table, `delete from ${table}`);
    expect(found).toMatchObject({ ok: false, message: expect.stringContaining(`${table} differs from the ${kind} `) });
  });

  it.each(INDEXES)("finds that $table has rows of a record that is not there", async ({ table, own }) => {
    const stray = `jsonb_populate_record(i, jsonb_build_object('${own}', gen_random_uuid()))`;
    const found = await checkOfRecords(table, `insert into ${table} select (${stray}).* from ${table} i`);
    expect(found).toMatchObject({
      ok: false,
      message: expect.stringMatching(`^${table} has rows of .*not there: delete these rows$`),
    });
  });

  it("finds texts that an earlier release folded sound again after the migration (docs/guides/filters.md#like)", async () => {
    const name = "Μ\u00b5 J\u030cΟΔΥΣΣΕΑΣ \u0301sſ";
    const group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "person", { type: "textField", name: "Word" });
    const person = { fullName: name, emails: [`\u0307${name}`, name], groups: [{ id: group.id }] };
    const { data } = await api.post("/v1/people", { ...person, customFieldValues: { [group.id]: { Word: name } } });
    await api.post("/v1/notes", { entity: { id: data.id }, visibility: "public", content: name });
    const unfold = (column: string) => `replace(translate(${column}, 'σμ', 'ςµ'), U&'\\01f0', U&'j\\030c')`;
    for (const [table, column] of [
      ["person_search", "folded_texts"],
      ["person_search", "folded_lists"],
      ["person_values", "folded_text"],
    ])
      await spoiler.query(`update ${table} set ${column} = ${unfold(column ?? "")} where ${column} like '%οδυσσεασ%'`);
    await spoiler.query(`update notes set search = ${unfold("search::text")}::tsvector where content like '%ΟΔΥΣ%'`);
    const found = async () => [
      (await api.get(`/v1/people?filter[fullName][like]=${encodeURIComponent("ΟΔΥΣΣΕΑΣ")}`)).items.length,
      (await api.get(`/v1/notes?query=${encodeURIComponent("ΜΜ ǰοδυσ")}`)).items.length,
    ];
    const records = async () => (await examined()).find((check) => check.name === "records")?.ok;
    expect([await found(), await records()]).toEqual([[0, 0], false]);
    await spoiler.query(migration("0014-folded-texts"));
    expect([await found(), await records()]).toEqual([[1, 1], true]);
  });

  it("finds users of an earlier release under folded addresses after the migration (docs/guides/values.md#text)", async () => {
    // The first two are one address: the lower case of a capital sigma depends on the letters around it.
    const addresses = ["ΟΔΥΣ.Π@acme.test", "οδυς.π@acme.test", "ΠΑΠΠΑΣ@acme.test", "ada.l@acme.test"];
    await spoiler.query(
      `insert into users (workspace_id, id, email, email_key, full_name, role, created_at)
       select $1, gen_random_uuid(), email, email_key, 'Greek', 'member', now() from unnest($2::text[], $3::text[]) u (email, email_key)`,
      [workspace.uuid, addresses, addresses.map((email) => email.toLowerCase())],
    );
    // Its other part is about an index that there is no more.
    const [ofUsers = ""] = migration("0016-folded-addresses").split("\n\n");
    await spoiler.query(ofUsers);
    const { rows } = await spoiler.query("delete from users where full_name = 'Greek' returning email, email_key");
    expect(Object.fromEntries(rows.map((row) => [row.email, row.email_key]))).toEqual({
      "ΟΔΥΣ.Π@acme.test": "οδυσ.π@acme.test",
      "οδυς.π@acme.test": "οδυς.π@acme.test",
      "ΠΑΠΠΑΣ@acme.test": comparableEmail("παππας@acme.test"),
      "ada.l@acme.test": "ada.l@acme.test",
    });
  });

  it("finds that a row says something else than its indexes", async () => {
    const entry = (memberships: string) => `update people set memberships = ${memberships}`;
    for (const [table, sql] of [
      ["person_groups", entry("'[]'")],
      ["person_values", entry(`replace(memberships::text, 'Call her', 'Call him')::json`)],
      ["person_companies", "update people set company_ids = '{}'"],
      ["person_search", "update people set birthday = null"],
      ["person_search", `update people set emails = '["her@example.test"]'`],
    ])
      expect(await checkOfRecords("people", sql ?? "")).toMatchObject({
        ok: false,
        message: expect.stringMatching(`^${table} differs`),
      });
  });
});
