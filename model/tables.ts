import { companies } from "./resources/companies.ts";
import { deliveries } from "./resources/deliveries.ts";
import { enrichments } from "./resources/enrichments.ts";
import { keys } from "./resources/keys.ts";
import { notes } from "./resources/notes.ts";
import { objects } from "./resources/objects.ts";
import { people } from "./resources/people.ts";
import { tasks } from "./resources/tasks.ts";
import { webhooks } from "./resources/webhooks.ts";
import type { Erasure, Table } from "./table.ts";

const OF_PERSON = { archive: "an index of the person, made anew", erasure: { becomes: "goes with the person" } };
const OF_COMPANY = { archive: "an index of the company, made anew", erasure: { becomes: "changed with the company" } };
const OF_OBJECT = { archive: "an index of the object, made anew", erasure: { becomes: "changed with the object" } };

/** Fate of a table that holds nothing of people who are no users. */
const nobody = (columns: Record<string, string>): Erasure => ({
  becomes: "holds nothing of people who are no users",
  columns,
});

const GOES = { becomes: "goes with the person" };
const USER = "a user";
const MADE_OF_TEXTS = "made anew of the texts";
const OF_THE_ID = "the id tells when it was made";
const EVENTS: Erasure = { becomes: "events about the person go; of others the person is taken out", told: "event" };

/**
 * All tables; those of an archive in the order in which they can be written into a database. A test compares them with
 * the tables and columns of the database (test/model/tables.test.ts).
 */
export const TABLES = {
  workspaces: {
    archive: "the workspace itself stands in the first line",
    erasure: nobody({ id: "the workspace", slug: "named by an admin", name: "named by an admin" }),
  },
  workspace_slugs: {
    archive: "the slugs of workspaces, written with them",
    erasure: nobody({ slug: "named by an admin" }),
  },
  users: {
    archive: { part: "users" },
    erasure: { becomes: "stay: they are taken away by users remove", told: "user" },
  },
  groups: { archive: { part: "groups" }, erasure: { becomes: "stay", told: "group" } },
  group_members: {
    archive: { part: "members", key: ["group_id", "user_id"] },
    erasure: nobody({ group_id: "a group", user_id: USER, role: "one of three words" }),
  },
  object_types: { archive: { part: "objectTypes" }, erasure: { becomes: "stay", told: "group", toldBy: "group_id" } },
  custom_fields: {
    archive: { part: "fields", plain: { config: "how numbers are shown" } },
    erasure: { becomes: "stay", told: "group", toldBy: "group_id" },
  },
  custom_field_options: { archive: { part: "options" }, erasure: { becomes: "stay", told: "option" } },

  companies: {
    resource: companies,
    archive: { part: "companies", without: { created_at: OF_THE_ID, name_key: "a hash of the name" } },
    erasure: { becomes: "mentions go", told: "company" },
  },
  company_groups: OF_COMPANY,
  company_values: OF_COMPANY,
  company_search: OF_COMPANY,
  company_addresses: OF_COMPANY,
  people: {
    resource: people,
    archive: { part: "people", without: { created_at: OF_THE_ID, activity: "made anew of interactionCounts" } },
    erasure: { becomes: "the row goes; of others, links and mentions do", told: "person" },
  },
  person_groups: OF_PERSON,
  person_values: OF_PERSON,
  person_search: OF_PERSON,
  person_companies: OF_PERSON,
  person_addresses: OF_PERSON,
  objects: {
    resource: objects,
    archive: { part: "objects", without: { created_at: OF_THE_ID } },
    erasure: { becomes: "links and mentions go", told: "object" },
  },
  object_groups: OF_OBJECT,
  object_values: OF_OBJECT,
  object_search: OF_OBJECT,
  object_companies: OF_OBJECT,
  object_people: { archive: "an index of the object, made anew", erasure: GOES },
  company_aliases: {
    archive: { part: "companyAliases", key: ["alias_id"] },
    erasure: nobody({ alias_id: "a company", company_id: "a company" }),
  },
  person_aliases: { archive: { part: "personAliases", key: ["alias_id"] }, erasure: GOES },
  object_aliases: {
    archive: { part: "objectAliases", key: ["alias_id"] },
    erasure: nobody({ alias_id: "an object", object_id: "an object" }),
  },

  duplicate_dismissals: {
    archive: { part: "dismissals", key: ["older_id", "younger_id"] },
    erasure: GOES,
  },
  duplicate_pairs: { archive: "found anew", erasure: GOES },
  duplicate_keys: { archive: "found anew", erasure: { ...GOES, becomes: "goes with the person, some seconds later" } },
  duplicate_marks: { archive: "found anew", erasure: { ...GOES, becomes: "goes with the person, some seconds later" } },
  duplicate_queue: { archive: "found anew", erasure: GOES },
  duplicate_crowds: { archive: "found anew", erasure: nobody({}) },
  duplicate_progress: {
    archive: "found anew",
    erasure: nobody({ people_through: "a position", companies_through: "a position" }),
  },

  notes: {
    resource: notes,
    isAbout: true,
    archive: { part: "notes", without: { words: MADE_OF_TEXTS } },
    erasure: { becomes: "those about the person go", told: "note" },
  },
  tasks: {
    resource: tasks,
    isAbout: true,
    archive: { part: "tasks", without: { words: MADE_OF_TEXTS } },
    erasure: { becomes: "those about the person go", told: "task" },
  },
  interactions: {
    archive: {
      part: "interactions",
      ids: { participants: "participants" },
      plain: { more: "the body of a mail, the transcript of a call" },
    },
    erasure: { becomes: "those with nobody else go; of others the person is taken out", told: "interaction" },
  },
  interaction_entities: {
    archive: { part: "interactionEntities", key: ["interaction_id", "entity_id"] },
    erasure: GOES,
  },
  interaction_counts: { archive: { part: "interactionCounts", key: ["entity_id", "user_id"] }, erasure: GOES },
  interaction_uncounted: {
    archive: { part: "uncountedInteractions", key: ["entity_id", "interaction_id"] },
    erasure: GOES,
  },
  enrichments: {
    resource: enrichments,
    isAbout: true,
    archive: {
      part: "enrichments",
      // One that is not finished is a job of this installation.
      where: "t.finished_at is not null",
      without: { lease: "one that has ended has none" },
      plain: { added_fields: "names of fields" },
    },
    erasure: {
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
  },
  webhooks: {
    resource: webhooks,
    archive: {
      part: "webhooks",
      without: {
        secret: "encrypted by the keys of this installation, so it is of no use elsewhere",
        redacted_secret: "shows a part of the secret",
        replaced_secrets: "secrets too",
        key_ids: "API keys of this installation",
        taken_over: "decides about deliveries, which an archive does not hold",
        since_seq: "a position among the events of this installation",
        stopped_at: "the import stops all webhooks",
        stopped_because: "the import stops all webhooks",
      },
      ids: { subscribed_events: "texts" },
    },
    erasure: { becomes: "stay", told: "webhook" },
  },
  webhook_queues: {
    archive: "made anew, with nothing in them",
    erasure: nobody({ webhook_id: "a webhook", lease: "a process" }),
  },
  deliveries: {
    resource: deliveries,
    archive: "what webhooks of this installation have sent",
    erasure: {
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
  },
  change_log: { archive: "what happened here, kept for history, the trash and events", erasure: EVENTS },
  log_texts: {
    archive: "texts of the log, kept a period longer",
    erasure: { becomes: "those of events that go; of others they stay", told: "event", toldBy: "entry_id" },
  },
  outbox: { archive: "events of the release before, which the log takes over", erasure: EVENTS },
  webhook_progress: { archive: "made anew", erasure: nobody({}) },
  merges: { archive: "empty: a later release drops it", erasure: { becomes: "is empty" } },

  api_keys: {
    resource: keys,
    archive: "a copy of the archive would be as good as a key",
    erasure: { becomes: "stay", told: "key" },
  },
  key_hashes: {
    archive: "the hashes of keys, written with them",
    erasure: nobody({ key_id: "an API key", hash: "a hash of the key" }),
  },
  credits: {
    archive: "given by whoever runs an installation: the copy has those of a new workspace",
    erasure: nobody({}),
  },
  saved_responses: {
    archive: "answers of this installation to its clients",
    erasure: {
      becomes: "answers in which the person stands are forgotten",
      columns: {
        user_id: USER,
        key: "made by a client, of what it likes: it stays until it expires",
        fingerprint: "a hash",
        body: "forgotten",
      },
    },
  },
  event_streams: { archive: "connections of this moment", erasure: nobody({ id: "a stream", user_id: USER }) },
  rate_windows: {
    archive: "requests of the last minute",
    erasure: nobody({ user_id: USER, holder: "a process" }),
  },
  request_logs: {
    archive: "requests to this installation",
    erasure: nobody({
      id: "the request",
      user_id: USER,
      method: "one of a few words",
      route: "a template, without ids and values",
      tool: "one of a few words",
      error_code: "one of a few words",
      idempotency_key_hash: "a hash",
    }),
  },
  coordinator_repairs: { archive: "belongs to the installation", erasure: nobody({}) },
  settings: {
    archive: "belongs to the installation",
    erasure: nobody({ name: "a setting of the installation", value: "keys and positions of the installation" }),
  },
} satisfies Record<string, Table>;

/** The same as a list, in its order. */
export const ALL_TABLES: readonly ({ name: string } & Table)[] = Object.entries(TABLES).map(([name, table]) => ({
  name,
  ...table,
}));

/** The tables whose rows are about a record. */
export const ABOUT_TABLES = ALL_TABLES.flatMap(({ name, isAbout }) => (isAbout ? [name] : []));
