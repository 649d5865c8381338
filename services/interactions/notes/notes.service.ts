import type { ServiceSchema } from "moleculer";
import type { Uuid } from "../../../base/values/ids.ts";
import { searchVector } from "../../../base/values/words.ts";
import { tellOfRow } from "../../../engine/rows/row-events.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { notes } from "../../../model/resources/notes.ts";
import type { Row } from "../../../model/resources/resource.ts";
import { narrowNotes, noteListParams } from "./notes.search.ts";
import { parentOf } from "./notes.threads.ts";

/** Notes on people, companies and objects. docs/guides/notes.md */
export default function notesService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database, "notes");
  return {
    name: "notes",
    actions: resourceActions(notes, store, {
      tell: (writing, change) => tellOfRow(writing, notes, change, readersOf),
      list: { params: noteListParams, narrow: narrowNotes },
      async judge(writing, sent, { entity, current }, issues) {
        const parent = current ? {} : await parentOf(writing, sent, entity, issues);
        const { content } = sent;
        return { ...parent, ...(typeof content === "string" && { search: searchVector(content) }) };
      },
    }),
  };
}

/** The only reader of a private note, its author; undefined for a public one. docs/guides/notes.md#who-sees-what */
function readersOf({ visibility, createdBy }: Row): Uuid[] | undefined {
  return visibility === "private" ? [createdBy as Uuid] : undefined;
}
