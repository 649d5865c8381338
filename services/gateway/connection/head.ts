import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../base/contract/errors.ts";

/**
 * Fault of the head of a request that Node's parser has let pass; undefined without one. If two lines say how a request
 * is to be read, a proxy may believe the one and the server the other. Node takes RTSP/1.0 too, and does not
 * distinguish it from HTTP/1.0.
 * docs/guides/limits.md#sizes
 * @returns ApiError 400
 */
export function headFault({
  httpVersion,
  httpVersionMajor,
  httpVersionMinor,
  rawHeaders,
  headers,
}: IncomingMessage): ApiError | undefined {
  if (httpVersionMajor !== 1) return invalid(`This server speaks HTTP/1.1 and HTTP/1.0, not HTTP/${httpVersion}.`);
  const encoding = headers["transfer-encoding"];
  // HTTP/1.0 has no transfer encodings, so a proxy that speaks it takes the chunks for the body itself (RFC 9112, 6.1).
  if (encoding !== undefined && httpVersionMinor === 0)
    return invalid(
      "A request of HTTP/1.0 has no Transfer-Encoding. Send its body with a Content-Length, or speak HTTP/1.1.",
    );
  if (encoding !== undefined && encoding.toLowerCase() !== "chunked")
    return invalid(`The only transfer encoding of a body is chunked (Transfer-Encoding: chunked).`);
  const repeated = repeatedOf(rawHeaders);
  return repeated === undefined ? undefined : invalid(`The header ${repeated} may be sent once.`);
}

/** The header of which there are two lines, of those that may have one. */
function repeatedOf(rawHeaders: readonly string[]): string | undefined {
  let [hosts, types] = [0, 0];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    // The lengths tell the two from nearly all others at once.
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
    else if (name.length === 12 && name.toLowerCase() === "content-type") types += 1;
  }
  if (hosts > 1) return "Host";
  return types > 1 ? "Content-Type" : undefined;
}

function invalid(message: string): ApiError {
  // The end of such a request is not known for sure, so nothing behind it is read.
  return new ApiError("INVALID_REQUEST", message, undefined, { Connection: "close" });
}

/**
 * The values of a header, one for each line that was sent. `request.headers` does not separate them: Node keeps the
 * first of repeated Authorization lines, and joins the lines of most other headers.
 * @param name in lower case
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    if (raw && raw.length === name.length && raw.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
}
