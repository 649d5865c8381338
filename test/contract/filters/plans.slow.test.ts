import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parseQuery } from "../../../base/contract/query-string.ts";
import { byId, type RecordKind } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import type { Combinator } from "../../../engine/filters/condition.ts";
import { listRecords } from "../../../engine/records/read.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../../../lab/harness/world.ts";
import type { EntityKey, Group } from "../../../model/definitions/definitions.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import type { Scope } from "../../../model/resources/scope.ts";
import { readFilter } from "../../../services/gateway/operation/filter-query.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { CROWD, crowdIn, FIELDS, follow } from "./crowd.ts";

const DECISION = join(import.meta.dirname, "..", "..", "..", "docs", "decisions", "0004-filters.md");

/** `[filter, row of the decision's table, indexes of which one must find the people]`. `{…}` are ids of the crowd. */
const CASES: [filter: string, row: string, indexes: string[]][] = [
  ["filter[fullName][eq]=first7 last7", "native texts: eq", ["person_search_text_keys"]],
  ["filter[firstName][eq]=first7", "native texts: eq", ["person_search_text_keys"]],
  ["filter[lastName][eq]=last7", "native texts: eq", ["person_search_text_keys"]],
  ["filter[jobTitle][eq]=archivist", "native texts: eq", ["person_search_text_keys"]],
  ["filter[description][eq]=nobody", "native texts: eq", ["person_search_text_keys"]],
  ["filter[emails][eq]=person77@example.test", "native texts: eq", ["person_search_text_keys"]],
  ["filter[phones][eq]=%2B44 77", "native texts: eq", ["person_search_text_keys"]],
  ["filter[addresses][eq]=77 main street", "native texts: eq", ["person_search_text_keys"]],
  ["filter[urls][eq]=https://example.test/77", "native texts: eq", ["person_search_text_keys"]],
  ["filter[emails][empty]", "native texts: eq", ["person_search_text_keys"]],
  ["filter[gender][eq]=Other", "native texts: eq", ["person_search_text_keys"]],
  ["filter[gender][in]=Male&filter[gender][in]=Other", "native texts: eq", ["person_search_text_keys"]],
  ["filter[description][like]=RARELY", "native texts: like", ["person_search_folded"]],
  ["filter[jobTitle][like]=chivis", "native texts: like", ["person_search_folded"]],
  ["filter[emails][like]=person99999", "native texts: like", ["person_search_folded"]],
  ["filter[birthday][eq]=1950-01-09", "birthday", ["person_search_birthday"]],
  ["filter[birthday][gt]=2004-09-25", "birthday", ["person_search_birthday"]],
  ["filter[birthday][lt]=1950-01-08", "birthday", ["person_search_birthday"]],
  ["filter[createdAt][eq]=2024-02-29", "createdAt", ["person_search_pkey"]],
  ["filter[createdBy][in][id]={creator}", "createdBy", ["person_search_created_by"]],
  ["filter[createdBy][in][email]={email}", "createdBy", ["person_search_created_by"]],
  ["filter[groups][in][id]={empty}", "groups, companies, people", ["person_groups_group", "person_groups_pkey"]],
  ["filter[companies][in][id]={company}", "groups, companies, people", ["person_companies_company"]],
  ["filter[companies][all][id]={company}", "groups, companies, people", ["person_companies_company"]],
  ["filter[{fields}.Text][eq]=note 77", "custom fields", ["person_values_item"]],
  ["filter[{fields}.Text][like]=note 1999", "custom fields", ["person_values_folded_text"]],
  ["filter[{fields}.Number][eq]=77", "custom fields", ["person_values_number"]],
  ["filter[{fields}.Number][gt]=19990", "custom fields", ["person_values_number"]],
  ["filter[{fields}.Date][lt]=1900-01-09", "custom fields", ["person_values_date"]],
  ["filter[{fields}.Single][in]=rare", "custom fields", ["person_values_item"]],
  ["filter[{fields}.Multiple][in]=rare", "custom fields", ["person_values_item"]],
  ["filter[{fields}.Multiple][all]=rare", "custom fields", ["person_values_item"]],
  ["filter[{fields}.User][in][email]={email}", "custom fields", ["person_values_item"]],
  ["filter[{fields}.Contact][in][id]={company}", "custom fields", ["person_values_item"]],
  ["filter[{fields}.Object][all][id]={object}", "custom fields", ["person_values_item"]],
];

/** The same of the other kinds, whose tables have the same layout. */
const OF_OTHERS: [kind: RecordKind, filter: string, index: string][] = [
  ["company", "filter[name][eq]=acme77", "company_search_text_keys"],
  ["company", "filter[name][like]=acme1999", "company_search_folded"],
  ["company", "filter[createdBy][in][id]={creator}", "company_search_created_by"],
  ["company", "filter[fundingRaised][gt]=19990", "company_search_funding_raised"],
  ["company", "filter[{fields}.Text][like]=note 1999", "company_values_folded_text"],
  ["company", "filter[{fields}.Number][gt]=3990", "company_values_number"],
  ["company", "filter[{fields}.User][in][email]={email}", "company_values_item"],
  ["object", "filter[name][eq]=acme77", "object_search_text_keys"],
  ["object", "filter[name][like]=acme1999", "object_search_folded"],
  ["object", "filter[createdBy][in][id]={creator}", "object_search_created_by"],
  ["object", "filter[customFieldValues.Text][like]=note 1999", "object_values_folded_text"],
  ["object", "filter[customFieldValues.Number][gt]=3990", "object_values_number"],
  ["object", "filter[customFieldValues.User][in][email]={email}", "object_values_item"],
];

/** What ends with the page: a walk in the order of ids, through indexes alone. */
const WALKS: [filter: string, indexes: string[]][] = [
  ["filter[groups][empty]", ["person_search_pkey", "person_groups_pkey"]],
  ["filter[groups][not_empty]", ["person_search_pkey", "person_groups_pkey"]],
  ["filter[companies][not_empty]", ["person_search_pkey", "person_companies_pkey"]],
  ["filter[{fields}.Number][empty]", ["person_search_pkey", "person_values_pkey"]],
  ["filter[{fields}.Number][not_empty]", ["person_search_pkey", "person_values_pkey"]],
  // PostgreSQL 18 may skip through the other index, which costs about the same where a field has few items.
  ["filter[{fields}.Single][empty]", ["person_search_pkey", "person_values_(pkey|item)"]],
  ["filter[{fields}.User][empty]", ["person_search_pkey", "person_values_(pkey|item)"]],
];

/** The custom fields that companies and objects have as well. */
const SHARED = ["Text", "Number", "User"];

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Sort Key"?: string[];
  Filter?: string;
  Plans?: Plan[];
}

// The statements that lists really run, as PostgreSQL plans them: docs/decisions/0004-filters.md.
describe(`Selective filters on ${CROWD} people`, () => {
  const asked: { sql: string; values: readonly unknown[] }[] = [];
  let home: TestDatabase;
  let world: World;
  let workspace: TestWorkspace;
  let database: Database;
  let names: Record<string, string>;
  const places = new Map<RecordKind, { resource: RecordType; scope: Scope }>();

  beforeAll(async () => {
    home = await testDatabase();
    world = await startWorld(home.database);
    workspace = await world.workspace();
    const { creator, group, empty, company, object, fields } = await crowdIn(home, workspace);
    await gatherOthers(group, fields);
    names = {
      creator: creator.id,
      email: creator.email,
      empty: empty.id,
      company,
      object,
      fields: `customFieldValues.${group.id}`,
    };
    database = {
      ...home.database,
      queryPlanned: (sql, values = [], form) => {
        asked.push({ sql, values });
        return home.database.queryPlanned(sql, values, form);
      },
    };
  });

  afterAll(async () => {
    await world.stop();
    await home.drop();
  });

  /** Companies and objects with some of the fields that people have. */
  async function gatherOthers(group: TestGroup, ofPeople: Map<string, string>): Promise<void> {
    const [type] = (await groupOf(group)).objectTypes;
    if (!type) throw new Error("The group has no type of objects");
    const make = async (entity: string, kind: "company" | "object", key: EntityKey) => {
      for (const shared of FIELDS.filter(({ name }) => SHARED.includes(name)))
        await workspace.field(workspace.ada, group, entity, shared);
      const fields = (await groupOf(group)).fields.get(key) ?? [];
      const pairs = fields.map(({ name, uuid }) => ({ from: ofPeople.get(name) ?? "", to: uuid }));
      await follow(home.url, kind, group, pairs, type.uuid);
    };
    await make("company", "company", "company");
    places.set("company", { resource: companies, scope: { entity: "company", homeGroup: null } });
    await make(type.name, "object", type.uuid);
    places.set("object", { resource: objects, scope: { entity: type.uuid, homeGroup: await groupOf(group) } });
  }

  async function groupOf({ id }: TestGroup): Promise<Group> {
    const definitions = await storeOf(home.database).definitionsCache.current(workspace.uuid);
    const group = byId(definitions.groups, "group", id);
    if (!group) throw new Error(`There is no group ${id}`);
    return group;
  }

  const filled = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));

  const placeOf = (kind: RecordKind) =>
    places.get(kind) ?? { resource: people, scope: { entity: people.kind, homeGroup: null } };

  /** The plan of the statement by which a list finds the ids of its page, and how many records the page has. */
  async function planOf(
    filter: string,
    kind: RecordKind = "person",
    combinator: Combinator = "and",
  ): Promise<{ nodes: Plan[]; found: number }> {
    asked.length = 0;
    const conditions = readFilter(parseQuery(filled(filter)), []);
    const { resource, scope } = placeOf(kind);
    const options = { limit: 20, conditions, combinator };
    const page = await listRecords(storeOf(database), resource, workspace.ada.caller, scope, options);
    const [statement, ...more] = asked;
    if (!statement || more.length > 0) throw new Error(`A list ran ${asked.length} statements with filters`);
    const [row] = await home.database.queryPlanned<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `explain (format json) ${statement.sql}`,
      statement.values,
    );
    const [root] = row?.["QUERY PLAN"] ?? [];
    const nodes = root ? nodesOf(root.Plan) : [];
    // What filters look at stands beside the records, whose own rows are read for the page alone.
    expect(nodes.map((node) => node["Relation Name"])).not.toContain(resource.table);
    return { nodes, found: (JSON.parse(page.items) as unknown[]).length };
  }

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  /** The tables of a kind that are read from end to end, of those that have a row for each record or for each value. */
  function readWhole(nodes: Plan[], { searchTable, valuesTable }: RecordType): string[] {
    const scanned = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]);
    return [searchTable, valuesTable].filter((table) => scanned.includes(table));
  }

  it.each(CASES)("%s is found through its index (%s)", async (filter, _, indexes) => {
    const { nodes, found } = await planOf(filter);
    expect(readWhole(nodes, people)).toEqual([]);
    const used = nodes.flatMap((node) => node["Index Name"] ?? []);
    expect(used).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^(${indexes.join("|")})$`))]));
    expect(found).toBeGreaterThanOrEqual(/nobody|empty/.test(filter) ? 0 : 1);
    expect(found).toBeLessThanOrEqual(20);
  });

  it.each(OF_OTHERS)("of a %s, %s is found through its index (%s)", async (kind, filter, index) => {
    const { nodes, found } = await planOf(filter, kind);
    expect(readWhole(nodes, placeOf(kind).resource)).toEqual([]);
    expect(nodes.map((node) => node["Index Name"])).toContain(index);
    expect(found).toBeGreaterThanOrEqual(1);
    expect(found).toBeLessThanOrEqual(20);
  });

  it.each(WALKS)("%s ends with its page, and looks at no record that is not on it (%s)", async (filter, indexes) => {
    const { nodes } = await planOf(filter);
    expect(nodes.filter(({ Filter = "" }) => Filter.includes("hashed"))).toEqual([]);
    const wide = nodes.filter((node) => /^(Seq|Bitmap|Hash|Sort)/.test(node["Node Type"])).flatMap(nodesOf);
    expect(
      wide.map((node) => node["Relation Name"]).filter((name) => /^person_(search|values)$/.test(name ?? "")),
    ).toEqual([]);
    const used = nodes.flatMap((node) => node["Index Name"] ?? []);
    for (const index of indexes) expect(used).toContainEqual(expect.stringMatching(new RegExp(`^${index}$`)));
  });

  it.each([
    "filter[{fields}.Single][in]=rare",
    "filter[{fields}.Multiple][all]=rare",
    "filter[companies][in][id]={company}",
    "filter[{fields}.User][in][email]={email}",
  ])(
    "%s, one item, gives its records in order: nothing is sorted, and the rest of them is not looked at",
    async (filter) => {
      const { nodes } = await planOf(filter);
      expect(nodes.filter((node) => /Sort|Aggregate|Hash/.test(node["Node Type"]))).toEqual([]);
    },
  );

  it("of conditions combined by or, each finds its page through its own index", async () => {
    const [name, number] = ["filter[lastName][eq]=last7", "filter[{fields}.Number][gt]=19990"];
    const { nodes } = await planOf(`${name}&${number}`, "person", "or");
    const used = nodes.flatMap((node) => node["Index Name"] ?? []);
    expect(used).toEqual(expect.arrayContaining(["person_search_text_keys", "person_values_number"]));
    expect(nodes.filter(({ Filter = "" }) => Filter.includes("SubPlan"))).toEqual([]);
    expect(readWhole(nodes, people)).toEqual([]);
  });

  it("every kind has the indexes of people", async () => {
    const shapes = await home.database.queryPlanned<{ table: string; sql: string }>(
      `select tablename as table, substring(indexdef from ' USING .*') as sql from pg_indexes where schemaname = 'public' order by 2`,
    );
    for (const { kind, recordIdColumn, valuesTable, groupsTable, searchTable } of [companies, objects]) {
      const like = (name: string) => shapes.filter((one) => one.table === name).map(({ sql }) => sql);
      const renamed = (name: string) =>
        like(name)
          .map((sql) => sql.replaceAll("person_id", recordIdColumn))
          .sort();
      expect([kind, like(valuesTable).sort()]).toEqual([kind, renamed(people.valuesTable)]);
      expect([kind, like(groupsTable).sort()]).toEqual([kind, renamed(people.groupsTable)]);
      expect([kind, like(searchTable)]).toEqual([
        kind,
        expect.arrayContaining(like(people.searchTable).filter((sql) => /text_keys|created_by/.test(sql))),
      ]);
    }
  });

  it("a page of all is read in the order of ids", async () => {
    const { nodes } = await planOf("filter[fullName][not_empty]");
    expect(nodes.filter((node) => node["Sort Key"]?.some((key) => /r\.id/.test(key)))).toEqual([]);
    expect(nodes.map((node) => node["Index Name"])).toContain("person_search_pkey");
  });

  it("the decision has a row for each, and every index that it names is there", async () => {
    const rows = readFileSync(DECISION, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
      .map(([, field = "", , index = ""]) => ({ field, index }));
    const known = await home.database.queryPlanned<{ name: string; sql: string }>(
      "select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public'",
    );
    for (const [filter, row, indexes] of CASES) {
      const described = rows.find(({ field }) => field.startsWith(row));
      expect([filter, described?.field]).toEqual([filter, expect.stringContaining(row)]);
      expect([filter, indexes.filter((name) => !known.some((one) => one.name === name))]).toEqual([filter, []]);
      const columns = /\((text_keys|workspace_id, created_by, id)\)/.exec(described?.index ?? "")?.[1];
      if (columns) expect(known.find(({ name }) => name === indexes[0])?.sql).toContain(columns);
    }
  });
});
