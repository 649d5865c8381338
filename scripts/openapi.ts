// Writes docs/openapi.json, the document of GET /v1/openapi.json; docs/mcp-tools.json, the list of tools for
// assistants; and docs/workspace-file.schema.json, with which editors complete workspace files. The schemas come from
// the services, and the answers of the examples from a server that this script starts. test/scripts compares the files
// with the services, and test/contract/examples sends the examples to a server again.
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
