import { beforeAll, expect, it } from "@jest/globals";
import { loadOperations, type Operation } from "../../scripts/openapi/operations.ts";

const DEALS = "/v1/groups/{groupId}/{objectType}";
const FIELDS = "/v1/groups/{groupId}/custom-fields/{entityType}";

/**
 * The names that clients of this API have been generated with, those of operations to come included. A generator makes
 * the names of methods from these ids, so that another id breaks every program that calls them.
 */
const KNOWN: [operation: string, id: string][] = [
  ["GET /v1/users", "listUsers"],
  ["GET /v1/users/me", "getCurrentUser"],
  ["GET /v1/users/{userId}", "getUser"],
  ["GET /v1/groups", "listGroups"],
  ["POST /v1/groups", "createGroup"],
  ["PATCH /v1/groups/{groupId}", "updateGroup"],
  ["GET /v1/groups/{groupId}/members", "listGroupMembers"],
  ["POST /v1/groups/{groupId}/members", "addGroupMember"],
  ["PATCH /v1/groups/{groupId}/members/{userId}", "updateGroupMember"],
  ["DELETE /v1/groups/{groupId}/members/{userId}", "removeGroupMember"],
  [`GET ${FIELDS}`, "listGroupCustomFields"],
  [`POST ${FIELDS}`, "createGroupCustomField"],
  [`GET ${FIELDS}/{customFieldName}`, "getGroupCustomField"],
  [`PATCH ${FIELDS}/{customFieldName}`, "updateGroupCustomField"],
  ["GET /v1/people", "listPeople"],
  ["POST /v1/people", "createPerson"],
  ["GET /v1/people/{personId}", "getPerson"],
  ["PATCH /v1/people/{personId}", "updatePerson"],
  ["DELETE /v1/people/{personId}", "deletePerson"],
  ["GET /v1/companies", "listCompanies"],
  ["POST /v1/companies", "createCompany"],
  ["GET /v1/companies/{companyId}", "getCompany"],
  ["PATCH /v1/companies/{companyId}", "updateCompany"],
  ["DELETE /v1/companies/{companyId}", "deleteCompany"],
  [`GET ${DEALS}`, "listDeals"],
  [`POST ${DEALS}`, "createDeal"],
  [`GET ${DEALS}/{objectId}`, "getDeal"],
  [`PATCH ${DEALS}/{objectId}`, "updateDeal"],
  [`DELETE ${DEALS}/{objectId}`, "deleteDeal"],
  ["GET /v1/notes", "listNotes"],
  ["POST /v1/notes", "createNote"],
  ["GET /v1/notes/{noteId}", "getNote"],
  ["PATCH /v1/notes/{noteId}", "updateNote"],
  ["DELETE /v1/notes/{noteId}", "deleteNote"],
  ["GET /v1/reminders", "listReminders"],
  ["POST /v1/reminders", "createReminder"],
  ["GET /v1/reminders/{reminderId}", "getReminder"],
  ["PATCH /v1/reminders/{reminderId}", "updateReminder"],
  ["DELETE /v1/reminders/{reminderId}", "deleteReminder"],
  ["GET /v1/tasks", "listTasks"],
  ["POST /v1/tasks", "createTask"],
  ["GET /v1/tasks/{taskId}", "getTask"],
  ["PATCH /v1/tasks/{taskId}", "updateTask"],
  ["DELETE /v1/tasks/{taskId}", "deleteTask"],
  ["POST /v1/tasks/{taskId}/mark-as-done", "markAsDone"],
  ["POST /v1/tasks/{taskId}/mark-as-todo", "markAsTodo"],
  ["POST /v1/interactions", "createInteraction"],
  ["GET /v1/interactions/past", "listPastInteractions"],
  ["GET /v1/interactions/upcoming", "listUpcomingInteractions"],
  ["GET /v1/interactions/{interactionId}", "getInteraction"],
  ["PATCH /v1/interactions/{interactionId}", "updateInteraction"],
  ["DELETE /v1/interactions/{interactionId}", "deleteInteraction"],
  ["GET /v1/webhooks", "listWebhooks"],
  ["POST /v1/webhooks", "createWebhook"],
  ["GET /v1/webhooks/{webhookId}", "getWebhook"],
  ["PATCH /v1/webhooks/{webhookId}", "updateWebhook"],
  ["DELETE /v1/webhooks/{webhookId}", "deleteWebhook"],
];

let operations: Operation[];

beforeAll(async () => {
  operations = await loadOperations();
});

it("operations keep the ids that generated clients know", () => {
  const ids = new Map(operations.map(({ id, route }) => [`${route.method} ${route.path}`, id]));
  const built = KNOWN.filter(([operation]) => ids.has(operation));
  expect(built.map(([operation]) => [operation, ids.get(operation)])).toEqual(built);
  expect(built.length).toBeGreaterThan(25);
});
