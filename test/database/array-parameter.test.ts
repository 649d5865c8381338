import { expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { textArray, uuidArray } from "../../database/array-parameter.ts";
import { useHome } from "../support/home.ts";

const home = useHome();

async function read(type: string, value: Buffer): Promise<unknown> {
  const [row] = await home.database.read<{ list: unknown }>(
    `select array(select v::text from unnest($1::${type}[]) with ordinality given (v, n) order by n) as list`,
    [value],
  );
  return row?.list;
}

it.each([
  ["none", []],
  ["one", ["01234567-89ab-cdef-0123-456789abcdef"]],
  ["those with nulls", [null, newUuid(), undefined, "ffffffff-ffff-ffff-ffff-ffffffffffff"]],
  ["many", Array.from({ length: 1000 }, () => newUuid())],
] as [string, (Uuid | null | undefined)[]][])("PostgreSQL reads uuids as they are: %s", async (_, uuids) => {
  expect(await read("uuid", uuidArray(uuids))).toEqual(uuids.map((uuid) => uuid ?? null));
});

it.each([
  ["none", []],
  ["empty ones and nulls", ["", null, "a", undefined, "NULL"]],
  ["those that would need quotes", ['{"a",b}', "\\", '"', " x ", "\n", "a,b"]],
  ["those of several bytes a letter", ["é", "李", "😀", "x".repeat(100_000), "ß".repeat(70_000)]],
])("PostgreSQL reads texts as they are: %s", async (_, texts) => {
  expect(await read("text", textArray(texts))).toEqual(texts.map((text) => text ?? null));
});

it("PostgreSQL reads JSON as it is", async () => {
  const texts = ['{"a": [1, "\\n"]}', null, "[]"];
  expect(await read("json", textArray(texts, "json"))).toEqual(texts);
});
