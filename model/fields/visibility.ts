import { oneOf } from "../../base/contract/schema.ts";
import { type Field, inColumn } from "./field.ts";

/** Whether all see a reminder, or its assignees and its creator alone. Tasks call the same `isPublic`. docs/guides/tasks.md#tasks-and-reminders */
export function visibility(): Field {
  const schema = oneOf(["public", "private"]);
  return {
    read: schema,
    write: schema,
    required: true,
    filter: null,
    storage: inColumn("is_public", "boolean", false, {
      store: (sent) => sent === "public",
      present: (stored) => (stored === true ? "public" : "private"),
    }),
  };
}
