import type { Caller } from "../../../base/contract/caller.ts";
import { unprocessable } from "../../../base/contract/errors.ts";
import type { Issue } from "../../../base/contract/issues.ts";
import { joinPieces } from "../../../base/loop/json-pieces.ts";
import type { ParamsSchema } from "../action/schemas.ts";
import { badJson } from "../operation/body.ts";
import { bindInput, type Input, parametersOf, readInput } from "../operation/input.ts";
import type { Operation } from "../operation/operation.ts";
import type { CursorSeal } from "../response/cursor.ts";
import type { Workers } from "./workers.ts";

/** Schema that judges a request, and whether it is the last one to be tried. */
interface Judging {
  schema: ParamsSchema;
  isLast: boolean;
}

/**
 * Params of the call of an action. A large body is read and judged in a worker, a small one at once.
 * @throws ApiError 422 with all issues of path, query and body; of a large body also 400, 413, 503
 */
export function inputOf(
  workers: Workers,
  judging: Judging,
  operation: Operation,
  caller: Caller,
  seal: CursorSeal,
): Input | Promise<Input> {
  const { large } = operation;
  return large
    ? readLargeInput(workers, judging, { ...operation, large }, caller, seal)
    : readInput(judging.schema, operation, caller, seal);
}

async function readLargeInput(
  workers: Workers,
  { schema, isLast }: Judging,
  operation: Operation & { large: Buffer },
  caller: Caller,
  seal: CursorSeal,
): Promise<Input> {
  const { route, path, query, key, large: bytes } = operation;
  const issues: Issue[] = [];
  const params = parametersOf(schema, operation, issues);
  const claimed = key === undefined ? undefined : { match: { route: onlyNames(route), path }, query };
  const task = { bytes, schema: textOf(schema), params, claimed };
  // Bytes that are handed over to the worker are gone here, so it gets a copy while another schema may be tried.
  const transfer = isLast ? [bytes.buffer as ArrayBuffer] : [];
  const read = await workers.run("readBody", task, { workspaceId: caller.workspaceId, transfer });
  if ("fault" in read) throw badJson(read.fault);
  if ("issues" in read) throw unprocessable([...issues, ...read.issues]);
  if ("body" in schema.properties) params.body = await joinPieces(read.pieces);
  const binding = bindInput(schema, operation, params, { caller, seal, issues });
  if (issues.length > 0) throw unprocessable(issues);
  return { params, binding, fingerprint: read.fingerprint };
}

/** Part of a route that makes a fingerprint. The rest may hold values that cannot be sent to a worker. */
function onlyNames({ method, path }: Operation["route"]): Pick<Operation["route"], "method" | "path"> {
  return { method, path };
}

const texts = new WeakMap<ParamsSchema, string>();

function textOf(schema: ParamsSchema): string {
  const text = texts.get(schema) ?? JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}
