import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { columnsOf } from "../../model/resources/resource.ts";
import type { Archived, Table } from "../../model/table.ts";
import { ALL_TABLES } from "../../model/tables.ts";
import { PARTS } from "../../tools/archive/archived-tables.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type SchemaTable, schemaTables } from "../support/schema-tables.ts";

let database: TestDatabase;
let tables: SchemaTable[];

beforeAll(async () => {
  database = await testDatabase();
  tables = await schemaTables(database.database.read);
});
afterAll(() => database.drop());

/** Types of columns in which something of a person can stand, or the id of one. */
const CAN_HOLD = /^(text|character varying|jsonb?|uuid|bytea|tsvector|tsquery|xml)(\[\])?$/;

const columnsOfTable = (table: string) =>
  (tables.find(({ name }) => name === table)?.columns ?? []).filter(({ name }) => name !== "workspace_id");
const namesIn = (table: string, wanted = /./) =>
  columnsOfTable(table).flatMap(({ name, type }) => (wanted.test(type) ? [name] : []));

test("of every table it is said what an archive does with it, and what becomes of a person there", () => {
  expect(ALL_TABLES.map(({ name }) => name).toSorted()).toEqual(tables.map(({ name }) => name));
});

test("what is said of columns is said of columns that are there", () => {
  for (const { table, key, without = {} } of PARTS)
    expect(namesIn(table)).toEqual(expect.arrayContaining([...Object.keys(without), ...key]));
  for (const { name, resource, erasure } of ALL_TABLES) {
    expect([name, undefined]).toContain(resource?.table);
    if (erasure.told) expect(columnsOfTable(name)).toContainEqual({ name: erasure.toldBy ?? "id", type: "uuid" });
  }
});

test("whatever is said is said in words", () => {
  const wordsOf = ({ without = {}, plain = {} }: Archived) => [...Object.values(without), ...Object.values(plain)];
  const words = ALL_TABLES.flatMap(({ archive, erasure }: Table) => [
    ...(typeof archive === "string" ? [archive] : wordsOf(archive)),
    ...[erasure.becomes, ...Object.values(erasure.columns ?? {})],
  ]);
  expect(words).not.toContain("");
});

// Only columns of the type uuid get new ids by themselves when an archive is imported beside the original.
test("of each column that may hold ids in another type it is said whether it does", () => {
  for (const { table, records, ids = {}, plain = {}, without = {} } of PARTS) {
    if (records) continue;
    const open = namesIn(table, /json|(?<!uuid)\[\]/).filter((name) => !Object.hasOwn(without, name));
    const said = [...Object.keys(ids), ...Object.keys(plain)].toSorted();
    expect({ table, said }).toEqual({ table, said: open.toSorted() });
  }
});

test("every column of a record is archived, or left out with a reason", () => {
  for (const { table, records, without = {} } of PARTS) {
    if (!records) continue;
    const links = records.links.map(({ storage }) => storage.column);
    const archived = [...Object.values(columnsOf(records)), ...links, "created_by", "memberships", "version"];
    expect([...new Set([...archived, ...Object.keys(without)])].toSorted()).toEqual(namesIn(table).toSorted());
  }
});

test("where rows stay and are not searched, it is said of every column that could hold something of a person", () => {
  for (const { name: table, erasure } of ALL_TABLES) {
    if (!erasure.columns) continue;
    expect({ table, said: Object.keys(erasure.columns).toSorted() }).toEqual({
      table,
      said: namesIn(table, CAN_HOLD).toSorted(),
    });
  }
});

test("every table whose rows are about a record of any kind is moved by merges", () => {
  const about = ALL_TABLES.flatMap(({ name, isAbout }) => (isAbout ? [name] : []));
  // Interactions are counted anew, and definitions of fields are about kinds.
  const others = ["interaction_entities", "interaction_counts", "interaction_uncounted"];
  const withEntity = tables.flatMap(({ name }) => (namesIn(name).includes("entity_id") ? [name] : []));
  expect([...about, ...others].toSorted()).toEqual(withEntity.toSorted());
});
