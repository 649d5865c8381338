// Writes docs/openapi.json, the document that GET /v1/openapi.json hands out, and docs/mcp-tools.json, the tools that assistants
// are told of. test/scripts compares them with what the services say.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiDocument } from "./openapi/document.ts";
import { loadActions, loadOperations } from "./openapi/operations.ts";
import { listedTools } from "./openapi/tools.ts";

const DOCS = join(import.meta.dirname, "..", "docs");

const operations = await loadOperations();
write("openapi.json", apiDocument(operations), `${operations.length} operations`);
const tools = listedTools(await loadActions());
write("mcp-tools.json", tools, `${tools.tools.length} tools`);

function write(name: string, content: object, what: string): void {
  writeFileSync(join(DOCS, name), `${JSON.stringify(content, null, 2)}\n`);
  console.log(`docs/${name}: ${what}`);
}
