import { idSchema, nullable, oneOf, reference, Type, timestampSchema } from "../../base/contract/schema.ts";
import { madeAt, toId, type Uuid } from "../../base/values/ids.ts";
import { author, authorSchema, presentAuthor } from "../fields/author.ts";
import { requiredChoice } from "../fields/choices.ts";
import { entity } from "../fields/entity.ts";
import type { Field, FieldView } from "../fields/field.ts";
import { createdAt, id } from "../fields/server.ts";
import { requiredText } from "../fields/texts.ts";
import { seesEntity } from "./entity.ts";
import { defineResource, type Row, type Viewer } from "./resource.ts";

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
function parentNote(): Field {
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
          from notes p where p.workspace_id = $1 and p.id = t.parent_id)`,
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

/** Characters of the name by which the trash shows a note. docs/guides/history-and-undo.md#the-trash */
const NAME_LENGTH = 100;

/** SQL for that name, over a row of the table: the beginning of its first line. */
export const NOTE_NAME = `left(split_part(replace(content, E'\\r', ''), E'\\n', 1), ${NAME_LENGTH})`;

/** The same of a content. */
export function noteName(content: string): string {
  const [line = ""] = content.replaceAll("\r", "").split("\n", 1);
  return [...line].slice(0, NAME_LENGTH).join("");
}

/** Notes on people, companies and objects: docs/guides/notes.md#fields */
export const notes = defineResource({
  kind: "note",
  title: "Note",
  chapter: "Markdown on a person, a company or an object, public or private to its author.",
  table: "notes",
  rowColumns: { createdBy: "created_by", version: "version" },
  hasVersions: true,
  access: {
    sees: ({ definitions, caller }, bind) =>
      `(t.visibility = 'public' or t.created_by = ${bind(caller.userId)}) and ${seesEntity(definitions, caller, bind)}`,
    refuseChange: refuseUnlessAuthor,
  },
  fields: {
    id: id("note"),
    entity: entity(["person", "company", "object"], { fixed: true }),
    // Events say that the content has changed, and never contain it. docs/guides/events.md#changes
    content: requiredText("content", {
      max: 100_000,
      example: "Met at the *Royal Society*. Wants a demo in May.",
      untold: true,
      words: "other",
    }),
    visibility: requiredChoice("visibility", ["public", "private"]),
    author: author(),
    createdAt: createdAt(),
    parentNote: parentNote(),
  },
});

/**
 * Why a caller may not change a note that they see: only its author may, and admins of the workspace.
 * docs/guides/notes.md#who-sees-what
 */
function refuseUnlessAuthor({ createdBy }: Row, { caller, definitions }: Viewer): string | null {
  const isAdmin = definitions.users.get(caller.userId)?.role === "admin";
  return createdBy === caller.userId || isAdmin
    ? null
    : "Only the author of a note and admins of the workspace may change or delete it.";
}
