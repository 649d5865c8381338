import type { RecordKind, Uuid } from "../base/values/ids.ts";
import type { StoredValue } from "./custom-fields/type.ts";
import { EVENT_TYPE_NAMES, type EventBody, type EventType } from "./events.ts";

/** The fields and the groups of a record, changed by one write: two events, in this order. */
const BOTH = {
  "person.updated+groups_updated": ["person.updated", "person.groups_updated"],
  "company.updated+groups_updated": ["company.updated", "company.groups_updated"],
} as const satisfies Record<string, readonly [EventType, EventType]>;

/**
 * Kinds of things whose changes stand in the log and make no events of their own, and the verbs of these changes. A
 * record that was made as a reminder has the types of the events of reminders, unless a change shows in tasks alone.
 */
const SILENT = {
  task: ["created", "updated", "deleted"],
  interaction: ["created", "updated", "deleted"],
  // A record that others were merged into, where nothing else of it changed.
  person: ["merged", "tied"],
  company: ["merged", "tied"],
  object: ["merged", "tied"],
  group: ["changed"],
  member: ["changed"],
  customField: ["changed"],
  user: ["changed"],
  key: ["changed"],
  webhook: ["changed"],
} as const;

type SilentType = { [Kind in keyof typeof SILENT]: `${Kind}.${(typeof SILENT)[Kind][number]}` }[keyof typeof SILENT];

/** Type of an entry of the log: that of its event, those of its two events, or one without events. */
export type LogType = EventType | keyof typeof BOTH | SilentType;

const SILENT_TYPES: ReadonlySet<string> = new Set(
  Object.entries(SILENT).flatMap(([kind, verbs]) => verbs.map((verb) => `${kind}.${verb}`)),
);

/**
 * Reference to a text that stands in the table `log_texts`, in the place of the text. It is no value of a client: those
 * are texts and numbers, lists of texts, and references by `id`.
 * docs/decisions/0013-events.md#long-texts
 */
export interface LongText {
  textId: Uuid;
}

/** Whether a changed value is such a reference. */
export function isLongText(value: unknown): value is LongText {
  return typeof value === "object" && value !== null && "textId" in value;
}

/** A changed value, as answers show it; null for one that is unset. Lists and references name entries by their ids. */
export interface Changed {
  path: string[];
  before: unknown;
  after: unknown;
  /** True for texts that events do not tell. docs/guides/events.md#changes */
  untold?: true;
  /** The custom field of the value, whose name may be another one by now. */
  field?: Uuid;
  /** The stored values of a field with options, whose labels may be others by now; null for one that is unset. */
  stored?: [before: StoredValue | null, after: StoredValue | null];
  /** True for what no answer shows, and an undo needs. */
  hidden?: true;
}

/** Content of an entry of the log beside its type and the record: the users who may see its events, and the changes. */
export interface LogBody extends Omit<EventBody, "changes"> {
  changes?: Changed[];
  /** In the deletion of a note or a task: what the trash calls it. */
  name?: string;
  /** In the deletion of a note or a task that went with its record, and in its return with it: that record. */
  via?: Reference;
  /** In the deletion of a merged record: the record that it was merged into. */
  into?: Uuid;
  /** In the deletion of a merged record, in entries of earlier releases. */
  merged?: Merged;
}

/** A thing that an entry refers to. */
export interface Reference {
  kind: RecordKind;
  id: Uuid;
}

/** Part of an entry that history and undo read, and that no event tells. */
export interface LogMore {
  /**
   * Further changes: the values of a new note, task or interaction, values that went with a group, and of a record that
   * was made as a reminder the changes as tasks show them. Entries of earlier releases have those of new records here.
   */
  changes?: Changed[];
  /** In the creation of a record: what was set. */
  made?: Made;
  /** In a deletion: what is needed to bring the thing back. */
  gone?: Gone;
  /** In the entry of a survivor: the records that were merged into it. */
  merged?: { id: Uuid; name: string }[];
  /** Links of a record that is in the trash to one that was restored meanwhile, or from one. */
  ties?: Tie[];
}

/**
 * The values of a new record, as answers show them, without those that are unset. Every create writes it, so it is
 * shorter than a list of changes (`changesIn`).
 */
export interface Made {
  /** Fields and links, by name. References name their things by id. */
  fields: Record<string, unknown>;
  /** The groups of the record by their ids, with its values there; those of an object under `object`. */
  groups?: Record<string, MadeValue[]>;
}

/** A custom value of a new record. */
export type MadeValue = [field: Uuid, name: string, value: unknown];

/** A deleted thing, with what was deleted or changed because of it. */
export interface Gone {
  /** Row of a record, by the names of fields. */
  row?: Record<string, unknown>;
  /** The text in `log_texts` that holds the row of a note, a task or an interaction as JSON. */
  rowText?: Uuid;
  /** Entries of lists of other records that named it. */
  ties?: Tie[];
  /** Notes and tasks that went with it. */
  about?: Uuid[];
  /** The texts in `log_texts` that hold the interactions that went with it, as JSON. */
  interactionTexts?: Uuid[];
  /** Records that were merged into it before. */
  aliases?: Uuid[];
  /** In a merge: what is about the survivor since. */
  moved?: Moved;
}

/** Rows that a merge has moved to the survivor. */
export interface Moved {
  notes?: Uuid[];
  tasks?: Uuid[];
  enrichments?: Uuid[];
  /** The text in `log_texts` that holds the interactions, with their places, as JSON. */
  interactionText?: Uuid;
}

/** An entry of a list of a record that names another one. */
export interface Tie {
  /** The record with the list. */
  owner: Reference;
  /** The record that the list names. */
  to: Reference;
  /** The list: the name of a field of links, or a custom field of a group. */
  list: string | { groupId: Uuid; fieldId: Uuid };
  /** The place in the list, from 0. */
  place: number;
  /** In a merge: true if the list names the survivor too. */
  isShared?: true;
}

/** Merge of a record into another one, the survivor. docs/guides/merging.md#history */
interface Merged {
  into: Uuid;
  /** The row of the merged record. */
  before: Record<string, unknown>;
  /** The row of the survivor. Only entries from before the log have it, since those of survivors tell no old values. */
  survivorBefore?: Record<string, unknown>;
}

/** An entry that is to be appended to the log. */
export interface LogEntry {
  type: LogType;
  recordId: Uuid;
  body: LogBody;
  /** JSON text (`moreText`). As objects it would live on until the entry is appended. */
  more?: string;
}

/** The part of an entry that history and undo read, as it is appended. */
export function moreText(more: LogMore): string {
  return JSON.stringify(more);
}

/** The types of the events that an entry makes, in their order. */
export function eventTypesOf(type: LogType): readonly EventType[] {
  if (SILENT_TYPES.has(type)) return [];
  return type in BOTH ? BOTH[type as keyof typeof BOTH] : [type as EventType];
}

/** The types of entries that make two events. */
export const DOUBLE_TYPES = Object.keys(BOTH) as (keyof typeof BOTH)[];

/** The types of entries that make events of these types. */
export function logTypesOf(types: readonly EventType[] = EVENT_TYPE_NAMES): LogType[] {
  const both = DOUBLE_TYPES.filter((type) => BOTH[type].some((one) => types.includes(one)));
  return [...types, ...both];
}

/** The type of an entry for the changes of a record: of its fields, of its groups, or of both. */
export function updatedType(kind: string, isChanged: { fields: boolean; groups: boolean }): LogType {
  const verbs = [...(isChanged.fields ? ["updated"] : []), ...(isChanged.groups ? ["groups_updated"] : [])];
  return `${kind}.${verbs.join("+")}` as LogType;
}
