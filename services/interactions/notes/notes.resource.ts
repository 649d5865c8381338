import { requiredChoice } from "../../../model/fields/choice.ts";
import { entity } from "../../../model/fields/entity.ts";
import { requiredText } from "../../../model/fields/required-text.ts";
import { createdAt, id } from "../../../model/fields/server.ts";
import { seesEntity } from "../../../model/resources/entity.ts";
import { defineResource } from "../../../model/resources/resource.ts";
import { author } from "./author.ts";
import { refuseUnlessAuthor } from "./notes.rights.ts";
import { parentNote } from "./parent-note.ts";

/** Notes on people, companies and objects: docs/guides/notes.md#fields */
export const notes = defineResource({
  kind: "note",
  title: "Note",
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
