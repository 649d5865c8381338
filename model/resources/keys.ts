import { choice } from "../fields/choices.ts";
import { createdAt, id } from "../fields/server.ts";
import { nullableText } from "../fields/texts.ts";
import { timestamp } from "../fields/times.ts";
import { defineResource } from "./resource.ts";

/** Maximum number of characters in the name of a key. */
export const KEY_NAME_LENGTH_MAX = 100;

/** An API key. The key itself is not kept, only its hash. docs/guides/access.md#api-keys */
export const keys = defineResource({
  kind: "key",
  title: "Key",
  table: "api_keys",
  rowColumns: { workspaceId: "workspace_id", userId: "user_id", hash: "hash", successorId: "successor_id" },
  fields: {
    id: id("key"),
    access: choice("access", ["full", "read"], { unset: "full", filter: null }),
    createdAt: createdAt(),
    expiresAt: timestamp("expires_at"),
    revokedAt: timestamp("revoked_at"),
    lastUsedAt: timestamp("last_used_at"),
    name: nullableText("name", { max: KEY_NAME_LENGTH_MAX }),
    prefix: nullableText("prefix", { max: 12 }),
  },
});
