import type { SavedResponse } from "../../lib/contract/claim.ts";
import type { Query } from "../../lib/database/query.ts";

/** A key of a user. */
export interface Asked {
  workspaceId: string;
  userId: string;
  key: string;
}

/**
 * The responses that were saved under keys and have not expired, in the order of the keys; null where there is none. Each
 * key is looked up by itself, and the expiry is no condition: planned while there are few rows, a join would read all of
 * them, and so would the index that the purge needs.
 */
export async function findSaved(query: Query, asked: readonly Asked[]): Promise<(SavedResponse | null)[]> {
  const rows = await query<SavedResponse & { at: number; isKept: boolean }>(
    `select asked.at, fingerprint, status, convert_from(body, 'UTF8') as body, expires_at > now() as "isKept"
     from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as asked (workspace_id, user_id, key, at)
     cross join lateral (
       select * from idempotency_keys saved
       where saved.workspace_id = asked.workspace_id and saved.user_id = asked.user_id and saved.key = asked.key limit 1
     ) one`,
    [asked.map(({ workspaceId }) => workspaceId), asked.map(({ userId }) => userId), asked.map(({ key }) => key)],
  );
  const saved = new Map(rows.map((row) => [row.at, row]));
  return asked.map((_, i) => {
    const row = saved.get(i + 1);
    return row?.isKept ? { fingerprint: row.fingerprint, status: row.status, body: row.body } : null;
  });
}
