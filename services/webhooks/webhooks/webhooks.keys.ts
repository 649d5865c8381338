import type { Caller } from "../../../lib/contract/caller.ts";
import { printUuids } from "../../../lib/database/uuid-list.ts";
import type { Row } from "../../../lib/resources/resource.ts";
import type { OtherColumns } from "../../../lib/resources/rows.ts";
import type { Uuid } from "../../../lib/values/ids.ts";

/**
 * Column of the keys with which a webhook was made or changed, with the caller's among them. When a key has leaked it tells what goes on
 * after the key has ended. docs/guides/webhooks.md#when-a-key-has-leaked
 */
export function columnOfKeys({ keyId }: Caller, current?: Row): OtherColumns {
  if (keyId === null) return {};
  const before = (current?.keyIds ?? []) as Uuid[];
  return { key_ids: printUuids([...new Set([...before, keyId])]) };
}
