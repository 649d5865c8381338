import type { Query } from "./query.ts";

/** Whether the database is one of Citus. docs/guides/citus.md */
export async function hasCitus(query: Query): Promise<boolean> {
  const [row] = await query<{ has: boolean }>(
    "/* background */ select exists (select from pg_extension where extname = 'citus') as has",
    [],
  );
  return row?.has ?? false;
}
