import type { Caller } from "../../../base/contract/caller.ts";
import { joinPieces } from "../../../base/loop/json-pieces.ts";
import type { ParamsSchema, Schemas } from "../action/schemas.ts";
import type { JudgedCall } from "../body-worker/large.worker.ts";
import type { Workers } from "../body-worker/workers.ts";
import { badJson } from "../operation/body.ts";
import { isWrite } from "../operation/routes.ts";
import { schemaOfArguments } from "./arguments.ts";
import { type Tool, tools } from "./tools.ts";

/** A message of an assistant. `call` is known of one that a worker has read, when it calls a tool. */
export interface Message {
  message: unknown;
  call: LargeCall | undefined;
}

/** A call that a worker has judged, by this schema of its action. */
export interface LargeCall extends JudgedCall {
  schema: ParamsSchema;
}

/**
 * Reads a large message in a worker, which judges its arguments too.
 * @throws ApiError 400, 413, 503
 */
export async function readLargeMessage(
  { schemasOf, workers }: { schemasOf(action: string): Schemas; workers: Workers },
  bytes: Buffer,
  { workspaceId }: Caller,
): Promise<Message> {
  // The schema of a tool of several kinds depends on the call, which has no large arguments: it is judged as others.
  const judged = tools.filter(({ ofKinds }) => !ofKinds);
  const ofTools = new Map(judged.map((tool) => [tool.name, { tool, schemas: schemasOf(tool.action) }]));
  const task = { bytes, schemas: argumentSchemas(ofTools) };
  const transfer = [bytes.buffer as ArrayBuffer];
  const read = await workers.run("readMessage", task, { workspaceId, transfer });
  if ("fault" in read) throw badJson(read.fault);
  const schema = read.call && ofTools.get(read.call.name)?.schemas[read.call.at];
  return { message: await joinPieces(read.pieces), call: read.call && schema && { ...read.call, schema } };
}

const texts = new WeakMap<object, string>();

/** Tool → JSON texts of the schemas of its arguments; none for a service that was never there. */
function argumentSchemas(ofTools: Map<string, { tool: Tool; schemas: Schemas }>): Record<string, string[]> {
  const textsOf = ({ tool, schemas }: { tool: Tool; schemas: Schemas }) =>
    schemas.map((ofAction) => textOf(schemaOfArguments(ofAction, isWrite(tool))));
  return Object.fromEntries([...ofTools].map(([name, of]) => [name, textsOf(of)]));
}

function textOf(schema: object): string {
  const text = texts.get(schema) ?? JSON.stringify(schema);
  texts.set(schema, text);
  return text;
}
