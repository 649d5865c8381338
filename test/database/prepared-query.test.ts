import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { Client } from "../../database/client.ts";
import { formOptions } from "../../database/statement.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";

let test: TestDatabase;
let client: Client;
let described = 0;

beforeAll(async () => {
  test = await testDatabase();
  await test.database.knex.raw("create table items (id int primary key, label text, made date)");
});

afterAll(() => test.drop());

beforeEach(async () => {
  client = new Client({ connectionString: test.url, pipeline: true });
  await client.connect();
  const connection = client.connection as unknown as { describe(message: object): void };
  const describe = connection.describe.bind(connection);
  described = 0;
  connection.describe = (message) => {
    described += 1;
    describe(message);
  };
});

afterEach(() => client.end());

/** Runs a statement with a name through pg's callback, as the code of this folder does. */
function run(name: string, text: string, values: unknown[] = [], form?: "texts"): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    client.query({ name, text, values, ...formOptions(form) }, (error, result) =>
      error ? reject(error) : resolve(result.rows),
    );
  });
}

it("asks once for the columns of a statement, and gives the same rows each time, in both forms", async () => {
  const text = "select n, n * 2 as twice, null as none from generate_series(1, $1::int) n";
  const parsed = [
    { n: 1, twice: 2, none: null },
    { n: 2, twice: 4, none: null },
  ];
  for (let i = 0; i < 3; i += 1) expect(await run("series", text, [2])).toEqual(parsed);
  expect(described).toBe(1);
  const sent = [
    ["1", "2", null],
    ["2", "4", null],
  ];
  for (let i = 0; i < 3; i += 1) expect(await run("series", text, [2], "texts")).toEqual(sent);
  expect(described).toBe(2);
  expect(await run("series", text, [2])).toEqual(parsed);
  expect(await run("series", text, [0])).toEqual([]);
  expect(described).toBe(2);
});

it("asks once for a statement without rows, and tells its errors each time", async () => {
  const insert = () => run("insert", "insert into items (id) values ($1)", [7]);
  expect(await insert()).toEqual([]);
  for (let i = 0; i < 2; i += 1) await expect(insert()).rejects.toMatchObject({ code: "23505" });
  expect(await run("insert", "insert into items (id) values ($1)", [8])).toEqual([]);
  expect(described).toBe(1);
});

it("asks again for a statement that has failed before its columns were known", async () => {
  const divide = (by: number) => run("divide", "select 6 / $1::int as n", [by]);
  await expect(divide(0)).rejects.toMatchObject({ code: "22012" });
  expect(await divide(2)).toEqual([{ n: 3 }]);
  expect(await divide(3)).toEqual([{ n: 2 }]);
  expect(described).toBe(2);
});

it("keeps answers apart of statements that are sent together, some known and some not", async () => {
  const one = () => run("one", "select 1 as one");
  await one();
  const answers = await Promise.allSettled([
    one(),
    run("two", "select 2 as two"),
    one(),
    run("bad", "select 1 / 0"),
    one(),
  ]);
  expect(answers.map((answer) => (answer.status === "fulfilled" ? answer.value : answer.reason.code))).toEqual([
    [{ one: 1 }],
    [{ two: 2 }],
    [{ one: 1 }],
    "22012",
    [{ one: 1 }],
  ]);
});

it("fails when the columns of a table have changed, instead of giving values under wrong names", async () => {
  await run("items", "select * from items order by id");
  await test.database.knex.raw("alter table items drop column label");
  await expect(run("items", "select * from items order by id")).rejects.toMatchObject({ code: "0A000" });
});
