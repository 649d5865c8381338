import type { IdKind } from "../../../base/values/ids.ts";
import type { Kind } from "../operation/routes.ts";

/** A tool that assistants call: the name they know it by, and the action behind it. docs/guides/assistants.md#tools */
export interface Tool {
  name: string;
  action: string;
  /** Its kind among the requests of a gateway, like the operation of the REST API with the same action. */
  kind: Kind;
  /** When to use it, and what it gives back. */
  description: string;
  /** Parameter of the path whose place the argument `id` takes. */
  idParameter?: string;
  /** The tools behind one that is about things of several kinds. */
  ofKinds?: ReadonlyMap<IdKind, Tool>;
  /** The argument that tells which of them is meant: by the id of a thing, or by the word for its kind. */
  meantBy?: "id" | "entityType";
}

/** True for a tool that takes many records. docs/guides/assistants.md#many-records */
export function isBulk({ action }: Tool): boolean {
  return /[.]batch[A-Z]/.test(action);
}

const PAGE = "Gives whole records.";
const KEPT = "Fields left out stay, lists are replaced, customFieldValues merged.";
const MANY = "Gives {id, status, error} in order; resend only failed ones.";
const MATCHED = "Gives {id, status, operation, error} in order.";

type Row = readonly [name: string, action: string, kind: Kind, description: string];

/**
 * Every tool, in the order in which they are listed. None deletes: an assistant that has misunderstood its user, or
 * that was misled by a text that it read, can be put right. docs/guides/assistants.md#what-they-cannot-do
 */
const ROWS: readonly Row[] = [
  ["get_current_user", "users.me", "read", "The user: id, name, email."],
  [
    "get_workspace_structure",
    "structure.get",
    "read",
    "Call this first. Gives users, and groups with members, object types, custom fields and options: the ids and exact names that other tools take.",
  ],

  [
    "search",
    "search.everything",
    "list",
    "Find people, companies, objects, notes and tasks by words of any field: names, emails, phones, texts. Takes typing slips. Best first. Try this first.",
  ],
  ["search_people", "people.search", "list", `Find people by fields. ${PAGE}`],
  ["search_companies", "companies.search", "list", `Find companies by fields. ${PAGE}`],
  ["search_objects", "objects.search", "list", `Find deals or other objects of a group. ${PAGE}`],
  [
    "aggregate",
    "people.aggregateSearch",
    "list",
    "Count records, also by up to two fields, with sums and the like. Gives total and groups; no need to list records.",
  ],
  ["get_person", "people.get", "read", "All fields of one person."],
  ["get_company", "companies.get", "read", "All fields of one company."],
  ["get_object", "objects.get", "read", "All fields of one deal or other object."],

  ["create_person", "people.create", "write", "Add a person. Search first. Gives the record."],
  ["create_company", "companies.create", "write", "Add a company, or update the one with this name. Gives the record."],
  ["create_object", "objects.create", "write", "Add a deal or other object. Search first. Gives the record."],
  ["update_person", "people.update", "write", `Change a person. ${KEPT} Gives the record.`],
  ["update_company", "companies.update", "write", `Change a company. ${KEPT} Gives the record.`],
  ["update_object", "objects.update", "write", `Change an object. ${KEPT} Gives the record.`],

  ["create_people", "people.batchCreate", "batch", `Add many people. ${MANY}`],
  ["update_people", "people.batchUpdate", "batch", `Change many people. ${MANY}`],
  ["create_companies", "companies.batchCreate", "batch", `Add many companies. ${MANY}`],
  ["update_companies", "companies.batchUpdate", "batch", `Change many companies. ${MANY}`],
  ["create_objects", "objects.batchCreate", "batch", `Add many objects. ${MANY}`],
  ["update_objects", "objects.batchUpdate", "batch", `Change many objects. ${MANY}`],
  [
    "upsert_people",
    "people.batchUpsert",
    "batch",
    `Sync people from elsewhere: update those with an equal email, name or other key, else add them. ${MATCHED}`,
  ],
  ["upsert_companies", "companies.batchUpsert", "batch", `Sync companies from elsewhere. ${MATCHED}`],
  ["upsert_objects", "objects.batchUpsert", "batch", `Sync objects from elsewhere. ${MATCHED}`],

  [
    "list_interactions",
    "interactions.list",
    "list",
    "Emails, meetings, calls and logged contacts of one person or company, or of all. Past ones come newest first.",
  ],
  ["log_interaction", "interactions.create", "write", "Log a call, meeting or other contact with a person or company."],

  ["list_notes", "notes.list", "list", "Notes about one record, or with words in them."],
  ["create_note", "notes.create", "write", "Write a note about a record, or a reply (parentNote). Gives the note."],
  ["update_note", "notes.update", "write", "Change a note. Gives the note."],

  ["list_tasks", "tasks.list", "list", "Find tasks by due date, assignee, record or completion."],
  ["create_task", "tasks.create", "write", "Add a task about a record, by default for the user. Gives the task."],
  ["update_task", "tasks.update", "write", "Change a task. Fields left out stay. Gives the task."],
  ["set_task_done", "tasks.setDone", "write", "Mark a task as done or to do. Repeating tasks go on. Gives the task."],

  ["list_groups", "groups.list", "list", "Groups that the user can see."],
  ["create_group", "groups.create", "write", "Add a group, with the user as its admin. Gives the group."],
  ["list_group_members", "members.list", "list", "Users with their roles in a group."],
  ["list_custom_fields", "custom-fields.list", "list", "Custom fields of one entity type, with options."],
  [
    "create_custom_field",
    "custom-fields.create",
    "write",
    "Define a custom field. An objectField makes an object type.",
  ],

  ["find_duplicates", "people.duplicates", "list", "Pairs likely to be one, with score and reasons, best first."],
  [
    "merge_records",
    "people.merge",
    "write",
    "Merge duplicates (records) into the person, company or object id, which stays. Try dryRun first. Gives the record.",
  ],
  [
    "get_history",
    "people.history",
    "list",
    "Changes of one person, company, object, note or task, newest first: who, when, values before and after.",
  ],
  [
    "undo",
    "undo.createOfKey",
    "batch",
    "Take back writes of this key: of a result's requestId, or since a time. Try dryRun first. Gives undone and skipped.",
  ],
];

/** Kind of a thing → the service of such things, and the parameter that names one. */
const PLACES = {
  person: ["people", "personId"],
  company: ["companies", "companyId"],
  object: ["objects", "objectId"],
  note: ["notes", "noteId"],
  task: ["tasks", "taskId"],
} as const satisfies Partial<Record<IdKind, readonly [service: string, idParameter: string]>>;

/** Tool → the argument that tells the kind of thing that is meant, and the kinds. */
const KINDS = new Map<string, readonly [meantBy: "id" | "entityType", kinds: readonly (keyof typeof PLACES)[]]>([
  ["aggregate", ["entityType", ["person", "company", "object"]]],
  ["find_duplicates", ["entityType", ["person", "company"]]],
  ["merge_records", ["id", ["person", "company", "object"]]],
  ["get_history", ["id", ["person", "company", "object", "note", "task"]]],
]);

export const tools: readonly Tool[] = ROWS.map(([name, action, kind, description]) => {
  const tool = { name, action, kind, description };
  const [meantBy, kinds] = KINDS.get(name) ?? [];
  return meantBy && kinds ? { ...tool, meantBy, ofKinds: toolsOfKinds({ ...tool, meantBy }, kinds) } : tool;
});

function toolsOfKinds(tool: Tool, kinds: readonly (keyof typeof PLACES)[]): Map<IdKind, Tool> {
  const verb = tool.action.slice(tool.action.indexOf("."));
  return new Map(
    kinds.map((kind) => {
      const [service, idParameter] = PLACES[kind];
      return [kind, { ...tool, action: `${service}${verb}`, ...(tool.meantBy === "id" && { idParameter }) }] as const;
    }),
  );
}
