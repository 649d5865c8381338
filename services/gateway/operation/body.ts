import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "../../../base/contract/errors.ts";
import { JsonError, parseJson } from "../../../base/values/json.ts";
import { BODY_BYTES_MAX, LARGE_BODY_BYTES } from "../../../config/limits.ts";
import type { RequestSlot } from "../admission/admission.ts";
import { type Deadline, whileSending } from "../admission/deadline.ts";

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** The only parameter of a type that says how its bytes are to be read. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const SEND_JSON = "Send it with Content-Type: application/json.";

/** Longest wait for a small body without a place among the uploads. */
const AT_ONCE_MS = 100;
const LOOK_MS = 5;

/** The body of a request: its value, or the bytes of one so large that a worker reads it. */
export interface Body {
  body: unknown;
  large: Buffer | undefined;
}

/** Body of a request without one. */
export function emptyBody(): Body {
  return { body: {}, large: undefined };
}

/**
 * Waits for the body of a request, while the clock of the request stops. A body that came with its head is not an
 * upload. docs/guides/under-load.md
 * @throws ApiError as `readBody`; 503 too if there are too many uploads
 */
export function receiveBody(
  request: IncomingMessage,
  { place, deadline }: { place: RequestSlot; deadline: Deadline },
): Promise<Body> {
  const receive = () => whileSending(deadline, readBody(request, place));
  return request.complete ? receive() : receiveUpload(request, place, receive);
}

async function receiveUpload(
  request: IncomingMessage,
  place: RequestSlot,
  receive: () => Promise<Body>,
): Promise<Body> {
  if (place.hasNoUpload() && (await comesAtOnce(request))) return receive();
  return place.whileSending(receive);
}

/**
 * Whether a small body comes right behind its head: many clients send the two apart. So uploads of a workspace that
 * never come do not keep out its ordinary writes.
 */
async function comesAtOnce(request: IncomingMessage): Promise<boolean> {
  const { "content-length": length, expect } = request.headers;
  if (expect !== undefined || !(Number(length) <= LARGE_BODY_BYTES)) return false;
  for (let ms = 0; ms < AT_ONCE_MS && !request.complete && !request.destroyed; ms += LOOK_MS) await pause(LOOK_MS);
  return request.complete;
}

/**
 * The JSON body of a request; `{}` when there is none. docs/guides/conventions.md#bodies
 * @throws ApiError 413 over 10 MiB, 400 for another content type or invalid JSON, 503 when there is no room for it
 */
export async function readBody(request: IncomingMessage, place: Pick<RequestSlot, "reserve">): Promise<Body> {
  const bytes = await readBytes(request, place);
  if (bytes.length === 0) return emptyBody();
  checkType(request);
  if (bytes.length > LARGE_BODY_BYTES) return { body: undefined, large: bytes };
  try {
    return { body: parseJson(bytes), large: undefined };
  } catch (error) {
    throw error instanceof JsonError ? badJson(error) : error;
  }
}

/** The refusal of a body that is no JSON, or too much of it. */
export function badJson({ message, isTooLarge }: Pick<JsonError, "message" | "isTooLarge">): ApiError {
  return new ApiError(isTooLarge ? "PAYLOAD_TOO_LARGE" : "INVALID_REQUEST", message);
}

function checkType({ headers }: IncomingMessage): void {
  const type = headers["content-type"];
  if (type !== undefined && !isJson(type)) {
    const sent = type.slice(0, 100);
    throw new ApiError("INVALID_REQUEST", `A body must be JSON in UTF-8, not "${sent}". ${SEND_JSON}`);
  }
  const encoding = headers["content-encoding"];
  if (encoding && encoding.toLowerCase() !== "identity")
    throw new ApiError("INVALID_REQUEST", `A body must not be encoded (${encoding.slice(0, 50)}).`);
}

function isJson(type: string): boolean {
  const [, charset = "utf-8"] = CHARSET.exec(type) ?? [];
  return JSON_TYPE.test(type) && /^utf-?8$/i.test(charset);
}

function readBytes(request: IncomingMessage, place: Pick<RequestSlot, "reserve">): Promise<Buffer> {
  const length = request.headers["content-length"];
  if (length === undefined && request.headers["transfer-encoding"] === undefined) return Promise.resolve(NOTHING);
  if (Number(length) > BODY_BYTES_MAX) return Promise.reject(tooLarge());
  // A request reports its end once. That may have happened while the sender was looked up: its client has gone, or was
  // told that it takes too long. A wait for another end would hold a place for ever.
  if (request.destroyed || request.readableFlowing !== null) return Promise.reject(cutOff());
  return new Promise((resolve, reject) => {
    const collected = collectBytes(length === undefined ? undefined : Number(length), place);
    let size = 0;
    const keep = (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size > BODY_BYTES_MAX) throw tooLarge();
        collected.add(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    // Bytes behind a refusal are read and thrown away (reply.ts), so that the client can read the reason.
    const refuse = (error: unknown) => {
      stop();
      reject(error);
    };
    const take = () => {
      stop();
      resolve(collected.bytes());
    };
    const listeners = [
      ["data", keep],
      ["end", () => take()],
      ["error", () => refuse(cutOff())],
      ["close", () => refuse(cutOff())],
    ] as const;
    const stop = () => {
      for (const [event, listener] of listeners) request.off(event, listener);
    };
    for (const [event, listener] of listeners) request.on(event, listener);
  });
}

const NOTHING = Buffer.alloc(0);

function tooLarge(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `A body may have at most ${BODY_BYTES_MAX} bytes.`);
}

function cutOff(): ApiError {
  return new ApiError("INVALID_REQUEST", "The connection closed before the body was complete.");
}

/** Minimum size for the first chunk. */
const FIRST_BYTES = 4096;

/** The bytes of a body as far as they have arrived. */
interface Collected {
  /**
   * Takes a copy of a chunk.
   * @throws ApiError 503 when there is no room for it
   */
  add(chunk: Buffer): void;
  bytes(): Buffer;
}

/**
 * Puts chunks together in one buffer that doubles, and reserves all of its capacity: kept as they come, ten million
 * chunks of one byte would take a hundred times the bytes that were counted.
 * @param announced how many there are in all, as far as the head tells; they take room only as they arrive
 */
export function collectBytes(announced: number | undefined, place: Pick<RequestSlot, "reserve">): Collected {
  const most = announced ?? BODY_BYTES_MAX;
  let buffer = Buffer.alloc(0);
  let size = 0;

  function makeRoom(needed: number): void {
    const capacity = Math.max(needed, Math.min(most, Math.max(FIRST_BYTES, 2 * buffer.length)));
    place.reserve(capacity - buffer.length);
    // A slice of the pool that Node keeps for small buffers would hold on to all of it.
    const larger = Buffer.allocUnsafeSlow(capacity);
    buffer.copy(larger, 0, 0, size);
    buffer = larger;
  }

  return {
    add(chunk) {
      if (size + chunk.length > buffer.length) makeRoom(size + chunk.length);
      chunk.copy(buffer, size);
      size += chunk.length;
    },
    bytes: () => buffer.subarray(0, size),
  };
}
