import { type Id, toId, type Uuid } from "../base/values/ids.ts";

/**
 * Kind of thing that an event is about → the list in which it is found, null for objects, whose path names group and
 * type; and the members that filters of webhooks may have for its events. docs/guides/webhooks.md#filters
 */
const KINDS = {
  person: { list: "people", filters: ["groupId"] },
  company: { list: "companies", filters: ["groupId"] },
  object: { list: null, filters: ["groupId", "objectType"] },
  note: { list: "notes", filters: [] },
  reminder: { list: "reminders", filters: [] },
} as const;

export type EventKind = keyof typeof KINDS;

interface EventTypeDefinition {
  kind: EventKind;
  /** Meaning of its events, for the OpenAPI document. */
  summary: string;
  /** Whether filters may name the path of a change, and its value. */
  hasPath?: boolean;
  /** True if `groupId` of a filter means one of the changed groups, and not one that the record is in. */
  isOfGroups?: boolean;
  /** Example of `changes`; unset for types that tell none. */
  changes?: readonly Change[];
  /** Schemas of the members of `details`, with examples; unset without any. docs/guides/events.md#the-event */
  details?: Record<string, { example: unknown } & Record<string, unknown>>;
}

const text = (example: string) => ({ type: "string", example });
const texts = (example: string) => ({ type: "array", items: { type: "string" }, example: [example] });
const time = (type: string | string[], example: string) => ({ type, format: "date-time", example });

const UUID = "019f8a3b-1a00-7d42-8f10-6b5c4d3e2f1a" as Uuid;
const ABOUT = {
  entityId: text(toId("person", UUID)),
  entityType: { type: "string", enum: ["person", "company", "object"], example: "person" },
};
const GROUPS: Change[] = [{ path: ["groups"], type: "add", value: [{ id: toId("group", UUID) }] }];
const set = (path: string[], value: unknown): Change[] => [{ path, type: "set", value }];
const NAME = set(["name"], "Analytical Engines");

/** All types of events, in the order of docs/guides/events.md#types. */
const TYPES = {
  "person.created": { kind: "person", summary: "A person was created" },
  "person.updated": {
    kind: "person",
    summary: "Fields, companies or custom values of a person changed",
    hasPath: true,
    changes: set(["jobTitle"], "Rear admiral"),
  },
  "person.deleted": {
    kind: "person",
    summary: "A person was deleted, or merged into another one",
    details: {
      fullName: text("Grace Hopper"),
      firstName: text("Grace"),
      lastName: text("Hopper"),
      emails: texts("grace@navy.test"),
    },
  },
  "person.groups_updated": {
    kind: "person",
    summary: "A person was added to groups or taken out of some",
    isOfGroups: true,
    changes: GROUPS,
  },
  "person.workspace_interaction_metadata_updated": {
    kind: "person",
    summary: "Counts or times of the workspace's interactions with a person changed",
    changes: set(["interactionMetadata", "workspace", "interactionCount"], 12),
  },
  "company.created": { kind: "company", summary: "A company was created" },
  "company.updated": {
    kind: "company",
    summary: "Fields or custom values of a company changed",
    hasPath: true,
    changes: NAME,
  },
  "company.deleted": {
    kind: "company",
    summary: "A company was deleted, or merged into another one",
    details: { name: text("Analytical Engines"), emails: texts("hello@engines.test") },
  },
  "company.groups_updated": {
    kind: "company",
    summary: "A company was added to groups or taken out of some",
    isOfGroups: true,
    changes: GROUPS,
  },
  "object.created": { kind: "object", summary: "An object of any type was created" },
  "object.updated": {
    kind: "object",
    summary: "The name, links or custom values of an object changed",
    hasPath: true,
    changes: NAME,
  },
  "object.deleted": {
    kind: "object",
    summary: "An object was deleted, or merged into another one",
    details: { name: text("Analytical Engines") },
  },
  "note.created": { kind: "note", summary: "A note was created" },
  "note.updated": {
    kind: "note",
    summary: "The content or visibility of a note changed",
    changes: set(["visibility"], "public"),
  },
  "note.deleted": { kind: "note", summary: "A note was deleted, by itself or with its record", details: ABOUT },
  "reminder.created": { kind: "reminder", summary: "A reminder was created" },
  "reminder.updated": { kind: "reminder", summary: "A reminder changed", changes: set(["name"], "Call Grace") },
  "reminder.deleted": {
    kind: "reminder",
    summary: "A reminder was deleted, by itself or with its record",
    details: ABOUT,
  },
  "reminder.triggered": {
    kind: "reminder",
    summary: "A reminder has fired",
    details: {
      lastTriggeredTime: time("string", "2026-03-02T09:00:00.000Z"),
      nextTriggeredTime: time(["string", "null"], "2026-03-09T09:00:00.000Z"),
    },
  },
} satisfies Record<string, EventTypeDefinition>;

export type EventType = keyof typeof TYPES;

export const EVENT_TYPES: Readonly<Record<EventType, EventTypeDefinition>> = TYPES;
export const EVENT_TYPE_NAMES = Object.keys(TYPES) as EventType[];

/** The event of counting interactions, which follows from them after their commit. */
export const INTERACTION_EVENT: EventType = "person.workspace_interaction_metadata_updated";

/** The id of the record, note or reminder that an event is about. */
export function subjectId({ type, recordId }: Pick<EventDraft, "type" | "recordId">): Id {
  return toId(EVENT_TYPES[type].kind, recordId);
}

/** Path at which the thing of an event is, or was, found. */
export function subjectPath(event: EventDraft): string {
  const { home, objectType = "" } = event.body;
  const { list } = KINDS[EVENT_TYPES[event.type].kind];
  const within = list ?? `groups/${home && toId("group", home)}/${encodeURIComponent(objectType)}`;
  return `/v1/${within}/${subjectId(event)}`;
}

/** Whether the events of a type tell which groups a record was added to, or taken out of. */
export function isOfGroups(type: EventType): boolean {
  return EVENT_TYPES[type].isOfGroups === true;
}

/** Members that filters of webhooks may have for a type. docs/guides/webhooks.md#filters */
export function filterMembers(type: EventType): readonly string[] {
  const { kind, hasPath } = EVENT_TYPES[type];
  return hasPath ? [...KINDS[kind].filters, "path", "value"] : KINDS[kind].filters;
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
