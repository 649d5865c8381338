import type { DeprecatedMember, Deprecation } from "../response/deprecations.ts";

/** An operation of the API: HTTP method, path, and the action behind them. */
export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  action: string;
  kind: Kind;
  /**
   * Set for an operation that will go away: headers and `deprecations` say so. docs/guides/conventions.md#deprecations
   */
  deprecated?: Deprecation;
  /** Member of the body that is deprecated. */
  deprecatedMember?: DeprecatedMember;
  /**
   * Set for the list of events: `Accept: text/event-stream` opens a stream of them.
   * docs/guides/event-feed.md#the-stream
   */
  isStreamed?: boolean;
  /** Set for lists of the log: their cursors hold a number that counts the entries of all workspaces. */
  isOfLog?: boolean;
}

/**
 * Kind of an operation: `read` gives one thing, `list` a page of things, `write` changes something, `batch` many
 * things. The number of requests under way is bounded for each kind (admission/admission.ts).
 */
export type Kind = "read" | "list" | "write" | "batch";

type Row = readonly [
  method: Route["method"],
  path: string,
  action: string,
  kind: Kind,
  more?: Pick<Route, "deprecated" | "deprecatedMember" | "isStreamed" | "isOfLog">,
];

/** The two lists of interactions that one list with a parameter has replaced. */
const TWO_LISTS = {
  since: new Date("2026-09-29"),
  sunset: new Date("2027-03-29"),
  text: "Use GET /v1/interactions with timeframe=past or timeframe=upcoming. This list goes away on 2027-03-29.",
};

/** Tasks have taken the place of reminders. docs/guides/reminders.md */
const REMINDERS = {
  deprecated: {
    since: new Date("2026-08-13"),
    sunset: new Date("2027-02-13"),
    text: "Use /v1/tasks, which shows the same records. Reminders go away on 2027-02-13.",
  },
};

const OF_LOG = { isOfLog: true };

const TYPE = { member: "type", text: 'The member "type" is deprecated. Send "activityType" instead.' };

const OBJECTS = "/v1/groups/{groupId}/{objectType}";
const FIELD = "/v1/groups/{groupId}/custom-fields/{entityType}";

/**
 * Every operation of the API. It is a table, and not made of what services announce, so that an operation is 503 and
 * not 404 while its service is away. docs/guides/conventions.md#operations
 */
const ROWS: readonly Row[] = [
  ["GET", "/v1/users", "users.list", "list"],
  ["GET", "/v1/users/me", "users.me", "read"],
  ["GET", "/v1/users/{userId}", "users.get", "read"],

  ["GET", "/v1/groups", "groups.list", "list"],
  ["POST", "/v1/groups", "groups.create", "write"],
  ["PATCH", "/v1/groups/{groupId}", "groups.update", "write"],

  ["GET", "/v1/groups/{groupId}/members", "members.list", "list"],
  ["POST", "/v1/groups/{groupId}/members", "members.create", "write"],
  ["PATCH", "/v1/groups/{groupId}/members/{userId}", "members.update", "write"],
  ["DELETE", "/v1/groups/{groupId}/members/{userId}", "members.remove", "write"],

  ["GET", "/v1/groups/{groupId}/object-types", "object-types.list", "list"],

  ["GET", FIELD, "custom-fields.list", "list"],
  ["POST", FIELD, "custom-fields.create", "write"],
  ["GET", `${FIELD}/{customFieldName}`, "custom-fields.get", "read"],
  ["PATCH", `${FIELD}/{customFieldName}`, "custom-fields.update", "write"],

  ["GET", "/v1/people", "people.list", "list"],
  ["POST", "/v1/people", "people.create", "write"],
  ["GET", "/v1/people/{personId}", "people.get", "read"],
  ["PATCH", "/v1/people/{personId}", "people.update", "write"],
  ["DELETE", "/v1/people/{personId}", "people.remove", "write"],
  ["POST", "/v1/people/batch/create", "people.batchCreate", "batch"],
  ["POST", "/v1/people/batch/update", "people.batchUpdate", "batch"],
  ["POST", "/v1/people/batch/delete", "people.batchDelete", "batch"],
  ["POST", "/v1/people/upsert", "people.upsert", "write"],
  ["POST", "/v1/people/batch/upsert", "people.batchUpsert", "batch"],
  ["POST", "/v1/people/search", "people.search", "list"],
  ["GET", "/v1/people/aggregate", "people.aggregate", "list"],
  ["POST", "/v1/people/aggregate", "people.aggregateSearch", "list"],
  ["GET", "/v1/people/duplicates", "people.duplicates", "list"],
  ["POST", "/v1/people/duplicates/dismiss", "people.dismissDuplicate", "write"],
  ["POST", "/v1/people/{personId}/merge", "people.merge", "write"],
  ["GET", "/v1/people/{personId}/history", "people.history", "list", OF_LOG],
  ["POST", "/v1/people/{personId}/restore", "people.restore", "write"],

  ["GET", "/v1/companies", "companies.list", "list"],
  ["POST", "/v1/companies", "companies.create", "write"],
  ["GET", "/v1/companies/{companyId}", "companies.get", "read"],
  ["PATCH", "/v1/companies/{companyId}", "companies.update", "write"],
  ["DELETE", "/v1/companies/{companyId}", "companies.remove", "write"],
  ["POST", "/v1/companies/batch/create", "companies.batchCreate", "batch"],
  ["POST", "/v1/companies/batch/update", "companies.batchUpdate", "batch"],
  ["POST", "/v1/companies/batch/delete", "companies.batchDelete", "batch"],
  ["POST", "/v1/companies/upsert", "companies.upsert", "write"],
  ["POST", "/v1/companies/batch/upsert", "companies.batchUpsert", "batch"],
  ["POST", "/v1/companies/search", "companies.search", "list"],
  ["GET", "/v1/companies/aggregate", "companies.aggregate", "list"],
  ["POST", "/v1/companies/aggregate", "companies.aggregateSearch", "list"],
  ["GET", "/v1/companies/duplicates", "companies.duplicates", "list"],
  ["POST", "/v1/companies/duplicates/dismiss", "companies.dismissDuplicate", "write"],
  ["POST", "/v1/companies/{companyId}/merge", "companies.merge", "write"],
  ["GET", "/v1/companies/{companyId}/history", "companies.history", "list", OF_LOG],
  ["POST", "/v1/companies/{companyId}/restore", "companies.restore", "write"],

  ["GET", OBJECTS, "objects.list", "list"],
  ["POST", OBJECTS, "objects.create", "write"],
  ["GET", `${OBJECTS}/{objectId}`, "objects.get", "read"],
  ["PATCH", `${OBJECTS}/{objectId}`, "objects.update", "write"],
  ["DELETE", `${OBJECTS}/{objectId}`, "objects.remove", "write"],
  ["POST", `${OBJECTS}/batch/create`, "objects.batchCreate", "batch"],
  ["POST", `${OBJECTS}/batch/update`, "objects.batchUpdate", "batch"],
  ["POST", `${OBJECTS}/batch/delete`, "objects.batchDelete", "batch"],
  ["POST", `${OBJECTS}/upsert`, "objects.upsert", "write"],
  ["POST", `${OBJECTS}/batch/upsert`, "objects.batchUpsert", "batch"],
  ["POST", `${OBJECTS}/search`, "objects.search", "list"],
  ["GET", `${OBJECTS}/aggregate`, "objects.aggregate", "list"],
  ["POST", `${OBJECTS}/aggregate`, "objects.aggregateSearch", "list"],
  ["POST", `${OBJECTS}/{objectId}/merge`, "objects.merge", "write"],
  ["GET", `${OBJECTS}/{objectId}/history`, "objects.history", "list", OF_LOG],
  ["POST", `${OBJECTS}/{objectId}/restore`, "objects.restore", "write"],

  ["GET", "/v1/search", "search.everything", "list"],

  ["GET", "/v1/notes", "notes.list", "list"],
  ["POST", "/v1/notes", "notes.create", "write"],
  ["GET", "/v1/notes/{noteId}", "notes.get", "read"],
  ["PATCH", "/v1/notes/{noteId}", "notes.update", "write"],
  ["DELETE", "/v1/notes/{noteId}", "notes.remove", "write"],
  ["GET", "/v1/notes/{noteId}/history", "notes.history", "list", OF_LOG],
  ["POST", "/v1/notes/{noteId}/restore", "notes.restore", "write"],

  ["GET", "/v1/tasks", "tasks.list", "list"],
  ["POST", "/v1/tasks", "tasks.create", "write"],
  ["GET", "/v1/tasks/{taskId}", "tasks.get", "read"],
  ["PATCH", "/v1/tasks/{taskId}", "tasks.update", "write"],
  ["DELETE", "/v1/tasks/{taskId}", "tasks.remove", "write"],
  ["POST", "/v1/tasks/{taskId}/mark-as-done", "tasks.markAsDone", "write"],
  ["POST", "/v1/tasks/{taskId}/mark-as-todo", "tasks.markAsTodo", "write"],
  ["POST", "/v1/tasks/{taskId}/mark-as-to-do", "tasks.markAsTodo", "write"],
  ["GET", "/v1/tasks/{taskId}/history", "tasks.history", "list", OF_LOG],
  ["POST", "/v1/tasks/{taskId}/restore", "tasks.restore", "write"],

  ["GET", "/v1/reminders", "reminders.list", "list", REMINDERS],
  ["POST", "/v1/reminders", "reminders.create", "write", REMINDERS],
  ["GET", "/v1/reminders/{reminderId}", "reminders.get", "read", REMINDERS],
  ["PATCH", "/v1/reminders/{reminderId}", "reminders.update", "write", REMINDERS],
  ["DELETE", "/v1/reminders/{reminderId}", "reminders.remove", "write", REMINDERS],
  ["POST", "/v1/reminders/{reminderId}/restore", "reminders.restore", "write", REMINDERS],

  ["GET", "/v1/interactions", "interactions.list", "list"],
  ["POST", "/v1/interactions", "interactions.create", "write", { deprecatedMember: TYPE }],
  ["GET", "/v1/interactions/past", "interactions.listPast", "list", { deprecated: TWO_LISTS }],
  ["GET", "/v1/interactions/upcoming", "interactions.listUpcoming", "list", { deprecated: TWO_LISTS }],
  ["GET", "/v1/interactions/{interactionId}", "interactions.get", "read"],
  ["PATCH", "/v1/interactions/{interactionId}", "interactions.update", "write"],
  ["DELETE", "/v1/interactions/{interactionId}", "interactions.remove", "write"],

  ["POST", "/v1/people/{personId}/enrich", "enrichments.create", "write"],
  ["GET", "/v1/enrichments", "enrichments.list", "list"],
  ["GET", "/v1/enrichments/{enrichmentId}", "enrichments.get", "read"],
  ["GET", "/v1/credits", "credits.get", "read"],

  ["GET", "/v1/webhooks", "webhooks.list", "list"],
  ["POST", "/v1/webhooks", "webhooks.create", "write"],
  ["GET", "/v1/webhooks/{webhookId}", "webhooks.get", "read"],
  ["PATCH", "/v1/webhooks/{webhookId}", "webhooks.update", "write"],
  ["DELETE", "/v1/webhooks/{webhookId}", "webhooks.remove", "write"],
  ["POST", "/v1/webhooks/{webhookId}/rotate-secret", "webhooks.rotateSecret", "write"],
  ["POST", "/v1/webhooks/{webhookId}/test", "deliveries.test", "write"],
  ["GET", "/v1/webhooks/{webhookId}/deliveries", "deliveries.list", "list"],
  ["POST", "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay", "deliveries.replay", "write"],
  ["POST", "/v1/webhooks/{webhookId}/replay", "deliveries.replaySince", "write"],
  ["GET", "/v1/events", "events.list", "list", { isStreamed: true, isOfLog: true }],

  ["GET", "/v1/trash", "trash.list", "list", OF_LOG],
  ["POST", "/v1/undo", "undo.create", "batch"],
  ["POST", "/v1/transactions", "transactions.create", "batch"],

  ["GET", "/v1/request-logs", "request-logs.list", "list"],
];

export const routes: readonly Route[] = ROWS.map(([method, path, action, kind, more]) => ({
  method,
  path,
  action,
  kind,
  ...more,
}));

/** Whether an operation changes something. A search does not, although it is a POST. */
export function isWrite({ kind }: Pick<Route, "kind">): boolean {
  return kind === "write" || kind === "batch";
}
