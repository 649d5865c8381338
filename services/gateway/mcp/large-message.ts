import type { Caller } from "../../../lib/contract/caller.ts";
import { joinPieces } from "../../../lib/loop/json-pieces.ts";
import type { Gateway } from "../gateway.ts";
import type { JudgedCall } from "../large/large.worker.ts";
import { badJson } from "../operation/body.ts";
import { isWrite } from "../operation/routes.ts";
import { schemaOfArguments } from "./arguments.ts";
import { tools } from "./tools.ts";

/** A message of an assistant. `call` is known of one that a worker has read, when it calls a tool. */
export interface Message {
  message: unknown;
  call: JudgedCall | undefined;
}

/**
 * Reads a large message in a worker, which judges its arguments too.
 * @throws ApiError 400, 413, 503
 */
export async function readLargeMessage(gateway: Gateway, bytes: Buffer, { workspaceId }: Caller): Promise<Message> {
  const task = { bytes, schemas: argumentSchemas(gateway) };
  const transfer = [bytes.buffer as ArrayBuffer];
  const read = await gateway.workers.run("readMessage", task, { workspaceId, transfer });
  if ("fault" in read) throw badJson(read.fault);
  return { message: await joinPieces(read.pieces), call: read.call };
}

const texts = new WeakMap<object, string>();

/** Tool → JSON text of the schema of its arguments. Those of services that are away are missing. */
function argumentSchemas({ schemaOf }: Gateway): Record<string, string> {
  const schemas: Record<string, string> = {};
  for (const tool of tools) {
    const ofAction = schemaOf(tool.action);
    if (!ofAction) continue;
    const schema = schemaOfArguments(ofAction, isWrite(tool));
    const text = texts.get(schema) ?? JSON.stringify(schema);
    texts.set(schema, text);
    schemas[tool.name] = text;
  }
  return schemas;
}
