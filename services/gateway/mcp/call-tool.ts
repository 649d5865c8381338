import type { Service } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import type { Claim } from "../../../base/contract/claim.ts";
import { ApiError, unavailable, unprocessable } from "../../../base/contract/errors.ts";
import { takeItems } from "../../../base/contract/page.ts";
import { dataBody, errorBody } from "../../../base/contract/reply.ts";
import type { TSchema } from "../../../base/contract/schema.ts";
import type { TraceContext } from "../../../base/tracing/trace-context.ts";
import { LARGE_BODY_BYTES } from "../../../config/limits.ts";
import { type ActionCalls, type Executed, execute } from "../action/execute.ts";
import { makeByFirstFitting, type ParamsSchema, type Schemas } from "../action/schemas.ts";
import type { RequestSlot } from "../admission/admission.ts";
import type { Deadline } from "../admission/deadline.ts";
import type { Workers } from "../body-worker/workers.ts";
import type { Claiming } from "../claim/claim.ts";
import { isIdempotencyKey, KEY_FORM } from "../claim/idempotency-key.ts";
import { traceIdInLog } from "../observation/request-span.ts";
import type { Input } from "../operation/input.ts";
import { isWrite, type Route, routes } from "../operation/routes.ts";
import type { CursorSeal } from "../response/cursor.ts";
import { deprecationsOf } from "../response/deprecations.ts";
import { toApiError } from "../response/failure.ts";
import { listData } from "../response/reply.ts";
import { type Arguments, readArguments, schemaOfArguments } from "./arguments.ts";
import { callFingerprint } from "./call-fingerprint.ts";
import { judgeArguments } from "./judge-arguments.ts";
import type { LargeCall } from "./large-message.ts";
import { linkToNext } from "./link-to-next.ts";
import { byParameters, meantTool, sentTo } from "./meant-tool.ts";
import { minimalBatch } from "./minimal-batch.ts";
import { type ToolResult, toolResult } from "./results.ts";
import { isBulk, type Tool, tools } from "./tools.ts";

/** Parts by which tools are called. */
export interface ToolGateway extends ActionCalls, Claiming {
  logger: Service["logger"];
  schemasOf(action: string): Schemas;
  workers: Workers;
  seal: CursorSeal;
  /** The seal of lists of the log. */
  feedSeal: CursorSeal;
}

/** A request to /mcp that calls a tool. */
export interface Calling {
  caller: Caller;
  requestId: string;
  trace: TraceContext | undefined;
  place: Pick<RequestSlot, "enter">;
  deadline: Pick<Deadline, "callMs">;
  isGone(): boolean;
  /** Result of the worker that read the call, if its message was large. */
  judged: LargeCall | undefined;
  /** The tools of the address that the request was sent to. */
  offered: ReadonlySet<string>;
}

const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
const routesByAction = new Map(routes.map((route) => [route.action, route]));

/** A call whose arguments are read. */
interface Called {
  body: string;
  isError: boolean;
  args: Arguments;
}

/**
 * Calls a tool, with the limits, rights and checks of the request that does the same, and through the same action. What
 * is refused or fails is a result too. Never rejects. docs/guides/assistants.md#results
 * @param name may be that of no tool
 * @param sent whatever stands in the place of the arguments
 */
export async function callTool(
  gateway: ToolGateway,
  name: string,
  sent: unknown,
  calling: Calling,
): Promise<ToolResult> {
  try {
    const tool = toolsByName.get(name);
    if (!tool || !calling.offered.has(name)) throw unknownTool(name, calling.offered);
    const { body, isError, args } = await run(gateway, tool, sent, calling);
    return toolResult(isBulk(tool) && !isError ? await shortened(gateway, body, args, calling) : body, isError);
  } catch (error) {
    const { requestId } = calling;
    const refusal = toApiError(error, { requestId, ...traceIdInLog(calling) }, gateway.logger);
    return toolResult(refusal.data.body ?? errorBody(refusal, requestId, gateway.publicUrl), true);
  }
}

/** The answer of a batch as an assistant gets it. A large one is shortened in a worker. */
function shortened(
  { workers }: ToolGateway,
  body: string,
  { records }: Arguments,
  { caller: { workspaceId } }: Calling,
): string | Promise<string> {
  const ids = (records as { id?: string }[]).map(({ id }) => id);
  if (body.length <= LARGE_BODY_BYTES) return minimalBatch(body, ids);
  return workers.run("shortenBatch", { body, ids }, { workspaceId });
}

/** Whether there is a tool of this name. */
export function isTool(name: string): boolean {
  return toolsByName.has(name);
}

function unknownTool(name: string, offered: ReadonlySet<string>): ApiError {
  const message = name.startsWith("delete_")
    ? "No tool deletes anything. Ask the user to do that."
    : `There is no tool "${name.slice(0, 100)}". There are: ${[...offered].join(", ")}.`;
  return new ApiError("RESOURCE_NOT_FOUND", message);
}

async function run(gateway: ToolGateway, called: Tool, sent: unknown, calling: Calling): Promise<Called> {
  const { caller, requestId, trace, place, deadline, isGone } = calling;
  const takesKey = isWrite(called);
  const key = takesKey ? keyIn(Object(sent)) : undefined;
  if (caller.access === "read" && takesKey)
    throw new ApiError("FORBIDDEN", "This key can only read. Ask the user for a key with full access.");
  const tool = meantTool(called, sent);
  place.enter(tool);
  const route = routesByAction.get(tool.action);
  const seal = route?.isOfLog ? gateway.feedSeal : gateway.seal;
  const { schema, args, input } = await readCall(gateway, tool, sent, { calling, seal, route });
  const deprecations = deprecationsOf(route ?? {}, input.params.body);
  const isKept = takesKey && input.params.dryRun !== true;
  const claim = isKept && key !== undefined ? claimOf(gateway, tool, args, { key, deprecations, calling }) : undefined;
  const executing = {
    caller,
    claim,
    requestId,
    trace,
    source: "assistant" as const,
    deadline,
    isGone,
    schema,
    isJudged: false,
    isRead: !isKept,
  };
  const done = await execute(gateway, tool.action, input.params, executing);
  if ("saved" in done) return { body: done.saved.body ?? "", isError: done.saved.status >= 400, args };
  const told = isKept ? requestId : undefined;
  return { body: bodyOf(gateway, done, { schema, input, route, seal, deprecations, told }), isError: false, args };
}

/** The arguments of a call, and the params of the action that they stand for. */
async function readCall(
  gateway: ToolGateway,
  tool: Tool,
  sent: unknown,
  { calling: { judged, caller }, seal, route }: { calling: Calling; seal: CursorSeal; route: Route | undefined },
): Promise<{ schema: ParamsSchema; args: Arguments; input: Input }> {
  const schemas = judged ? [judged.schema] : gateway.schemasOf(tool.action);
  if (schemas.length === 0) throw unavailable();
  const reading = { listPath: route?.path ?? "", caller, seal };
  const { schema, made } = await makeByFirstFitting(schemas, (one) => {
    const args = soundArguments(schemaOfArguments(one, isWrite(tool), tool.idParameter), sentTo(tool, sent), judged);
    return { args, input: readArguments(one, byParameters(tool, args), reading) };
  });
  return { schema, ...made };
}

/** @throws ApiError 400 for a key of another form than the header takes */
function keyIn({ idempotencyKey = null }: { idempotencyKey?: unknown }): string | undefined {
  if (idempotencyKey === null) return undefined;
  if (typeof idempotencyKey === "string" && isIdempotencyKey(idempotencyKey)) return idempotencyKey;
  throw new ApiError("IDEMPOTENCY_KEY_INVALID", `An idempotencyKey has ${KEY_FORM}.`);
}

/**
 * The arguments of a call without what counts as not sent. Those that a worker has judged come from it in this form.
 * @throws ApiError 422 with all issues
 */
function soundArguments(schema: TSchema, sent: unknown, judged: LargeCall | undefined): Arguments {
  const { args, issues } = judged ? { args: sent, issues: judged.issues } : judgeArguments(schema, sent);
  if (issues.length > 0) throw unprocessable(issues);
  // The schema of a closed object takes objects only.
  return args as Arguments;
}

/** The claim of a call. docs/guides/assistants.md#retries */
function claimOf(
  { publicUrl, idempotencyTtlS }: Claiming,
  { name }: Tool,
  sent: Arguments,
  { key, deprecations, calling }: { key: string; deprecations: string | undefined; calling: Calling },
): Claim {
  return {
    key,
    fingerprint: calling.judged?.fingerprint ?? callFingerprint(name, sent),
    requestId: calling.requestId,
    publicUrl,
    ttlS: idempotencyTtlS,
    tellsRequest: true,
    ...(deprecations !== undefined && { deprecations }),
  };
}

interface Around {
  schema: ParamsSchema;
  input: Input;
  route: Route | undefined;
  seal: CursorSeal;
  deprecations: string | undefined;
  /** Id of the request, by which an undo names it; undefined if there is nothing to undo. */
  told: string | undefined;
}

/** The body that the request has which does the same, and the id of the request if it was a write. */
function bodyOf(
  { publicUrl }: ToolGateway,
  done: Exclude<Executed, { saved: unknown }>,
  { schema, input, route, seal, deprecations, told }: Around,
): string {
  if ("data" in done) return dataBody(done, deprecations, told);
  const { next } = done.page;
  const nextLink =
    next === null || !route
      ? null
      : linkToNext(publicUrl, route.path, schema, input.params, seal.seal(next, input.binding));
  return dataBody(listData(takeItems(done.page), { nextLink, cursor: undefined }), deprecations);
}
