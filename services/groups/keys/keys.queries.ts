import { toId } from "../../../lib/values/ids.ts";

/** A key beside its user, as KEY_COLUMNS reads it from `api_keys k` and `users u`. */
export interface KeyRow {
  id: string;
  userId: string;
  email: string;
  access: "full" | "read";
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

export const KEY_COLUMNS = `k.id, u.id as "userId", u.email, k.access, k.created_at as "createdAt", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt"`;

/** A key as the command line lists it. running.md, "keys list". */
export function presentKey(row: KeyRow) {
  const at = (date: Date | null) => date?.toISOString() ?? null;
  return {
    id: toId("key", row.id),
    user: { id: toId("user", row.userId), email: row.email },
    access: row.access,
    createdAt: at(row.createdAt),
    expiresAt: at(row.expiresAt),
    revokedAt: at(row.revokedAt),
    lastUsedAt: at(row.lastUsedAt),
  };
}
