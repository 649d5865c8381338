import type { Issue } from "../../../lib/contract/issues.ts";
import { inPieces, type Piece } from "../../../lib/loop/json-pieces.ts";
import { JsonError, parseJson } from "../../../lib/values/json.ts";
import { fingerprintOf } from "../claim/fingerprint.ts";
import type { ParamsSchema } from "../operation/input.ts";
import { issuesOfNoBody, issuesOfParams } from "../operation/judge.ts";

// What is done in a worker, since it would hold the event loop: workers.ts starts it. The functions are the ones that small
// bodies are read with.

/** A large body, and what it is judged and hashed by. */
export interface BodyTask {
  bytes: Uint8Array;
  /** JSON text of the schema of the action's params. */
  schema: string;
  /** The params beside the body. */
  params: Record<string, unknown>;
  /** What the fingerprint is made of beside the body; undefined for a request without an Idempotency-Key. */
  claimed: { match: Parameters<typeof fingerprintOf>[0]; query: Parameters<typeof fingerprintOf>[1] } | undefined;
}

export type BodyResult =
  | { fault: { message: string; isTooLarge: boolean } }
  | { issues: Issue[] }
  | { pieces: Piece[]; fingerprint: string | undefined };

/** Reads and judges a body, as body.ts and input.ts do with a small one. */
export function readBody({ bytes, schema: text, params, claimed }: BodyTask): BodyResult {
  let body: unknown;
  try {
    body = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { fault: { message: error.message, isTooLarge: error.isTooLarge } };
  }
  const schema = schemaOf(text);
  const all = "body" in schema.properties ? { ...params, body } : params;
  const issues = [...issuesOfNoBody(schema, body), ...issuesOfParams(schema, all)];
  if (issues.length > 0) return { issues };
  return { pieces: inPieces(body), fingerprint: claimed && fingerprintOf(claimed.match, claimed.query, body) };
}

const schemas = new Map<string, ParamsSchema>();

/** The same object for the same text, so that it is compiled once. */
function schemaOf(text: string): ParamsSchema {
  const schema: ParamsSchema = schemas.get(text) ?? JSON.parse(text);
  schemas.set(text, schema);
  return schema;
}
