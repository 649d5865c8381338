import type { IdKind } from "../../base/values/ids.ts";

/** A table, and what becomes of a person there who is erased. */
export interface Place {
  becomes: string;
  /** Set for tables whose rows are searched for texts that name the person, and reported. All columns are. */
  told?: Told;
  /**
   * Set for tables whose rows neither go with the person nor are searched: each column of texts, JSON, bytes or ids,
   * with its content or its fate.
   */
  columns?: Record<string, string>;
}

export interface Told {
  kind: IdKind;
  /** Column of the uuid in the report; `id` unless users know the row by another one. */
  id?: string;
}

const GOES = "goes with the person";
const OF_COMPANY = "an index of the company, changed with it";
const OF_OBJECT = "an index of the object, changed with it";
const NOBODY = "holds nothing of people who are no users";
const USER = "a user";

/**
 * Every table, and what becomes of it when a person is erased. What is changed, tools/privacy/erase.ts changes. A test compares this with
 * the tables and columns that there are (test/tools/privacy/places.test.ts). docs/guides/data-protection.md#erasing-a-person
 */
export const PLACES: Record<string, Place> = {
  people: { becomes: "the row goes; of others, links and mentions do", told: { kind: "person" } },
  person_groups: { becomes: GOES },
  person_values: { becomes: GOES },
  person_search: { becomes: GOES },
  person_companies: { becomes: GOES },
  person_aliases: { becomes: GOES },
  companies: { becomes: "mentions go", told: { kind: "company" } },
  company_groups: { becomes: OF_COMPANY },
  company_values: { becomes: OF_COMPANY },
  company_search: { becomes: OF_COMPANY },
  company_aliases: { becomes: NOBODY, columns: { alias_id: "a company", company_id: "a company" } },
  objects: { becomes: "links and mentions go", told: { kind: "object" } },
  object_groups: { becomes: OF_OBJECT },
  object_values: { becomes: OF_OBJECT },
  object_search: { becomes: OF_OBJECT },
  object_people: { becomes: GOES },
  object_companies: { becomes: OF_OBJECT },
  object_aliases: { becomes: NOBODY, columns: { alias_id: "an object", object_id: "an object" } },

  notes: { becomes: "those about the person go", told: { kind: "note" } },
  tasks: { becomes: "those about the person go", told: { kind: "task" } },
  interactions: {
    becomes: "those with nobody else go; of others the person is taken out",
    told: { kind: "interaction" },
  },
  interaction_entities: { becomes: GOES },
  interaction_counts: { becomes: GOES },
  interaction_uncounted: { becomes: GOES },
  enrichments: {
    becomes: "the row stays, since it was paid for, about nobody",
    columns: {
      id: "the enrichment",
      created_by: USER,
      entity_id: "nobody",
      entity_name: "erased",
      status: "one of five words",
      added_fields: "names of fields, no values",
      error_code: "one of a few words",
      error_message: "erased, since a provider wrote it",
      lease: "a process",
    },
  },
  merges: {
    becomes: "those of the person go; of others the person is taken out",
    columns: {
      id: "the merge",
      kind: "one of three words",
      survivor_id: "of the person: the row goes",
      merged_id: "of the person: the row goes",
      survivor_before: "entries and texts that name the person are taken out",
      merged_before: "entries and texts that name the person are taken out",
      created_by: USER,
    },
  },

  outbox: { becomes: "events about the person go; of others the person is taken out", told: { kind: "event" } },
  events: { becomes: "events about the person go; of others the person is taken out", told: { kind: "event" } },
  deliveries: {
    becomes: "those of events that go",
    columns: {
      id: "the delivery",
      webhook_id: "a webhook",
      event_id: "of an event that goes: the row goes",
      event_type: "one of a few words",
      record_id: "of the person: the row goes",
      status: "one of four words",
      attempts: "answers in which the person stands are taken out",
    },
  },
  webhooks: { becomes: "stay", told: { kind: "webhook" } },
  webhook_queues: { becomes: NOBODY, columns: { webhook_id: "a webhook", lease: "a process" } },
  idempotency_keys: {
    becomes: "answers in which the person stands are forgotten",
    columns: {
      user_id: USER,
      key: "made by a client, of what it likes: it stays until it expires",
      fingerprint: "a hash",
      body: "forgotten",
    },
  },

  workspaces: {
    becomes: NOBODY,
    columns: { id: "the workspace", slug: "named by an admin", name: "named by an admin" },
  },
  users: { becomes: "stay: they are taken away by users remove", told: { kind: "user" } },
  groups: { becomes: "stay", told: { kind: "group" } },
  group_members: { becomes: NOBODY, columns: { group_id: "a group", user_id: USER, role: "one of three words" } },
  object_types: { becomes: "stay", told: { kind: "group", id: "group_id" } },
  custom_fields: { becomes: "stay", told: { kind: "group", id: "group_id" } },
  custom_field_options: { becomes: "stay", told: { kind: "option" } },
  api_keys: { becomes: "stay", told: { kind: "key" } },
  credits: { becomes: NOBODY, columns: {} },

  request_logs: {
    becomes: NOBODY,
    columns: {
      id: "the request",
      user_id: USER,
      method: "one of a few words",
      route: "a template, without ids and values",
      tool: "one of a few words",
      error_code: "one of a few words",
      idempotency_key_hash: "a hash",
    },
  },
  event_log: { becomes: NOBODY, columns: {} },
  event_streams: { becomes: NOBODY, columns: { id: "a stream", user_id: USER } },
  rate_windows: { becomes: NOBODY, columns: { user_id: USER } },
  settings: {
    becomes: NOBODY,
    columns: { name: "a setting of the installation", value: "keys and positions of the installation" },
  },
};
