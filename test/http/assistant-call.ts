import { assistant } from "../support/assistant.ts";
import type { Scene } from "../support/scene.ts";

/** Content types that a client of the endpoint accepts. */
export const ACCEPT = "application/json, text/event-stream";

/** A message that calls a tool, for tests that send it by themselves. */
export function call(name: string, args?: unknown) {
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, ...(args !== undefined && { arguments: args }) },
  };
}

/** A workspace with an object type, which `deals` names in arguments. Its admin asks by the REST API and by tools. */
export async function toolWorkspace(scene: Scene) {
  const workspace = await scene.workspace();
  const { ada } = workspace;
  const group = await workspace.group(ada, { name: "Sales" });
  await workspace.field(ada, group, "company", { type: "objectField", name: "Deals" });
  await workspace.field(ada, group, "Deals", { type: "numericField", name: "Amount" });
  const rest = scene.api(ada);
  const mcp = await assistant(scene.server, ada.key);
  return { ...workspace, group, rest, mcp, deals: { groupId: group.id, objectType: "Deals" } };
}
