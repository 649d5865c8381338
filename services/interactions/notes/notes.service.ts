import type { ServiceSchema } from "moleculer";
import { resourceActions } from "../../../actions/resource-actions.ts";
import type { ServiceContext } from "../../../actions/service-context.ts";
import { tellOfRow } from "../../../lib/resources/row-events.ts";
import { storeOf } from "../../../lib/store/store.ts";
import { searchVector } from "../../../lib/values/words.ts";
import { notes } from "./notes.resource.ts";
import { readersOf } from "./notes.rights.ts";
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
