import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { PLACES } from "../../../tools/privacy/places.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { type SchemaTable, schemaTables } from "../../support/schema-tables.ts";

let database: TestDatabase;
let tables: SchemaTable[];

beforeAll(async () => {
  database = await testDatabase();
  tables = await schemaTables(database.database.read);
});
afterAll(() => database.drop());

/** Types of columns in which something of a person can stand, or the id of one. */
const CAN_HOLD = /^(text|character varying|jsonb?|uuid|bytea|tsvector|tsquery|xml)(\[\])?$/;

test("of every table it is said what becomes of a person there (tools/privacy/places.ts)", () => {
  expect(Object.keys(PLACES).toSorted()).toEqual(tables.map(({ name }) => name));
});

test("where rows stay and are not looked through, it is said of every column that could hold something", () => {
  for (const { name: table, columns } of tables) {
    const said = PLACES[table]?.columns;
    if (!said) continue;
    const able = columns.filter(({ name, type }) => name !== "workspace_id" && CAN_HOLD.test(type));
    expect({ table, columns: Object.keys(said).toSorted() }).toEqual({
      table,
      columns: able.map(({ name }) => name).toSorted(),
    });
    expect(Object.values(said)).not.toContain("");
  }
});

test("what is told of a row is a uuid that it has", () => {
  for (const { name: table, columns } of tables) {
    const told = PLACES[table]?.told;
    if (told) expect(columns).toContainEqual({ name: told.id ?? "id", type: "uuid" });
  }
});
