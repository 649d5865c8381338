// Writes docs/openapi.json, the document that GET /v1/openapi.json hands out. test/scripts/openapi.test.ts compares the two.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiDocument } from "./openapi/document.ts";
import { loadOperations } from "./openapi/operations.ts";

const FILE = join(import.meta.dirname, "..", "docs", "openapi.json");

const operations = await loadOperations();
writeFileSync(FILE, `${JSON.stringify(apiDocument(operations), null, 2)}\n`);
console.log(`docs/openapi.json: ${operations.length} operations`);
