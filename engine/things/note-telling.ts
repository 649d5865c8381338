import type { Uuid } from "../../base/values/ids.ts";
import { noteName, notes } from "../../model/resources/notes.ts";
import type { RowTelling } from "../rows/row-events.ts";

/** Notes in the log: all of them have events. docs/guides/events.md#which-events-a-change-makes */
export const noteTelling: RowTelling = {
  table: "notes",
  shown: notes,
  asShown: (row) => row,
  told: () => ({ resource: notes, asTold: (row) => row }),
  hidden: [],
  // Only the author reads a private note. docs/guides/notes.md#who-sees-what
  readers: ({ visibility, createdBy }) => (visibility === "private" ? [createdBy as Uuid] : undefined),
  name: ({ content }) => noteName(String(content)),
};
