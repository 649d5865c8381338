import type { Query } from "./query.ts";

/** Name of the row in the table `settings`. A backup is of all workspaces, so none of their tables can hold it. */
const SETTING = "last_backup";

/**
 * Notes in the database that a backup of it is finished, as of this moment. An older one does not replace it.
 * docs/guides/backups.md#the-age-of-the-last-backup
 * @throws the error of PostgreSQL, also for a role that may not write
 */
export async function noteBackup(query: Query, createdAt: string): Promise<void> {
  await query(
    `insert into settings as s (name, value) values ($1, jsonb_build_object('createdAt', $2::text))
     on conflict (name) do update set value = excluded.value
     where (s.value->>'createdAt')::timestamptz < (excluded.value->>'createdAt')::timestamptz`,
    [SETTING, createdAt],
  );
}

/**
 * The moment whose state the last finished backup has, in milliseconds since 1970; null when the command has made none.
 */
export async function lastBackupMs(query: Query): Promise<number | null> {
  const [row] = await query<{ ms: number }>(
    "/* background */ select extract(epoch from (value->>'createdAt')::timestamptz)::float8 * 1000 as ms from settings where name = $1",
    [SETTING],
  );
  return row?.ms ?? null;
}
