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

function hasData<Body>(body: Body | undefined): body is Body & { data: Unwrapped<Body> } {
  return typeof body === "object" && body !== null && "data" in body;
}
