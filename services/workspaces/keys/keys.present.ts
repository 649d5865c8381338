import { toId, type Uuid } from "../../../base/values/ids.ts";
import { presentRow } from "../../../engine/rows/rows.ts";
import type { User } from "../../../model/definitions/definitions.ts";
import { keys } from "../../../model/resources/keys.ts";

/** A row of keys without the hash. */
export interface KeyRow {
  uuid: Uuid;
  userId: Uuid;
  successorId: Uuid | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  [field: string]: unknown;
}

/** `rotating` is a key that was rotated and still works. docs/guides/keys.md#states-of-keys */
export type KeyState = "active" | "rotating" | "expired" | "revoked";

/** State of a key at this moment. */
export function stateOf({ revokedAt, expiresAt, successorId }: KeyRow, now: Date): KeyState {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt <= now) return "expired";
  return successorId ? "rotating" : "active";
}

/** A key as the command line lists it. docs/guides/keys.md */
export function presentKey(row: KeyRow, user: User | undefined, now: Date) {
  const { id, ...rest } = presentRow(keys, row);
  return {
    id: String(id),
    user: { id: user?.id ?? null, email: user?.email ?? null },
    ...rest,
    state: stateOf(row, now),
    replacedBy: row.successorId ? toId("key", row.successorId) : null,
  };
}
