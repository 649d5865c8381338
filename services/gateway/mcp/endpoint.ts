import type { IncomingMessage } from "node:http";
import type { Caller } from "../../../base/contract/caller.ts";
import { ApiError, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { parseQuery, valuesOf } from "../../../base/contract/query-string.ts";
import type { RequestSlot } from "../admission/admission.ts";
import type { Deadline } from "../admission/deadline.ts";
import type { Exchange, Known } from "../connection/exchange.ts";
import { headerLines } from "../connection/head.ts";
import { receiveBody } from "../operation/body.ts";
import { methodNotAllowed } from "../operation/router.ts";
import { isWrite } from "../operation/routes.ts";
import { JSON_HEADERS, type Reply } from "../response/reply.ts";
import { callTool, isTool, type ToolGateway } from "./call-tool.ts";
import { readLargeMessage } from "./large-message.ts";
import type { ToolResult } from "./results.ts";
import { tools } from "./tools.ts";

/** Whether a request is for assistants. docs/guides/assistants.md#the-protocol */
export function isForAssistants({ path }: Exchange): boolean {
  return path === "/mcp";
}

/**
 * Answers a message of an assistant, which has been counted as one request.
 * @throws ApiError 405, 403, 400, 413, 422, 503
 */
export async function answerAssistant(
  gateway: ToolGateway,
  exchange: Exchange,
  caller: Caller,
  { place, deadline }: { place: RequestSlot; deadline: Deadline },
): Promise<Reply> {
  const { request, id, trace, method } = exchange;
  if (method !== "POST") throw methodNotAllowed(method, ["POST"]);
  checkOrigin(exchange, gateway.publicUrl);
  const { body, large } = await receiveBody(request, { place, deadline });
  const { message, call } = large ? await readLargeMessage(gateway, large, caller) : { message: body, call: undefined };
  if (Array.isArray(message))
    throw new ApiError("INVALID_REQUEST", "Send one JSON-RPC message in a POST, and not a list of them.");
  const offered = offeredTools(exchange.query);
  const { answerMessage, PROTOCOL_HEADERS } = await import("./protocol.ts");
  const isGone = () => exchange.response.closed;
  const { status, body: text } = await answerMessage(message, {
    headers: headersOf(request, PROTOCOL_HEADERS),
    offers: (name) => offered.has(name),
    async callTool(name, sent) {
      const judged = call?.name === name ? call : undefined;
      const done = await callTool(gateway, name, sent, {
        caller,
        requestId: id,
        trace,
        place,
        deadline,
        isGone,
        judged,
        offered,
      });
      noteCall(exchange.known, name, sent, done.result);
      return done;
    },
  });
  return { status, body: text, headers: text === "" ? {} : { ...JSON_HEADERS } };
}

/** The headers of these names that were sent, with the lines of each joined as HTTP joins them. */
function headersOf(request: IncomingMessage, names: readonly string[]): Record<string, string> {
  const lines = names.map((name) => [name, headerLines(request, name)] as const);
  return Object.fromEntries(lines.flatMap(([name, values]) => (values.length > 0 ? [[name, values.join(", ")]] : [])));
}

/**
 * Refuses a page of another site that makes a browser send messages here: browsers say where a page is from, and
 * programs have no Origin. docs/guides/assistants.md#security
 * @throws ApiError 403
 */
function checkOrigin({ request }: Exchange, publicUrl: string): void {
  const [origin, second] = headerLines(request, "origin");
  if (origin === undefined || (second === undefined && origin === new URL(publicUrl).origin)) return;
  throw new ApiError("FORBIDDEN", `Pages of ${origin.slice(0, 200)} may not use this server.`);
}

/** Notes the tool for the log of requests. An unknown name can be any text, and is not noted. */
function noteCall(known: Known, name: string, sent: unknown, { structuredContent }: ToolResult["result"]): void {
  const { idempotencyKey, dryRun }: { idempotencyKey?: unknown; dryRun?: unknown } = Object(sent);
  const { error }: { error?: { code: string } } = Object(structuredContent);
  known.tool = isTool(name) ? name : null;
  known.toolErrorCode = error?.code ?? null;
  known.isPreview = dryRun === true;
  known.idempotencyKey = typeof idempotencyKey === "string" ? idempotencyKey : undefined;
}

/** A word for all tools that only read. */
const READ = "read";

const all: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
const reading = tools.filter((tool) => !isWrite(tool)).map(({ name }) => name);

/**
 * The tools that an address offers, by the parameter `tools`: names with commas between them, or the word "read". All
 * of them without it. docs/guides/assistants.md#fewer-tools
 * @param query as it was sent
 * @throws ApiError 422 for a name of no tool, 400 for what cannot be decoded
 */
function offeredTools(query: string): ReadonlySet<string> {
  const names = valuesOf(parseQuery(query), "tools", true)
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) return all;
  const unknown = names.find((name) => name !== READ && !all.has(name));
  if (unknown !== undefined) throw unprocessable([custom(["tools"], noTool(unknown))]);
  return new Set(names.flatMap((name) => (name === READ ? reading : [name])));
}

function noTool(name: string): string {
  return `There is no tool "${name.slice(0, 100)}". Write "${READ}" for all tools that only read, or some of: ${[...all].join(", ")}.`;
}
