import type { TSchema } from "../../base/contract/schema.ts";
import { readEnv } from "../../config/env.ts";
import { serviceFiles, serviceFolders } from "../../config/service-folders.ts";
import type { Database } from "../../database/database.ts";
import type { Returns, ServiceContext } from "../../mixins/context.ts";
import { isWrite, type Route, routes } from "../../services/gateway/operation/routes.ts";
import { type Tag, tagOf } from "./tags.ts";

/** One operation of the API: a route, and the metadata of its action. */
export interface Operation {
  id: string;
  tag: Tag;
  route: Route;
  summary: string;
  description?: string;
  /** The schemas of the action's params by name: those of the path and the query, and `body`. */
  params: Record<string, TSchema>;
  required: string[];
  returns: Returns;
  /** Whether the operation changes something, and so takes an Idempotency-Key. */
  isWrite: boolean;
}

/** Words of an action about itself. */
export interface ActionText {
  summary?: string;
  description?: string;
  params?: { properties?: Record<string, TSchema>; required?: string[] };
  returns?: Returns;
}

/**
 * Every route with the schemas of its action, in the order of the route table.
 * @throws Error for a route whose action does not exist, or lacks data that the document needs
 */
export async function loadOperations(): Promise<Operation[]> {
  const actions = await loadActions();
  const operations = routes.map((route) => toOperation(route, actions.get(route.action)));
  for (const [position, operation] of operations.entries()) {
    // A second path to the same action is an alias of the first.
    const earlier = operations.findIndex(({ id }) => id === operation.id);
    if (earlier < position && operations[earlier]?.route.action === operation.route.action)
      operation.id = `${operation.id}Alias`;
  }
  return operations;
}

/**
 * The schemas of all actions, by name. The services are made from their files, without a database, and are not started.
 */
export async function loadActions(): Promise<Map<string, ActionText>> {
  const context: ServiceContext = { env: readEnv({}), database: {} as Database };
  const actions = new Map<string, ActionText>();
  for (const path of serviceFolders().flatMap(serviceFiles)) {
    const { default: service } = await import(path);
    const schema = typeof service === "function" ? service(context) : service;
    for (const [name, action] of Object.entries<ActionText>(schema.actions ?? {}))
      actions.set(`${schema.name}.${name}`, action);
  }
  return actions;
}

function toOperation(route: Route, action: ActionText | undefined): Operation {
  const { summary, description, params, returns } = action ?? {};
  const lacks = Object.entries({ summary, "params.properties": params?.properties, returns }).filter(
    ([, value]) => value === undefined,
  );
  if (!summary || !params?.properties || !returns) {
    throw new Error(
      `${route.method} ${route.path}: the action ${route.action} has no ${lacks.map(([name]) => name).join(", ")}`,
    );
  }
  const [service = "", verb = ""] = route.action.split(".");
  const tag = tagOf(service);
  return {
    id: IDS[route.action] ?? operationId(verb, tag),
    tag,
    route,
    summary,
    ...(description !== undefined && { description }),
    params: params.properties,
    required: params.required ?? [],
    returns,
    isWrite: isWrite(route),
  };
}

/** Action → operation id, for operations that generated clients know by another id than `operationId` makes. */
const IDS: Record<string, string> = {
  "users.me": "getCurrentUser",
  "search.everything": "searchEverything",
  "undo.create": "undoChanges",
  "transactions.create": "runTransaction",
  "tasks.markAsDone": "markAsDone",
  "tasks.markAsTodo": "markAsTodo",
  "members.create": "addGroupMember",
  "members.remove": "removeGroupMember",
  "webhooks.rotateSecret": "rotateWebhookSecret",
  "deliveries.test": "testWebhook",
  "deliveries.replaySince": "replayWebhookEvents",
};

const VERBS: Record<string, string> = { remove: "delete" };
const OF_MANY = /^(list|search|batch|aggregate)/;

/**
 * `people.list` → `listPeople`, `people.get` → `getPerson`, `people.history` → `getPersonHistory`, `people.batchCreate`
 * → `batchCreatePeople`.
 */
function operationId(action: string, { one, many }: Tag): string {
  if (action === "history") return `get${one}History`;
  if (action === "aggregateSearch") return `aggregate${many}Search`;
  if (action === "duplicates") return `listDuplicate${many}`;
  if (action === "dismissDuplicate") return `dismissDuplicate${many}`;
  return `${VERBS[action] ?? action}${OF_MANY.test(action) ? many : one}`;
}
