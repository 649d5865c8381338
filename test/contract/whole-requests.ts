import type { Client } from "../support/client.ts";
import { fullBody, type Material, pathOf } from "./material.ts";
import { type Operation, titleOf } from "./operations.ts";

/** A request that changes something. */
export interface WholeRequest {
  method: Operation["method"];
  path: string;
  body: unknown;
}

/** Makes a request of an operation with all that it needs: restoring needs a deletion, an undo something to undo. */
export async function wholeRequest(operation: Operation, api: Client, material: Material): Promise<WholeRequest> {
  const { names, ids } = material;
  const { method } = operation;
  const path = pathOf(operation, names);
  if (operation.action === "undo.create") return { method, path, body: { requestId: await changePerson(api, names) } };
  if (operation.action === "people.dismissDuplicate") return { method, path, body: pairOf(names.personId, ids.per_) };
  if (operation.action === "companies.dismissDuplicate")
    return { method, path, body: pairOf(names.companyId, ids.com_) };
  if (path.endsWith("/restore")) await deleteFirst(api, path.replace(/\/restore$/, ""), operation);
  return { method, path, body: operation.params.body && fullBody(operation.params.body, ids) };
}

/** Two different records: paths name one, and bodies name the other. */
function pairOf(...ids: (string | undefined)[]): object {
  return { records: ids.map((id) => ({ id })) };
}

async function changePerson(api: Client, { personId }: Record<string, string>): Promise<string> {
  const { status, text, headers } = await api.patch(`/v1/people/${personId}`, { jobTitle: "Changed by mistake" });
  if (status !== 200) throw new Error(`There is nothing to undo: ${text}`);
  return String(headers["x-request-id"]);
}

async function deleteFirst(api: Client, path: string, operation: Operation): Promise<void> {
  const { status, text } = await api.delete(path);
  if (status !== 200) throw new Error(`${titleOf(operation)} has nothing to restore: ${text}`);
}
