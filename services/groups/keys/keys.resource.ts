import { choice } from "../../../lib/fields/choice.ts";
import { createdAt, id } from "../../../lib/fields/server.ts";
import { timestamp } from "../../../lib/fields/timestamp.ts";
import { defineResource } from "../../../lib/resources/resource.ts";

/** An API key. The key itself is not kept, only its hash. docs/guides/access.md#api-keys */
export const keys = defineResource({
  kind: "key",
  title: "Key",
  table: "api_keys",
  rowColumns: { workspaceId: "workspace_id", userId: "user_id", hash: "hash" },
  fields: {
    id: id("key"),
    access: choice("access", ["full", "read"], { unset: "full", filter: null }),
    createdAt: createdAt(),
    expiresAt: timestamp("expires_at"),
    revokedAt: timestamp("revoked_at"),
    lastUsedAt: timestamp("last_used_at"),
  },
});
