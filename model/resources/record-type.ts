import type { RecordKind } from "../../base/values/ids.ts";
import type { ColumnStorage, Field, FilterKind, LinksStorage } from "../fields/field.ts";
import { defineResource, type Resource, type ResourceDefinition } from "./resource.ts";

/** A resource whose things are records: people, companies or objects. */
export interface RecordTypeDefinition extends ResourceDefinition {
  kind: RecordKind;
  /**
   * The number of search places that the table had in its first migration. Every row without a text in one of these
   * fields has a key that says so, by which `empty` finds it. Rows that are older than a later field have no key for
   * it, so the number stays when fields are added.
   */
  initialPlaces: Record<keyof SearchPlaces, number>;
  /** The field with which links, custom values and lists show a record. */
  nameField: string;
  /**
   * Filters by the time of the last contact with a record: name of the field → contact with anybody of the workspace,
   * or with the caller.
   */
  activityFilters?: Record<string, "anybody" | "caller">;
  /** Whether records are found by their e-mail addresses, phones and URLs, however these are written. */
  isFoundByAddresses?: boolean;
}

/** Parts of records beyond those of a resource: groups with custom values, links to each other, and aliases. */
export interface RecordType extends RecordTypeDefinition, Resource {
  kind: RecordKind;
  /**
   * Tables beside the record's own, which are indexes of it: its groups, its custom values, and what filters look at.
   */
  groupsTable: string;
  valuesTable: string;
  searchTable: string;
  /** Null for records that are not found by their addresses. */
  addressesTable: string | null;
  /** The column that holds the record's id in tables beside its own. */
  recordIdColumn: string;
  /** The column of `nameField`. */
  label: string;
  links: { name: string; storage: LinksStorage }[];
  /** Dates and numbers, which filters compare. The search table has their columns, too. */
  compared: { name: string; storage: ColumnStorage }[];
  /** Texts and choices whose keys filters use to find a record. */
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
  const resource = defineResource({ ...definition, hasVersions: true });
  const label = resource.columns.find(({ name }) => name === definition.nameField)?.storage.column;
  if (label === undefined) throw new Error(`${definition.title} has no field "${definition.nameField}".`);
  return {
    ...resource,
    groupsTable: `${definition.kind}_groups`,
    valuesTable: `${definition.kind}_values`,
    searchTable: `${definition.kind}_search`,
    addressesTable: definition.isFoundByAddresses ? `${definition.kind}_addresses` : null,
    recordIdColumn: `${definition.kind}_id`,
    label,
    links: fields.flatMap(([name, { storage }]) => (storage.shape === "links" ? [{ name, storage }] : [])),
    compared: columnsOf("DATE", "NUMBER"),
    searched: columnsOf("TEXT", "CHOICE"),
    searchPlaces: searchPlaces(definition.title, definition.fields),
  };
}

/** Names of text fields by their search place: place 1 comes first. Null stands for a place that no field has. */
interface SearchPlaces {
  texts: readonly (string | null)[];
  lists: readonly (string | null)[];
}

/**
 * Which field's text stands at which place of `folded_texts`, and which list's texts at which place of `folded_lists`.
 * Every stored row and the statistics of the migrations depend on it. Therefore a field names its place itself,
 * wherever its line stands in the table of fields; and a place that was ever taken is never given to another field,
 * because rows that were made before still have the old text there.
 * @throws Error naming the field whose place is missing, wrong or taken
 */
function searchPlaces(title: string, fields: Record<string, Field>): SearchPlaces {
  const texts: [string, Field][] = [];
  const lists: [string, Field][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const { storage, filter, searchPlace } = field;
    if (storage.shape === "column" && filter === "TEXT")
      (Array.isArray(storage.unset) ? lists : texts).push([name, field]);
    else if (searchPlace !== undefined)
      throw new Error(`${title}: "${name}" has a searchPlace, but is no text that filters find.`);
  }
  return { texts: inOrder(title, texts), lists: inOrder(title, lists) };
}

function inOrder(title: string, fields: [string, Field][]): (string | null)[] {
  const names = new Map<number, string>();
  const highest = Math.floor(Math.max(0, ...fields.map(([, { searchPlace = 0 }]) => searchPlace)));
  const free = `The next that is free is ${highest + 1}.`;
  for (const [name, { searchPlace: place = 0 }] of fields) {
    if (!Number.isInteger(place) || place < 1)
      throw new Error(`${title}: "${name}" needs a searchPlace, a whole number from 1 on. ${free}`);
    const other = names.get(place);
    if (other !== undefined)
      throw new Error(`${title}: "${other}" and "${name}" have the searchPlace ${place}. ${free}`);
    names.set(place, name);
  }
  return Array.from({ length: highest }, (_, i) => names.get(i + 1) ?? null);
}
