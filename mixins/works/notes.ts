import { judgeNote } from "../../engine/things/judge-note.ts";
import { noteTelling } from "../../engine/things/note-telling.ts";
import { notes } from "../../model/resources/notes.ts";
import { changeableRows, type RowRules } from "./rows.ts";
import { worksOf } from "./things.ts";

/** Rules of notes. docs/guides/notes.md */
export const noteRules: RowRules = { telling: noteTelling, judge: judgeNote };

/** The writes of notes. */
export const noteWorks = worksOf(changeableRows(notes, noteRules));
