import type { Kind } from "../operation/routes.ts";

/** A tool that assistants call: the name they know it by, and the action behind it. docs/guides/assistants.md#tools */
export interface Tool {
  name: string;
  action: string;
  /** What it counts as among the requests of a gateway, like the operation of the REST API with the same action. */
  kind: Kind;
  /** What assistants are told of it beyond what the action says of itself. */
  advice?: string;
}

const NEXT_PAGE = "When data.pagination has a nextLink, there is more: call again with its cursor.";
const FIND_FIRST = "Search for it first, so that nothing is there twice.";
const MANY =
  "Up to 100 records in one call, which counts as one request. data.results has an entry for each, in their order: { id, status, error }. Those that failed are not written, the others are; mend and send only the failed ones again.";
const VALUES =
  "Names, types and options of custom fields are in get_workspace_structure. What stands in customFieldValues is merged into what is there.";

type Row = readonly [name: string, action: string, kind: Kind, advice?: string];

/**
 * Every tool, in the order in which they are listed. None deletes: an assistant that has misunderstood its user, or that was
 * misled by a text that it read, can be put right. docs/guides/assistants.md#what-they-cannot-do
 */
const ROWS: readonly Row[] = [
  ["get_current_user", "users.me", "read"],
  [
    "get_workspace_structure",
    "structure.get",
    "read",
    "Call this first: other tools want the ids of groups and the names of custom fields and object types that it gives.",
  ],

  ["search_people", "people.search", "list", NEXT_PAGE],
  ["search_companies", "companies.search", "list", NEXT_PAGE],
  ["search_objects", "objects.search", "list", NEXT_PAGE],
  ["get_person", "people.get", "read"],
  ["get_company", "companies.get", "read"],
  ["get_object", "objects.get", "read"],

  ["create_person", "people.create", "write", `${FIND_FIRST} ${VALUES}`],
  ["create_company", "companies.create", "write", VALUES],
  ["create_object", "objects.create", "write", `${FIND_FIRST} ${VALUES}`],
  ["update_person", "people.update", "write", VALUES],
  ["update_company", "companies.update", "write", VALUES],
  ["update_object", "objects.update", "write", VALUES],

  ["create_people", "people.batchCreate", "batch", MANY],
  ["update_people", "people.batchUpdate", "batch", MANY],
  ["create_companies", "companies.batchCreate", "batch", MANY],
  ["update_companies", "companies.batchUpdate", "batch", MANY],
  ["create_objects", "objects.batchCreate", "batch", MANY],
  ["update_objects", "objects.batchUpdate", "batch", MANY],

  ["list_interactions", "interactions.list", "list", NEXT_PAGE],
  ["log_interaction", "interactions.create", "write"],

  ["list_notes", "notes.list", "list", NEXT_PAGE],
  ["create_note", "notes.create", "write"],
  ["update_note", "notes.update", "write"],

  ["list_tasks", "tasks.list", "list", NEXT_PAGE],
  ["create_task", "tasks.create", "write"],
  ["update_task", "tasks.update", "write"],
  ["set_task_done", "tasks.setDone", "write"],

  ["list_groups", "groups.list", "list", NEXT_PAGE],
  ["create_group", "groups.create", "write"],
  ["list_group_members", "members.list", "list", NEXT_PAGE],
  ["list_custom_fields", "custom-fields.list", "list", NEXT_PAGE],
  ["create_custom_field", "custom-fields.create", "write"],
];

export const tools: readonly Tool[] = ROWS.map(([name, action, kind, advice]) => ({
  name,
  action,
  kind,
  ...(advice !== undefined && { advice }),
}));
