import type { Binder } from "../../../lib/database/binder.ts";
import type { Viewing } from "../../../lib/resources/resource.ts";

/** SQL that is true for the webhooks that a caller sees and changes: their own, and all for an admin. docs/guides/webhooks.md#who-sees-what */
export function seesWebhook({ catalog, caller }: Viewing, bind: Binder): string {
  const isAdmin = catalog.users.get(caller.userId)?.role === "admin";
  return isAdmin ? "true" : `t.created_by = ${bind(caller.userId)}`;
}
