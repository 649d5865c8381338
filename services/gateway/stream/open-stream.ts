import type { Caller } from "../../../base/contract/caller.ts";
import { unavailable } from "../../../base/contract/errors.ts";
import type { Exchange } from "../connection/exchange.ts";
import { apiKeyOf } from "../identity/api-key.ts";
import type { Route } from "../operation/routes.ts";
import type { Reply } from "../response/reply.ts";
import { asksForStream } from "./accept.ts";
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
