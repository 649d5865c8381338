import type { AnswerHeaders } from "./call.ts";
import { ContactWorkspaceError } from "./errors.ts";

/** Answer of a call: `data` of a success, `error` of anything else. */
interface Answered<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** Member `data` of a body. */
export type Unwrapped<Body> = Body extends { data: infer Data } ? Data : never;

/**
 * Result of a call: the record, the page or the results.
 * @throws ContactWorkspaceError for an answer that is no success; what the call throws when there is no answer
 */
export async function unwrap<Body>(call: PromiseLike<Answered<Body>>): Promise<Unwrapped<Body>> {
  const { data: body, error, response } = await call;
  if (!response.ok || !hasData(body)) throw new ContactWorkspaceError(response, error);
  return body.data;
}

/**
 * Result of a call with everything that the answer has: `data`, what stands beside it, such as the `changes` of a
 * preview or the `operation` of an upsert, and its `etag` and `requestId`.
 * @throws ContactWorkspaceError for an answer that is no success; what the call throws when there is no answer
 */
export async function unwrapAnswer<Body>(
  call: PromiseLike<Answered<Body> & AnswerHeaders>,
): Promise<Body & AnswerHeaders> {
  const { data: body, error, response, etag, requestId } = await call;
  if (!response.ok || !hasData(body)) throw new ContactWorkspaceError(response, error);
  return { ...body, etag, requestId };
}

function hasData<Body>(body: Body | undefined): body is Body & { data: Unwrapped<Body> } {
  return typeof body === "object" && body !== null && "data" in body;
}
