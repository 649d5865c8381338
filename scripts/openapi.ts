// Writes docs/openapi.json, the document that GET /v1/openapi.json hands out; docs/mcp-tools.json, the tools that assistants are
// told of; and docs/workspace-file.schema.json, by which editors complete workspace files. Their schemas come from the services;
// what the examples of the document are answered with is asked of a server that is started for it. test/scripts compares the
// files with what the services say, and test/contract/examples sends the examples to a server again.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiDocument, exampleRequests } from "./openapi/document.ts";
import { loadActions, loadOperations } from "./openapi/operations.ts";
import { record } from "./openapi/scenario/recording.ts";
import { withExampleServer } from "./openapi/scenario/server.ts";
import { listedTools } from "./openapi/tools.ts";
import { workspaceFileSchema } from "./openapi/workspace-file.ts";

const DOCS = join(import.meta.dirname, "..", "docs");

const tools = listedTools(await loadActions());
write("mcp-tools.json", tools, `${tools.tools.length} tools`);
write("workspace-file.schema.json", workspaceFileSchema(), "the workspace file");
const operations = await loadOperations();
const recording = await withExampleServer((server) => record(server, operations, exampleRequests(operations)));
write("openapi.json", apiDocument(operations, recording), `${operations.length} operations`);

function write(name: string, content: object, what: string): void {
  writeFileSync(join(DOCS, name), `${JSON.stringify(content, null, 2)}\n`);
  console.log(`docs/${name}: ${what}`);
}
