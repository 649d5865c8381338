import type { Binder } from "../../database/binder.ts";
import { visibleGroups } from "../../model/definitions/roles.ts";
import { companies } from "../../model/resources/companies.ts";
import { notes } from "../../model/resources/notes.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { tasks } from "../../model/resources/tasks.ts";

/** A kind of thing that is searched for, and the table with its words. Its row is `t` in statements. */
export interface SearchType {
  kind: "person" | "company" | "object" | "note" | "task";
  table: string;
  /** Set for records. */
  record?: RecordType;
  /** The column of the person whose last interaction counts; null for things without interactions. */
  contact: "id" | "entity_id" | null;
  /** SQL that is true for the rows that a caller sees. */
  sees(viewing: Viewer, bind: Binder): string;
}

export const SEARCH_TYPES: readonly SearchType[] = [
  { kind: "person", table: people.searchTable, record: people, contact: "id", sees: () => "true" },
  { kind: "company", table: companies.searchTable, record: companies, contact: null, sees: () => "true" },
  { kind: "object", table: objects.searchTable, record: objects, contact: null, sees: seesObject },
  { kind: "note", table: notes.table, contact: "entity_id", sees: notes.access.sees },
  { kind: "task", table: tasks.table, contact: "entity_id", sees: tasks.access.sees },
];

/** The kinds of things that a search finds, by their words in answers. */
export const SEARCH_KINDS = SEARCH_TYPES.map(({ kind }) => kind);

function seesObject({ definitions, caller }: Viewer, bind: Binder): string {
  const visible = visibleGroups(definitions, caller);
  if (visible.length === definitions.groups.size) return "true";
  const types = visible.flatMap(({ objectTypes }) => objectTypes.map(({ uuid }) => uuid));
  return `t.object_type_id = any(${bind(types, "uuid[]")})`;
}
