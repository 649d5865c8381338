import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError } from "../../../base/contract/errors.ts";
import { madeAt, newUuid, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog, type Origin } from "../../../engine/events/append.ts";
import { type FindPlace, insertHash } from "./key-places.ts";
import type { KeyRow } from "./keys.present.ts";

/**
 * The caller behind the hash of a key, which is in hexadecimal; undefined for a key that is unknown, revoked or
 * expired, or whose user was removed. `stale` says that its use has to be noted again, which is done at most once a
 * minute.
 */
export async function callerByHash(
  query: Query,
  findPlace: FindPlace,
  hash: string,
): Promise<(Caller & { stale: boolean }) | undefined> {
  const place = await findPlace(hash);
  if (!place) return undefined;
  const [caller] = await query<Caller & { stale: boolean }>(
    `select k.workspace_id as "workspaceId", k.user_id as "userId", k.id as "keyId", k.access,
       coalesce(k.last_used_at < now() - interval '1 minute', true) as stale
     from api_keys k join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
     where k.workspace_id = $1 and k.id = $2 and k.hash = $3
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and u.removed_at is null`,
    [place.workspaceId, place.keyId, Buffer.from(hash, "hex")],
  );
  return caller;
}

/** True if the hash, in hexadecimal, belongs to a key that would be valid if it had not expired. */
export async function isExpiredHash(query: Query, findPlace: FindPlace, hash: string): Promise<boolean> {
  const place = await findPlace(hash);
  if (!place) return false;
  const rows = await query(
    `select 1 from api_keys k join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
     where k.workspace_id = $1 and k.id = $2 and k.hash = $3
       and k.revoked_at is null and k.expires_at <= now() and u.removed_at is null`,
    [place.workspaceId, place.keyId, Buffer.from(hash, "hex")],
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

/** Parts of a key that its successor takes over. */
interface Replaced {
  userId: Uuid;
  access: string;
  name: string | null;
  expiresAt: Date | null;
}

/**
 * Puts a new key in the place of another one, which works until `until` from then on, or until it expires if that is
 * earlier. Runs inside the caller's transaction, and locks the row, so that a key is never rotated twice. Gives the
 * uuid of the new key and when both expire; undefined when there is no such key, or it is revoked, expired or rotated
 * already.
 */
export async function replaceKey(
  query: Query,
  author: Origin,
  uuid: Uuid,
  { hash, prefix, expiresAt }: NewKeyParts,
  until: Date,
): Promise<{ uuid: Uuid; expiresAt: Date | null; oldExpiresAt: Date } | undefined> {
  const { workspaceId } = author;
  const [old] = await query<Replaced>(
    `select user_id as "userId", access, name, expires_at as "expiresAt" from api_keys
     where workspace_id = $1 and id = $2 and successor_id is null and revoked_at is null
       and (expires_at is null or expires_at > now())
     for update`,
    [workspaceId, uuid],
  );
  if (!old) return undefined;
  const made = newUuid();
  const oldExpiresAt = old.expiresAt && old.expiresAt < until ? old.expiresAt : until;
  const newExpiresAt = expiresAt ?? old.expiresAt;
  await Promise.all([
    query("update api_keys set successor_id = $3, expires_at = $4 where workspace_id = $1 and id = $2", [
      workspaceId,
      uuid,
      made,
      oldExpiresAt,
    ]),
    query(
      `insert into api_keys (workspace_id, id, user_id, hash, prefix, access, name, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [workspaceId, made, old.userId, hash, prefix, old.access, old.name, madeAt(made), newExpiresAt],
    ),
    insertHash(query, { workspaceId, keyId: made }, hash),
    tellOfKey(query, author, uuid),
    tellOfKey(query, author, made),
  ]);
  return { uuid: made, expiresAt: newExpiresAt, oldExpiresAt };
}

/** Gives a key a name, or none, inside the caller's transaction. */
export async function nameKey(query: Query, author: Origin, uuid: Uuid, name: string | null): Promise<void> {
  await query("update api_keys set name = $3 where workspace_id = $1 and id = $2", [author.workspaceId, uuid, name]);
  await tellOfKey(query, author, uuid);
}

/** Tells the log that a key was made or changed, in the transaction of the change. */
export function tellOfKey(query: Query, author: Origin, uuid: Uuid): Promise<void> {
  return appendToLog(query, author, [{ type: "key.changed", recordId: uuid, body: {} }]);
}
