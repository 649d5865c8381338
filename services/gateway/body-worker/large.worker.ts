import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Issue } from "../../../base/contract/issues.ts";
import { issuesOfNoBody, issuesOfParams } from "../../../base/contract/validate.ts";
import { inPieces, type Piece } from "../../../base/loop/json-pieces.ts";
import { JsonError, parseJson } from "../../../base/values/json.ts";
import type { ParamsSchema } from "../action/schemas.ts";
import { fingerprintOf } from "../claim/fingerprint.ts";
import { callFingerprint } from "../mcp/call-fingerprint.ts";
import { judgeArguments } from "../mcp/judge-arguments.ts";
import { minimalBatch } from "../mcp/minimal-batch.ts";
import { callIn } from "../mcp/sent-message.ts";

// Work of a worker, which would hold the event loop: workers.ts starts it. The functions are the ones that read small
// bodies.

/** A large body, with everything for judging and hashing it. */
export interface BodyTask {
  bytes: Uint8Array;
  /** JSON text of the schema of the action's params. */
  schema: string;
  params: Record<string, unknown>;
  /** Parts of the fingerprint beside the body; undefined for a request without an Idempotency-Key. */
  claimed: { match: Parameters<typeof fingerprintOf>[0]; query: Parameters<typeof fingerprintOf>[1] } | undefined;
}

/** Reason why a body is not valid JSON, or is too large. */
interface Fault {
  message: string;
  isTooLarge: boolean;
}

export type BodyResult = { fault: Fault } | { issues: Issue[] } | { pieces: Piece[]; fingerprint: string | undefined };

/** Reads and judges a body, as body.ts and input.ts do with a small one. */
export function readBody({ bytes, schema: text, params, claimed }: BodyTask): BodyResult {
  const read = readJson(bytes);
  if ("fault" in read) return read;
  const { value: body } = read;
  const schema = schemaOf(text);
  const all = "body" in schema.properties ? { ...params, body } : params;
  const issues = [...issuesOfNoBody(schema, body), ...issuesOfParams(schema, all)];
  if (issues.length > 0) return { issues };
  return { pieces: inPieces(body), fingerprint: claimed && fingerprintOf(claimed.match, claimed.query, body) };
}

/** A large message of an assistant. */
export interface MessageTask {
  bytes: Uint8Array;
  /** Tool → JSON texts of the schemas of its arguments, in the order in which they are tried. */
  schemas: Record<string, string[]>;
}

/** A tool call with the faults of its arguments, or with its fingerprint if there are none. */
export interface JudgedCall {
  name: string;
  /** Which of the schemas of the tool takes the arguments; the first when none does, and its issues. */
  at: number;
  issues: Issue[];
  fingerprint: string | undefined;
}

export type MessageResult = { fault: Fault } | { pieces: Piece[]; call: JudgedCall | undefined };

/**
 * Reads a message and judges the arguments in it. They come back without what counts as not sent; of arguments that are
 * refused only the key comes back.
 */
export function readMessage({ bytes, schemas: ofTools }: MessageTask): MessageResult {
  const read = readJson(bytes);
  if ("fault" in read) return read;
  const { value: message } = read;
  const { name, sent } = callIn(message) ?? {};
  const tried = name !== undefined && Object.hasOwn(ofTools, name) ? (ofTools[name] ?? []) : [];
  if (name === undefined || tried.length === 0) return { pieces: inPieces(message), call: undefined };
  const { at, args, issues } = judgeByFirstFitting(tried, sent);
  const isSound = issues.length === 0;
  const { idempotencyKey }: { idempotencyKey?: unknown } = Object(args);
  const { params, ...rest }: { params?: object } = Object(message);
  const judged = { ...rest, params: { ...params, arguments: isSound ? args : { idempotencyKey } } };
  const fingerprint = isSound ? callFingerprint(name, Object(args)) : undefined;
  return { pieces: inPieces(judged), call: { name, at, issues, fingerprint } };
}

/** The arguments as the first schema reads them that takes them, or as the first of all does when none takes them. */
function judgeByFirstFitting(tried: string[], sent: unknown): { at: number; args: unknown; issues: Issue[] } {
  const [first = "", ...others] = tried;
  const judged = { at: 0, ...judgeArguments(schemaOf(first), sent) };
  if (judged.issues.length === 0) return judged;
  for (const [i, text] of others.entries()) {
    const { args, issues } = judgeArguments(schemaOf(text), sent);
    if (issues.length === 0) return { at: i + 1, args, issues };
  }
  return judged;
}

/** The body of a batch as an assistant gets it, JSON text, and the ids that it sent. */
export interface BatchTask {
  body: string;
  ids: (string | undefined)[];
}

/** Shortens the answer of a batch for an assistant. */
export function shortenBatch({ body, ids }: BatchTask): string {
  return minimalBatch(body, ids);
}

/**
 * Frees the memory that earlier tasks have left behind. V8 would keep it until the next task, and the process would
 * stay larger.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

function readJson(bytes: Uint8Array): { fault: Fault } | { value: unknown } {
  try {
    return { value: parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { fault: { message: error.message, isTooLarge: error.isTooLarge } };
  }
}

const schemas = new Map<string, ParamsSchema>();

/** The same object for the same text, so that it is compiled once. */
function schemaOf(text: string): ParamsSchema {
  const schema: ParamsSchema = schemas.get(text) ?? JSON.parse(text);
  schemas.set(text, schema);
  return schema;
}
