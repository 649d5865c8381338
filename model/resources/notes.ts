import { author } from "../fields/author.ts";
import { requiredChoice } from "../fields/choice.ts";
import { entity } from "../fields/entity.ts";
import { parentNote } from "../fields/parent-note.ts";
import { requiredText } from "../fields/required-text.ts";
import { createdAt, id } from "../fields/server.ts";
import { seesEntity } from "./entity.ts";
import { defineResource, type Row, type Viewing } from "./resource.ts";

/** Notes on people, companies and objects: docs/guides/notes.md#fields */
export const notes = defineResource({
  kind: "note",
  title: "Note",
  chapter: "Markdown on a person, a company or an object, public or private to its author.",
  table: "notes",
  rowColumns: { createdBy: "created_by" },
  access: {
    sees: ({ catalog, caller }, bind) =>
      `(t.visibility = 'public' or t.created_by = ${bind(caller.userId)}) and ${seesEntity(catalog, caller, bind)}`,
    refuseChange: refuseUnlessAuthor,
  },
  fields: {
    id: id("note"),
    entity: entity(["person", "company", "object"], { fixed: true }),
    // Events say that it has changed, and never what it says. docs/guides/events.md#changes
    content: requiredText("content", {
      max: 100_000,
      example: "Met at the *Royal Society*. Wants a demo in May.",
      untold: true,
    }),
    visibility: requiredChoice("visibility", ["public", "private"]),
    author: author(),
    createdAt: createdAt(),
    parentNote: parentNote(),
  },
});

/** Why a caller may not change a note that they see: only its author may, and admins of the workspace. docs/guides/notes.md#who-sees-what */
function refuseUnlessAuthor({ createdBy }: Row, { caller, catalog }: Viewing): string | null {
  const isAdmin = catalog.users.get(caller.userId)?.role === "admin";
  return createdBy === caller.userId || isAdmin
    ? null
    : "Only the author of a note and admins of the workspace may change or delete it.";
}
