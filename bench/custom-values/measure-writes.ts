import { createHash } from "node:crypto";
import type { Client } from "pg";
import { BIG_GROUP, F, id, personId, WORKSPACE } from "./data.ts";
import type { Batch } from "./design.ts";
import { indexesPerField } from "./design-d.ts";
import { measureUpdates } from "./measure-updates.ts";
import { type Loaded, measure, type Scale, transaction } from "./runs.ts";
import { cell } from "./table.ts";

/** Empty groups added to design D, each with as many indexes as its eight fields need. */
const MORE_GROUPS_IN_D = 8;

/** Leaves behind the inserted people and updated values; removals and deletions are rolled back. `source` is read only. */
export async function measureWrites(designs: Loaded[], source: Client, scale: Scale): Promise<void> {
  const row = (name: string) => ({ chapter: "Writes", row: name });
  await measure(designs, row("insert 100 people"), scale.runs, await inserting(source), { wal: true });
  await measureUpdates(designs, source, scale);

  const thousand = (run: number) => Array.from({ length: 1000 }, (_, n) => personId(1 + run * 1000 + n));
  await measure(designs, row("group off 1,000 people"), 5, ({ client, design }, run) =>
    transaction(client, design.removeGroup(thousand(run)), "rollback"),
  );
  const referenced = await source.query(
    `select distinct "values" -> $1 ->> 0 as person from source where workspace_id = $2 and n between 500 and 520 and "values" ? $1 limit 10`,
    [F.contact, WORKSPACE],
  );
  await measure(designs, row("delete a referenced person"), referenced.rows.length, ({ client, design }, run) =>
    transaction(client, design.forget(referenced.rows[run].person), "rollback"),
  );
  const companies = await source.query("select id from source_companies where workspace_id = $1 limit 10", [WORKSPACE]);
  await measure(designs, row("delete a company of ten people"), companies.rows.length, ({ client, design }, run) =>
    transaction(client, design.removeCompany(companies.rows[run].id), "rollback"),
  );
  for (const loaded of designs) await tryLongText(loaded);
}

/** A text of 5,000 characters that hardly compress: more than a btree entry may hold (2,704 bytes). */
async function tryLongText({ client, design }: Loaded): Promise<void> {
  const long = Array.from({ length: 160 }, (_, n) =>
    createHash("md5").update(String(n)).digest("hex").slice(0, 31),
  ).join(" ");
  const person = {
    workspace_id: WORKSPACE,
    person_id: id("long", 1),
    n: 1,
    full_name: "Long",
    description: "",
    company_ids: [],
    group_id: BIG_GROUP,
    values: { [F.text]: long.slice(0, 5000) },
  };
  try {
    await transaction(client, design.insert(batchOf([person])), "rollback");
    cell("Writes, other", "text of 5,000 characters", design.key, "stored");
  } catch (error) {
    await client.query("rollback");
    cell("Writes, other", "text of 5,000 characters", design.key, `fails: ${(error as Error).message.slice(0, 40)}`);
  }
}

let insertedBatches = 0;
/** Gives a function that inserts 100 new people with eight values each, in a transaction. */
export async function inserting(source: Client): Promise<(loaded: Loaded) => Promise<void>> {
  const template = await source.query(
    `select p.full_name, p.description, p.company_ids, s."values" from source s join source_people p using (n)
     where s.group_number = 1 and s.workspace_id = $1 order by n limit 100`,
    [WORKSPACE],
  );
  return async ({ client, design }) => {
    insertedBatches += 1;
    const people = template.rows.map((row, n) => ({
      workspace_id: WORKSPACE,
      person_id: personId(2_000_000 + insertedBatches * 100 + n),
      n,
      group_id: BIG_GROUP,
      ...row,
    }));
    await transaction(client, design.insert(batchOf(people)), "commit");
  };
}

function batchOf(people: (Record<string, unknown> & { values: unknown })[]): Batch {
  return {
    people: JSON.stringify(people.map(({ values: _, ...person }) => person)),
    peopleWithValues: JSON.stringify(people),
  };
}

/** Inserts once more into D, when it has the indexes of more groups. */
export async function measureMoreGroups(loaded: Loaded, source: Client, runs: number): Promise<void> {
  for (let group = 3; group < 3 + MORE_GROUPS_IN_D; group += 1)
    for (const index of indexesPerField(group)) await loaded.client.query(index);
  const row = `insert 100 people, ${2 + MORE_GROUPS_IN_D} groups of fields`;
  await measure([loaded], { chapter: "Writes", row }, runs, await inserting(source));
}
