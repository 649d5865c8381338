import { idSchema, Type } from "../../base/contract/schema.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import { composed, type Field, type FieldView } from "./field.ts";

/** The schema of the author of a note: a user, one who was removed, or an assistant. */
export const authorSchema = Type.Object(
  {
    type: Type.Unsafe<"user" | "assistant">({ type: "string", enum: ["user", "assistant"] }),
    id: Type.Optional(idSchema("user")),
    fullName: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    deleted: Type.Optional(Type.Boolean()),
  },
  { title: "Author" },
);

/** Author of a note. The name and the address of a removed user are left out. docs/guides/notes.md#authors */
export function author(): Field {
  return composed(authorSchema, { createdBy: "t.created_by" }, ({ createdBy }, view) =>
    presentAuthor(createdBy as Uuid, view),
  );
}

/** A user as the author of a note. */
export function presentAuthor(uuid: Uuid, { user }: FieldView): Record<string, unknown> {
  const found = user(uuid);
  const id = toId("user", uuid);
  if (!found || found.removed) return { type: "user", id, deleted: true };
  return { type: "user", id, fullName: found.fullName, email: found.email, deleted: false };
}
