import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mapSchema } from "../tools/import/map-file.ts";
import { readOptions } from "./options.ts";

readOptions("node scripts/import-map.ts", {});

// Writes docs/import-map.schema.json, which editors read.

const FILE = join(import.meta.dirname, "..", "docs", "import-map.schema.json");
writeFileSync(FILE, `${JSON.stringify(mapSchema(), null, 2)}\n`);
