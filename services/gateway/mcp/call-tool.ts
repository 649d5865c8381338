import { createHash } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../../../lib/contract/caller.ts";
import type { Claim } from "../../../lib/contract/claim.ts";
import { ApiError, unavailable } from "../../../lib/contract/errors.ts";
import { takeItems } from "../../../lib/contract/page.ts";
import { dataBody, errorBody } from "../../../lib/contract/reply.ts";
import { type Executed, execute } from "../action/execute.ts";
import type { Place } from "../admission/admission.ts";
import type { Deadline } from "../admission/deadline.ts";
import { isIdempotencyKey, KEY_FORM } from "../claim/idempotency-key.ts";
import type { Gateway } from "../gateway.ts";
import { canonical } from "../operation/canonical.ts";
import type { Input, ParamsSchema } from "../operation/input.ts";
import { isWrite, type Route, routes } from "../operation/routes.ts";
import { deprecationsOf } from "../response/deprecations.ts";
import { toApiError } from "../response/failure.ts";
import { listData } from "../response/reply.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { linkToNext } from "./link-to-next.ts";
import { minimalBatch, toolResult } from "./results.ts";
import { type Tool, tools } from "./tools.ts";

/** A request to /mcp that calls a tool. */
export interface Calling {
  caller: Caller;
  requestId: string;
  place: Pick<Place, "enter">;
  deadline: Pick<Deadline, "callMs">;
}

const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
const routesByAction = new Map(routes.map((route) => [route.action, route]));

/**
 * Calls a tool, with the limits, rights and checks of the request that does the same, and through the same action. What is
 * refused or fails is a result too. Never rejects. docs/guides/assistants.md#results
 * @param name may be that of no tool
 */
export async function callTool(
  gateway: Gateway,
  name: string,
  sent: Arguments,
  calling: Calling,
): Promise<CallToolResult> {
  try {
    const tool = toolsByName.get(name);
    if (!tool) throw unknownTool(name);
    const { body, isError } = await run(gateway, tool, sent, calling);
    return toolResult(tool.kind === "batch" && !isError ? minimalBatch(body, sent) : body, isError);
  } catch (error) {
    const { requestId } = calling;
    const refusal = toApiError(error, requestId, gateway.logger);
    return toolResult(refusal.data.body ?? errorBody(refusal, requestId, gateway.publicUrl), true);
  }
}

/** Whether there is a tool of this name. */
export function isTool(name: string): boolean {
  return toolsByName.has(name);
}

function unknownTool(name: string): ApiError {
  const message = name.startsWith("delete_")
    ? "No tool deletes anything. Ask the user to do that."
    : `There is no tool "${name.slice(0, 100)}". There are: ${tools.map((tool) => tool.name).join(", ")}.`;
  return new ApiError("RESOURCE_NOT_FOUND", message);
}

async function run(
  gateway: Gateway,
  tool: Tool,
  sent: Arguments,
  { caller, requestId, place, deadline }: Calling,
): Promise<{ body: string; isError: boolean }> {
  const takesKey = isWrite(tool);
  const key = takesKey ? keyIn(sent) : undefined;
  if (caller.access === "read" && takesKey)
    throw new ApiError("FORBIDDEN", "This key may only read. Ask the user for one of full access.");
  place.enter(tool);
  const schema = gateway.schemaOf(tool.action);
  if (!schema) throw unavailable();
  const route = routesByAction.get(tool.action);
  const { seal } = gateway;
  const input = readArguments(schema, sent, { listPath: route?.path ?? "", takesKey, caller, seal });
  const deprecations = deprecationsOf(route ?? {}, input.params.body);
  const claim = key === undefined ? undefined : claimOf(gateway, tool, sent, { key, requestId, deprecations });
  const done = await execute(gateway, tool.action, input.params, { caller, claim, requestId, deadline });
  if ("saved" in done) return { body: done.saved.body ?? "", isError: done.saved.status >= 400 };
  return { body: bodyOf(gateway, done, { schema, input, route, deprecations }), isError: false };
}

/** @throws ApiError 400 for a key of another form than the header takes */
function keyIn({ idempotencyKey }: Arguments): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  if (typeof idempotencyKey === "string" && isIdempotencyKey(idempotencyKey)) return idempotencyKey;
  throw new ApiError("IDEMPOTENCY_KEY_INVALID", `An idempotencyKey has ${KEY_FORM}.`);
}

/**
 * The claim of a call. What makes two calls the same is the tool and its arguments, which are no method and path: so a key of a
 * request cannot be used for a call, nor one of a call for a request. docs/guides/assistants.md#retries
 */
function claimOf(
  { publicUrl, idempotencyTtlS }: Gateway,
  { name }: Tool,
  { idempotencyKey: _, ...args }: Arguments,
  { key, requestId, deprecations }: { key: string; requestId: string; deprecations: string | undefined },
): Claim {
  const fingerprint = createHash("sha256")
    .update(canonical(["tool", name, args]))
    .digest("hex");
  return {
    key,
    fingerprint,
    requestId,
    publicUrl,
    ttlS: idempotencyTtlS,
    ...(deprecations !== undefined && { deprecations }),
  };
}

interface Around {
  schema: ParamsSchema;
  input: Input;
  route: Route | undefined;
  deprecations: string | undefined;
}

/** The body that the request has which does the same. */
function bodyOf(
  { publicUrl, seal }: Gateway,
  done: Exclude<Executed, { saved: unknown }>,
  { schema, input, route, deprecations }: Around,
): string {
  if ("data" in done) return dataBody(done.data, deprecations);
  const { next } = done.page;
  const nextLink =
    next === null || !route
      ? null
      : linkToNext(publicUrl, route.path, schema, input.params, seal.seal(next, input.binding));
  return dataBody(listData(takeItems(done.page), { nextLink, cursor: undefined }), deprecations);
}
