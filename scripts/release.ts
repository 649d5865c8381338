// Run before a release. Adds the checksums of its migrations to database/migrations/checksums.json, and saves a
// workspace with something of everything in test/releases/. Tests of all later releases upgrade it.
// docs/maintaining.md#release
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { release } from "../config/release.ts";
import { migrations } from "../database/migrations/index.ts";
import { writeBackup } from "../tools/backup/write.ts";
import { exampleRequests } from "./openapi/document.ts";
import { loadOperations } from "./openapi/operations.ts";
import { fullestBody } from "./openapi/scenario/recording.ts";
import { withExampleServer } from "./openapi/scenario/server.ts";
import { makeExampleWorkspace } from "./openapi/scenario/workspace.ts";
import { readOptions } from "./options.ts";

readOptions("node scripts/release.ts", {});

const ROOT = join(import.meta.dirname, "..");
const CHECKSUMS = join(ROOT, "database", "migrations", "checksums.json");
const BACKUP = join(ROOT, "test", "releases", `${release()}.zip`);

if (existsSync(BACKUP)) throw new Error(`${BACKUP} is there already: raise the version in package.json first.`);
const released: Record<string, string> = JSON.parse(readFileSync(CHECKSUMS, "utf8"));
for (const { name, place, checksum } of migrations) {
  if ((released[name] ?? checksum) !== checksum)
    throw new Error(`${place} was released and has been edited: put it back, and write a migration of its own.`);
  released[name] = checksum;
}

mkdirSync(dirname(BACKUP), { recursive: true });
const requests = exampleRequests(await loadOperations());
await withExampleServer(async (server) => {
  await makeExampleWorkspace(server, (id) => fullestBody(requests.get(id)));
  const keyPlaces = { given: [], folder: null };
  const sink = createWriteStream(BACKUP);
  await writeBackup({ databaseUrl: server.databaseUrl, sink, keyPlaces, withKeys: true });
});
writeFileSync(CHECKSUMS, `${JSON.stringify(released, null, 2)}\n`);
console.log(`test/releases/${release()}.zip\nmigrations/checksums.json: ${Object.keys(released).length} migrations`);
