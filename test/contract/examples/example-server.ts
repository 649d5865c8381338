import { exampleRequests } from "../../../scripts/openapi/document.ts";
import { loadOperations } from "../../../scripts/openapi/operations.ts";
import { EXAMPLE_TARGET, startOutside } from "../../../scripts/openapi/scenario/outside.ts";
import { type ExampleWorkspace, makeExampleWorkspace, makeTwins } from "../../../scripts/openapi/scenario/workspace.ts";
import { adminOf } from "../../support/admin.ts";
import { type Answer, type Client, patientClient } from "../../support/client.ts";
import { startProcess, type TestServer } from "../../support/server.ts";
import type { Meanings } from "./compare.ts";
import type { ShownOperation } from "./walk.ts";

/** A request as the document shows it. */
export interface ShownRequest {
  method: string;
  template: string;
  path: Record<string, string>;
  query: Record<string, string | string[]>;
  body?: unknown;
  headers?: Record<string, string | undefined>;
}

/** A server, with the workspace that the examples of the document are about. */
export interface Examples {
  server: TestServer;
  workspace(): Promise<ExampleWorkspace>;
  /** Adds a pair of people and one of companies. */
  addTwins(workspace: ExampleWorkspace): Promise<void>;
  /** Sends a request to a workspace, with its own ids in the place of those of the examples. */
  send(workspace: ExampleWorkspace, request: ShownRequest): Promise<Answer>;
  meanings(workspace: ExampleWorkspace): Meanings;
  stop(): Promise<void>;
}

export async function startExamples(): Promise<Examples> {
  const outside = await startOutside();
  const server = await startProcess({ env: outside.env });
  const admin = adminOf(server.databaseUrl, outside.env);
  const requests = exampleRequests(await loadOperations());
  const fullestBody = (id: string) => Object.values(requests.get(id)?.bodies ?? {}).at(-1) as Record<string, unknown>;
  const { base, publicUrl, databaseUrl, database } = server;
  const target = { base, publicUrl, databaseUrl, database, call: admin.call, outside };
  return {
    server,
    workspace: () => makeExampleWorkspace(target, fullestBody),
    addTwins: (workspace) => makeTwins(target, workspace),
    send: ({ key, toReal }, request) => sendShown(patientClient(server, key), toReal, request),
    meanings: ({ ids }) => ({ publicUrl, ids: new Map(ids.known()), texts: { [EXAMPLE_TARGET]: outside.target } }),
    stop: async () => {
      await admin.close();
      await server.stop();
      await outside.stop();
    },
  };
}

/** Sends a request of the document, with texts as they are meant on this server. */
export function sendShown(
  api: Client,
  toReal: (text: string) => string,
  { method, template, path, query, body, headers }: ShownRequest,
): Promise<Answer> {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, one);
  const target = toReal(search.size > 0 ? `${filled}?${search}` : filled);
  const sent = body === undefined || Buffer.isBuffer(body) ? body : toReal(textOf(body));
  return api.request(method, target, sent, headers);
}

/** A text is sent as it is. */
function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** The request that an operation shows by the example of this name. */
export function shownRequest(operation: ShownOperation, name: string): ShownRequest {
  const { method, template, path, query, bodies } = operation;
  return { method, template, path, query, body: bodies[name] };
}
