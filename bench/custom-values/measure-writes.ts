import { createHash } from "node:crypto";
import type { Client } from "pg";
import { BIG_GROUP, F, id, personId, WORKSPACE } from "./data.ts";
import type { Design, Sql } from "./design.ts";
import { D, indexesPerField } from "./design-d.ts";
import { repeat, type Scale } from "./runs.ts";
import { cell } from "./table.ts";

/** Empty groups added to design D, each with as many indexes as its eight fields need. */
const MORE_GROUPS_IN_D = 8;

/** Leaves behind the inserted people and updated values; removals and deletions are rolled back. */
export async function measureWrites(client: Client, design: Design, { people, runs }: Scale): Promise<void> {
  const before = await walBytes(client);
  const inserts = await timeInsert(client, design, runs);
  cell("Writes", `insert 100 people, ms`, design.key, inserts);
  cell(
    "Writes",
    `insert 100 people, kB of WAL`,
    design.key,
    String(Math.round((Number(await walBytes(client)) - Number(before)) / 1024 / runs)),
  );

  const beforeUpdate = await walBytes(client);
  const updates = await repeat(runs * 8, (run) =>
    transaction(client, design.update(F.number, personId(1 + ((run * 7919) % people)), run), "commit"),
  );
  cell("Writes", "update one value, ms", design.key, updates);
  cell(
    "Writes",
    "update one value, bytes of WAL",
    design.key,
    String(Math.round((Number(await walBytes(client)) - Number(beforeUpdate)) / (runs * 8))),
  );

  const removals = await repeat(5, (run) =>
    transaction(
      client,
      design.removeGroup(Array.from({ length: 1000 }, (_, n) => personId(1 + run * 1000 + n))),
      "rollback",
    ),
  );
  cell("Writes", "group off 1,000 people, ms", design.key, removals);
  const referenced = await client.query(
    `select distinct "values" -> $1 ->> 0 as person from source where workspace_id = $2 and n between 500 and 520 and "values" ? $1 limit 10`,
    [F.contact, WORKSPACE],
  );
  const deletes = await repeat(referenced.rows.length, (run) =>
    transaction(client, design.forget(referenced.rows[run].person), "rollback"),
  );
  cell("Writes", "delete a referenced person, ms", design.key, deletes);

  // 5,000 characters that hardly compress: more than a btree entry may hold (2,704 bytes).
  const long = Array.from({ length: 160 }, (_, n) =>
    createHash("md5").update(String(n)).digest("hex").slice(0, 31),
  ).join(" ");
  const person = [
    {
      workspace_id: WORKSPACE,
      person_id: id("long", 1),
      group_id: BIG_GROUP,
      values: { [F.text]: long.slice(0, 5000) },
    },
  ];
  try {
    await transaction(
      client,
      design.insert.map((sql) => ({ text: sql.text, params: [JSON.stringify(person)] })),
      "rollback",
    );
    cell("Writes", "text of 5,000 characters", design.key, "stored");
  } catch (error) {
    await client.query("rollback");
    cell("Writes", "text of 5,000 characters", design.key, `fails: ${(error as Error).message.slice(0, 40)}`);
  }
}

async function walBytes(client: Client): Promise<string> {
  const result = await client.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes");
  return result.rows[0].bytes;
}

let insertedBatches = 0;
/** Inserts `runs` batches of 100 new people with eight values each, one transaction per batch. */
export async function timeInsert(client: Client, design: Design, runs: number): Promise<string> {
  const template = await client.query(
    `select "values" from source where group_number = 1 and workspace_id = $1 order by n limit 100`,
    [WORKSPACE],
  );
  return repeat(runs, async () => {
    insertedBatches += 1;
    const people = template.rows.map((row, n) => ({
      workspace_id: WORKSPACE,
      person_id: personId(2_000_000 + insertedBatches * 100 + n),
      group_id: BIG_GROUP,
      values: row.values,
    }));
    const body = JSON.stringify(people);
    await transaction(
      client,
      design.insert.map((sql) => ({ text: sql.text, params: [body] })),
      "commit",
    );
  });
}

/** Ends in `end`; a failed statement leaves the transaction open. */
export async function transaction(client: Client, statements: Sql[], end: "commit" | "rollback"): Promise<void> {
  await client.query("begin");
  for (const statement of statements) await client.query(statement.text, statement.params);
  await client.query(end);
}

/** Inserts once more into D, when it has the indexes of more groups. */
export async function measureMoreGroups(client: Client, runs: number): Promise<void> {
  for (let group = 3; group < 3 + MORE_GROUPS_IN_D; group += 1)
    for (const index of indexesPerField(group)) await client.query(index);
  const inserts = await timeInsert(client, D, runs);
  cell("Writes", `insert 100 people, ${2 + MORE_GROUPS_IN_D} groups of fields, ms`, "D", inserts);
}
