import type { RecordKind } from "../../base/values/ids.ts";
import type { ColumnStorage, FilterKind, LinksStorage } from "../fields/field.ts";
import { defineResource, type Resource, type ResourceDefinition } from "./resource.ts";
import { type SearchPlaces, searchPlaces } from "./search-places.ts";

/** A resource whose things are records: people, companies or objects. */
export interface RecordTypeDefinition extends ResourceDefinition {
  kind: RecordKind;
  /**
   * The number of search places that the table had in its first migration. Every row without a text in one of these fields
   * has a key that says so, by which `empty` finds it. Rows that are older than a later field have no key for it, so the
   * number stays when fields are added.
   */
  initialPlaces: Record<keyof SearchPlaces, number>;
  /** The field by which links, custom values and lists of the others show a record. */
  nameField: string;
  /** Filters by when somebody was last in touch with a record: name of the field → anybody of the workspace, or the caller. */
  activityFilters?: Record<string, "anybody" | "caller">;
}

/** Parts of records beyond those of a resource: groups with custom values, links to each other, and aliases. */
export interface RecordType extends RecordTypeDefinition, Resource {
  kind: RecordKind;
  /** Tables beside the record's own, which are indexes of it: its groups, its custom values, and what filters look at. */
  groupsTable: string;
  valuesTable: string;
  searchTable: string;
  /** The column that holds the record's id in tables beside its own. */
  ownColumn: string;
  /** The column of `nameField`. */
  label: string;
  links: { name: string; storage: LinksStorage }[];
  /** Dates and numbers, which filters compare. The search table has their columns, too. */
  compared: { name: string; storage: ColumnStorage }[];
  /** Texts and choices, by whose keys filters find a record. */
  searched: { name: string; storage: ColumnStorage }[];
  searchPlaces: SearchPlaces;
}

/** A record type from its table of fields. Its tables are named after its kind. */
export function defineRecordType(definition: RecordTypeDefinition): RecordType {
  const fields = Object.entries(definition.fields);
  const columnsOf = (...kinds: FilterKind[]) =>
    fields.flatMap(([name, { filter, storage }]) =>
      storage.shape === "column" && filter !== null && kinds.includes(filter) ? [{ name, storage }] : [],
    );
  const resource = defineResource(definition);
  const label = resource.columns.find(({ name }) => name === definition.nameField)?.storage.column;
  if (label === undefined) throw new Error(`${definition.title} has no field "${definition.nameField}".`);
  return {
    ...resource,
    groupsTable: `${definition.kind}_groups`,
    valuesTable: `${definition.kind}_values`,
    searchTable: `${definition.kind}_search`,
    ownColumn: `${definition.kind}_id`,
    label,
    links: fields.flatMap(([name, { storage }]) => (storage.shape === "links" ? [{ name, storage }] : [])),
    compared: columnsOf("DATE", "NUMBER"),
    searched: columnsOf("TEXT", "CHOICE"),
    searchPlaces: searchPlaces(definition.title, definition.fields),
  };
}
