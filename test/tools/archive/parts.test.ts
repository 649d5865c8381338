import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { columnsOf } from "../../../model/resources/resource.ts";
import { isRecords, LEFT_OUT, PARTS, type RecordsPart, type TablePart } from "../../../tools/archive/parts.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { type SchemaTable, schemaTables } from "../../support/schema-tables.ts";

let database: TestDatabase;
let tables: SchemaTable[];

beforeAll(async () => {
  database = await testDatabase();
  tables = await schemaTables(database.database.read);
});
afterAll(() => database.drop());

const tableParts = PARTS.filter((part): part is TablePart => !isRecords(part));
const tableOf = (part: TablePart | RecordsPart) => (isRecords(part) ? part.resource.table : part.table);
const columnsOfTable = (table: string) => tables.find(({ name }) => name === table)?.columns ?? [];

test("every table is archived, or left out with a reason (tools/archive/parts.ts)", () => {
  const archived = PARTS.map(tableOf);
  const known = [...archived, ...Object.keys(LEFT_OUT)].toSorted();
  expect(known).toEqual(tables.map(({ name }) => name));
  expect(Object.values(LEFT_OUT)).not.toContain("");
});

test("what is said of columns is said of columns that are there, and has a reason", () => {
  for (const { table, key, without = {} } of tableParts) {
    const names = columnsOfTable(table).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(without), ...key]));
    expect(Object.values(without)).not.toContain("");
  }
});

// Only columns of the type uuid get new ids by themselves when an archive is imported beside the original.
test("of each column that may hold ids in another type it is said whether it does", () => {
  for (const { table, ids = {}, plain = {}, without = {} } of tableParts) {
    const open = columnsOfTable(table).filter(
      ({ name, type }) => /json|\[\]/.test(type) && type !== "uuid[]" && !Object.hasOwn(without, name),
    );
    const said = [...Object.keys(ids), ...Object.keys(plain)].toSorted();
    expect({ table, said }).toEqual({ table, said: open.map(({ name }) => name).toSorted() });
  }
});

test("every column of a record is archived, or left out with a reason", () => {
  for (const { resource, without } of PARTS.filter(isRecords)) {
    const archived = [
      ...Object.values(columnsOf(resource)),
      ...resource.links.map(({ storage }) => storage.column),
      "created_by",
      "memberships",
    ];
    const said = [...new Set([...archived, ...Object.keys(without)])].toSorted();
    const names = columnsOfTable(resource.table).map(({ name }) => name);
    expect(said).toEqual(names.filter((name) => name !== "workspace_id").toSorted());
  }
});
