import type { Caller } from "../../../base/contract/caller.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { OtherColumns } from "../../../engine/rows/rows.ts";
import type { Row } from "../../../model/resources/resource.ts";

/**
 * Column of the keys that created or changed a webhook, including the caller's. When a key has leaked, it shows what
 * continues after the key has ended. docs/guides/webhooks.md#when-a-key-has-leaked
 */
export function columnOfKeys({ keyId }: Caller, current?: Row): OtherColumns {
  if (keyId === null) return {};
  const before = (current?.keyIds ?? []) as Uuid[];
  return { key_ids: printUuids([...new Set([...before, keyId])]) };
}
