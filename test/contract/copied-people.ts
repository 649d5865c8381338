import { newUuid, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { uuidArray } from "../../database/array-parameter.ts";
import type { Database } from "../../database/database.ts";

const ROWS_AT_ONCE = 5000;

/** The columns of a table, and those of a copy of its row `t` with the id of `n`. */
async function columnsOf(database: Database, table: string): Promise<[columns: string, copied: string]> {
  const rows = await database.read<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0
       and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  return [names.join(", "), names.map((name) => (name === "id" ? "n.id" : `t.${name}`)).join(", ")];
}

/**
 * Copies people by SQL, so that a test has many of them soon: their rows, and the words by which they are found, without
 * links, custom values and history. Gives the ids of the copies, the oldest first, and those of their originals.
 */
export async function copyPeople(
  database: Database,
  workspaceId: Uuid,
  originals: readonly string[],
  times: number,
): Promise<{ id: string; of: string }[]> {
  const made = Array.from({ length: times * originals.length }, (_, i) => ({
    uuid: newUuid(),
    of: originals[i % originals.length] ?? "",
  }));
  for (const table of ["people", "person_search"]) {
    const [columns, copied] = await columnsOf(database, table);
    for (let from = 0; from < made.length; from += ROWS_AT_ONCE) {
      const part = made.slice(from, from + ROWS_AT_ONCE);
      await database.read(
        `insert into ${table} (${columns}) select ${copied}
         from unnest($2::uuid[], $3::uuid[]) n (id, original) join ${table} t on t.workspace_id = $1 and t.id = n.original`,
        [
          workspaceId,
          uuidArray(part.map(({ uuid }) => uuid)),
          uuidArray(part.map(({ of }) => uuidOf("person", of) as Uuid)),
        ],
      );
    }
  }
  // PostgreSQL would plan for the few rows of before until it looks by itself.
  await database.read("analyze people, person_search", []);
  return made.map(({ uuid, of }) => ({ id: toId("person", uuid), of }));
}
