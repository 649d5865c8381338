import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { type IdKind, PREFIXES } from "../../../base/values/ids.ts";
import type { Arguments } from "./arguments.ts";
import type { Tool } from "./tools.ts";

/**
 * The tool that a call means: for one about things of several kinds the tool of the kind that the argument `id` or
 * `entityType` tells. docs/guides/assistants.md#history
 * @param sent whatever stands in the place of the arguments
 * @throws ApiError 422 for another kind, and without one
 */
export function meantTool(tool: Tool, sent: unknown): Tool {
  if (!tool.ofKinds) return tool;
  const { id, entityType }: { id?: unknown; entityType?: unknown } = Object(sent);
  const kinds = [...tool.ofKinds];
  const isMeant = (kind: IdKind) =>
    tool.meantBy === "entityType" ? entityType === kind : typeof id === "string" && id.startsWith(`${PREFIXES[kind]}_`);
  const [, meant] = kinds.find(([kind]) => isMeant(kind)) ?? [];
  if (meant) return meant;
  if (tool.meantBy === "entityType")
    throw unprocessable([custom(["entityType"], `Send one of ${kinds.map(([kind]) => kind).join(", ")}`)]);
  const forms = kinds.map(([kind]) => `of a ${kind} (${PREFIXES[kind]}_…)`).join(", ");
  throw unprocessable([custom(["id"], `Send an id ${forms.replace("a object", "an object")}`)]);
}

/**
 * The sent arguments, without those that are null. A host that fills in every argument sends those of other kinds
 * too. docs/guides/assistants.md#arguments
 */
export function sentTo({ meantBy }: Tool, sent: unknown): unknown {
  const isObject = typeof sent === "object" && sent !== null && !Array.isArray(sent);
  if (meantBy === undefined || !isObject) return sent;
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== null && (meantBy === "id" || name !== meantBy)),
  );
}

/** Arguments by the names of the parameters that they stand for. */
export function byParameters({ idParameter }: Tool, args: Arguments): Arguments {
  if (idParameter === undefined) return args;
  const { id, ...others } = args;
  return { [idParameter]: id, ...others };
}
