import { type Id, type IdKind, toId, type Uuid } from "../base/values/ids.ts";

/** Kind of thing that an event is about. */
export type EventKind = Extract<IdKind, "person" | "company" | "object" | "note" | "reminder">;

/** All types of events, in the order of docs/guides/events.md#types: what each is about. */
export const EVENT_TYPES = {
  "person.created": "person",
  "person.updated": "person",
  "person.deleted": "person",
  "person.groups_updated": "person",
  "person.workspace_interaction_metadata_updated": "person",
  "company.created": "company",
  "company.updated": "company",
  "company.deleted": "company",
  "company.groups_updated": "company",
  "object.created": "object",
  "object.updated": "object",
  "object.deleted": "object",
  "note.created": "note",
  "note.updated": "note",
  "note.deleted": "note",
  "reminder.created": "reminder",
  "reminder.updated": "reminder",
  "reminder.deleted": "reminder",
  "reminder.triggered": "reminder",
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENT_TYPES;

/** The id of the record, note or reminder that an event is about. */
export function subjectId({ type, recordId }: { type: EventType; recordId: Uuid }): Id {
  return toId(EVENT_TYPES[type], recordId);
}

/** One entry of the `changes` of an event. docs/guides/events.md#changes */
export interface Change {
  path: string[];
  type: "add" | "remove" | "set";
  /** The new value of a scalar, absent when it was cleared; of a list, the entries that were added or removed. */
  value?: unknown;
}

/** Content of an event beside its type and the record: its readers and its changes. */
export interface EventBody {
  /**
   * The group of the object, or of the object that the note or reminder is about. Users who do not see it see nothing
   * of the event.
   */
  home?: Uuid;
  /**
   * For a moved reminder the group of the object that it was about before. Users who do not see the group do not see
   * that object.
   */
  leftHome?: Uuid;
  /** The name of the object's type. */
  objectType?: string;
  /** The groups of a person or a company after the change, or before it was deleted. */
  groups?: Uuid[];
  /** The only users who see a private thing. */
  users?: Uuid[];
  changes?: Change[];
  details?: Record<string, unknown>;
}

/** An event that is to be written. */
export interface EventDraft {
  type: EventType;
  recordId: Uuid;
  body: EventBody;
}
