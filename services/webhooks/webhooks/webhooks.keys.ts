import type { Caller } from "../../../base/contract/caller.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { OtherColumns } from "../../../engine/rows/rows.ts";
import type { Row } from "../../../model/resources/resource.ts";

/**
 * Column of the keys with which a webhook was made or changed, with the caller's among them. When a key has leaked it
 * tells what goes on after the key has ended. docs/guides/webhooks.md#when-a-key-has-leaked
 */
export function columnOfKeys({ keyId }: Caller, current?: Row): OtherColumns {
  if (keyId === null) return {};
  const before = (current?.keyIds ?? []) as Uuid[];
  return { key_ids: printUuids([...new Set([...before, keyId])]) };
}
