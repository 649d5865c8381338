import type { Caller } from "../../../base/contract/caller.ts";
import { unavailable } from "../../../base/contract/errors.ts";
import type { Exchange } from "../connection/exchange.ts";
import { apiKeyOf } from "../identity/api-key.ts";
import type { Route } from "../operation/routes.ts";
import type { Reply } from "../response/reply.ts";
import type { Streams } from "./streams.ts";

/** Whether a request asks for the stream of a list. HEAD asks for the headers of the list. */
export function isForStream({ isStreamed }: Route, { method, request }: Exchange): boolean {
  return isStreamed === true && method === "GET" && asksForStream(request.headers.accept);
}

/**
 * The answer that opens a stream.
 * @param streams undefined while the gateway starts
 * @param params fit the schema of the list
 * @throws ApiError 422, 429, 503
 */
export async function openStream(
  streams: Pick<Streams, "open"> | undefined,
  { request }: Exchange,
  caller: Caller,
  params: object,
): Promise<Reply> {
  const lastEventId = request.headers["last-event-id"];
  if (!streams) throw unavailable();
  return streams.open(caller, { ...params, apiKey: apiKeyOf(request) ?? "", lastEventId: lastEventId?.toString() });
}

const STREAM = "text/event-stream";
const JSON_TYPE = "application/json";

/**
 * Whether an Accept header asks for a stream of events and not for a list. It has to name the type of streams: a
 * wildcard means the list. If it names both, the one of higher weight counts, and the list when both weigh the same.
 */
function asksForStream(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(STREAM)) return false;
  const weights = new Map(accept.split(",").map(rangeOf));
  const weight = weights.get(STREAM) ?? 0;
  return weight > 0 && weight > (weights.get(JSON_TYPE) ?? 0);
}

/** A media range without its parameters, and its weight: RFC 9110, 12.4.2. */
function rangeOf(text: string): [type: string, weight: number] {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const [, digits] = parameters.map((one) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(one)).find((found) => found) ?? [];
  return [type, digits === undefined ? 1 : Math.min(1, Number(digits))];
}
