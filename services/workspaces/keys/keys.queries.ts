import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { madeAt, newUuid, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import type { KeyRow } from "./keys.present.ts";

/**
 * The caller behind the hash of a key; undefined for a key that is unknown, revoked or expired, or whose user was
 * removed. `stale` says that its use has to be noted again, which is done at most once a minute.
 */
export async function callerByHash(query: Query, hash: Buffer): Promise<(Caller & { stale: boolean }) | undefined> {
  const [caller] = await query<Caller & { stale: boolean }>(
    `select k.workspace_id as "workspaceId", k.user_id as "userId", k.id as "keyId", k.access,
       coalesce(k.last_used_at < now() - interval '1 minute', true) as stale
     from api_keys k join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
     where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and u.removed_at is null`,
    [hash],
  );
  return caller;
}

/** True if the hash belongs to a key that would be valid if it had not expired. */
export async function isExpiredHash(query: Query, hash: Buffer): Promise<boolean> {
  const rows = await query(
    `select 1 from api_keys k join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
     where k.hash = $1 and k.revoked_at is null and k.expires_at <= now() and u.removed_at is null`,
    [hash],
  );
  return rows.length > 0;
}

/**
 * Condition by which keys are found: exactly one of the first four. `name` is looked for in one workspace where
 * `workspaceId` names it.
 */
export interface KeyQuestion {
  uuid?: Uuid | undefined;
  hash?: Buffer | undefined;
  prefix?: string | undefined;
  name?: string | undefined;
  workspaceId?: Uuid | undefined;
}

export type FoundKey = KeyRow & { workspaceId: Uuid; workspace: string };

/** The keys that a question is about, the oldest first, with the slugs of their workspaces. At most `max` of them. */
export function findKeys(query: Query, question: KeyQuestion, max: number): Promise<FoundKey[]> {
  const { uuid = null, hash = null, prefix = null, name = null, workspaceId = null } = question;
  return query<FoundKey>(
    `select k.workspace_id as "workspaceId", w.slug as workspace, k.id as uuid, k.user_id as "userId", k.access,
       k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt", k.name, k.prefix,
       k.successor_id as "successorId"
     from api_keys k join workspaces w on w.id = k.workspace_id
     where (k.id = $1 or k.hash = $2 or k.prefix = $3 or k.name = $4) and ($5::uuid is null or k.workspace_id = $5)
     order by k.id limit $6`,
    [uuid, hash, prefix, name, workspaceId, max],
  );
}

/** Names of keys that can be used, and the beginnings of those without one, the oldest first: what a message offers. */
export async function namesOfKeys(query: Query, workspaceId: Uuid | undefined, max: number): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select coalesce(name, prefix) as name from api_keys
     where coalesce(name, prefix) is not null and revoked_at is null and (expires_at is null or expires_at > now())
       and ($1::uuid is null or workspace_id = $1)
     group by 1 order by min(created_at) limit $2`,
    [workspaceId ?? null, max],
  );
  return rows.map(({ name }) => name);
}

/**
 * The key with this id.
 * @throws ApiError 404
 */
export async function keyById(query: Query, keyId: string): Promise<FoundKey> {
  const uuid = uuidOf("key", keyId);
  const [known] = uuid === null ? [] : await findKeys(query, { uuid }, 1);
  if (known) return known;
  throw new ApiError("RESOURCE_NOT_FOUND", `There is no key with the id ${keyId}. "keys list" shows those there are.`);
}

/** Parts of a new key that differ from those of its predecessor. */
export interface NewKeyParts {
  hash: Buffer;
  prefix: string;
  /** Undefined: when the predecessor would have expired. */
  expiresAt: Date | undefined;
}

/**
 * Puts a new key in the place of another one, which works until `until` from then on, or until it expires if that is
 * earlier. Both in one statement, so that a key is never rotated twice. Gives the uuid of the new key and when both
 * expire; undefined when there is no such key, or it is revoked, expired or rotated already.
 */
export async function replaceKey(
  query: Query,
  uuid: Uuid,
  { hash, prefix, expiresAt }: NewKeyParts,
  until: Date,
): Promise<{ uuid: Uuid; expiresAt: Date | null; oldExpiresAt: Date } | undefined> {
  const made = newUuid();
  const [row] = await query<{ expiresAt: Date | null; oldExpiresAt: Date }>(
    `with found as (select workspace_id, id, expires_at from api_keys where id = $1 for update),
     old as (
       update api_keys k set successor_id = $2, expires_at = least(k.expires_at, $3::timestamptz)
       from found where k.workspace_id = found.workspace_id and k.id = found.id and k.successor_id is null
         and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
       returning k.workspace_id, k.user_id, k.access, k.name, k.expires_at as ends_at, found.expires_at
     ),
     made as (
       insert into api_keys (workspace_id, id, user_id, hash, prefix, access, name, created_at, expires_at)
       select workspace_id, $2, user_id, $4, $5, access, name, $6, coalesce($7::timestamptz, expires_at) from old
       returning expires_at
     )
     select made.expires_at as "expiresAt", old.ends_at as "oldExpiresAt" from made, old`,
    [uuid, made, until, hash, prefix, madeAt(made), expiresAt ?? null],
  );
  return row && { uuid: made, ...row };
}

/** Gives a key a name, or none. */
export async function nameKey(query: Query, workspaceId: Uuid, uuid: Uuid, name: string | null): Promise<void> {
  await query("update api_keys set name = $3 where workspace_id = $1 and id = $2", [workspaceId, uuid, name]);
}
