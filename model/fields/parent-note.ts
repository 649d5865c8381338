import { idSchema, nullable, oneOf, reference, Type, timestampSchema } from "../../base/contract/schema.ts";
import { madeAt, toId, type Uuid } from "../../base/values/ids.ts";
import { authorSchema, presentAuthor } from "./author.ts";
import type { Field, FieldView } from "./field.ts";

/** Columns of the parent of a note. */
interface Parent {
  content: string;
  visibility: "public" | "private";
  createdBy: Uuid;
}

const schema = nullable(
  Type.Object(
    {
      id: idSchema("note"),
      entity: Type.Optional(
        Type.Object(
          { id: idSchema("record"), entityType: oneOf(["person", "company", "object"]), fullName: Type.String() },
          { title: "Entity" },
        ),
      ),
      content: Type.Optional(nullable(Type.String())),
      visibility: Type.Optional(oneOf(["public", "private"])),
      author: Type.Optional(authorSchema),
      createdAt: Type.Optional(timestampSchema),
      deleted: Type.Boolean(),
    },
    { title: "ParentNote" },
  ),
);

/**
 * The note that a note replies to. It is shown without its own parent, without its content where the caller may not
 * read it, and by its id alone when it was deleted. docs/guides/notes.md#threads
 */
export function parentNote(): Field {
  return {
    read: schema,
    write: reference("note"),
    fixed: true,
    filter: null,
    storage: {
      shape: "composed",
      reads: {
        parentId: "t.parent_id",
        parent: `(select json_build_object('content', p.content, 'visibility', p.visibility, 'createdBy', p.created_by)
          from notes p where p.workspace_id = t.workspace_id and p.id = t.parent_id)`,
      },
      present: presentParent,
    },
  };
}

function presentParent(row: Record<string, unknown>, view: FieldView): unknown {
  if (row.parentId === null) return null;
  const uuid = row.parentId as Uuid;
  const id = toId("note", uuid);
  if (row.parent === null) return { id, deleted: true };
  const { content, visibility, createdBy } = row.parent as Parent;
  const isRead = visibility === "public" || createdBy === view.caller.userId;
  return {
    id,
    // A reply is about the record that its parent is about.
    entity: view.entity(row),
    content: isRead ? content : null,
    visibility,
    author: presentAuthor(createdBy, view),
    createdAt: madeAt(uuid).toISOString(),
    deleted: false,
  };
}
