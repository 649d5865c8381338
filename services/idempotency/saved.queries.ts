import type { SavedResponse } from "../../base/contract/claim.ts";
import type { Query } from "../../database/query.ts";
import { SEALED } from "../../engine/secrets/cipher.ts";

/** An Idempotency-Key of a user. */
export interface KeyOfUser {
  workspaceId: string;
  userId: string;
  key: string;
}

/** A response as it is stored: of one that is encrypted `body` is null and `sealed` has its bytes. */
export interface StoredResponse extends SavedResponse {
  sealed: Buffer | null;
}

/** The first byte of what is encrypted. Of a long body, PostgreSQL reads no more than its beginning for it. */
const IS_SEALED = `substring(body from 1 for 1) = '\\x${Buffer.of(SEALED).toString("hex")}'`;

/**
 * The responses that are saved under keys and have not expired, in the order of the keys; null where there is none. The plan of
 * this statement is made once, maybe while there are few rows. So that it serves later too, each key is looked up by itself,
 * since a join would read all rows, and the expiry is no condition, since the index of the expiry would be read whole.
 */
export async function findSaved(query: Query, keys: readonly KeyOfUser[]): Promise<(StoredResponse | null)[]> {
  const rows = await query<StoredResponse & { at: number; isKept: boolean }>(
    `select asked.at, fingerprint, status, expires_at > now() as "isKept",
       case when not ${IS_SEALED} then convert_from(body, 'UTF8') end as body, case when ${IS_SEALED} then body end as sealed
     from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as asked (workspace_id, user_id, key, at)
     cross join lateral (
       select * from idempotency_keys saved
       where saved.workspace_id = asked.workspace_id and saved.user_id = asked.user_id and saved.key = asked.key limit 1
     ) one`,
    [keys.map(({ workspaceId }) => workspaceId), keys.map(({ userId }) => userId), keys.map(({ key }) => key)],
  );
  const saved = new Map(rows.map((row) => [row.at, row]));
  return keys.map((_, i) => {
    const row = saved.get(i + 1);
    if (!row?.isKept) return null;
    const { fingerprint, status, body, sealed } = row;
    return { fingerprint, status, body, sealed };
  });
}
