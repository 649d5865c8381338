import type { Uuid } from "../base/values/ids.ts";
import { EVENT_TYPE_NAMES, type EventBody, type EventType } from "./events.ts";

/** The fields and the groups of a record, changed by one write: two events, in this order. */
const BOTH = {
  "person.updated+groups_updated": ["person.updated", "person.groups_updated"],
  "company.updated+groups_updated": ["company.updated", "company.groups_updated"],
} as const satisfies Record<string, readonly [EventType, EventType]>;

/** Type of an entry of the log: that of its event, or those of its two events. */
export type LogType = EventType | keyof typeof BOTH;

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
}

/** Content of an entry of the log beside its type and the record: the users who may see its events, and the changes. */
export interface LogBody extends Omit<EventBody, "changes"> {
  changes?: Changed[];
  /** Set in the entry of the deletion of a merged record. */
  merged?: Merged;
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
}

/** The types of the events that an entry makes, in their order. */
export function eventTypesOf(type: LogType): readonly EventType[] {
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
