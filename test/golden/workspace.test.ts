import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";
import { atRest, type RichWorkspace, richWorkspace } from "../support/rich-workspace.ts";
import { startProcess } from "../support/server.ts";
import { startWebhookReceiver, WEBHOOK_ENV, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { expectGolden } from "./answers.ts";
import { told } from "./command.ts";
import { normaliser } from "./normalise.ts";
import { tablesOf } from "./tables.ts";

let server: Awaited<ReturnType<typeof startProcess>>;
let receiver: WebhookReceiver;
let rich: RichWorkspace;
let elsewhere: TestDatabase;
const files = testFolder();

beforeAll(async () => {
  server = await startProcess({ env: WEBHOOK_ENV });
  receiver = await startWebhookReceiver();
  rich = await richWorkspace(server, files, { slug: "rich", receiver });
  await receiver.next("the person", ({ type }) => type === "person.updated");
  await atRest(server.database);
  // How many of them there are depends on what is counted together.
  await server.database.read("delete from events where type like '%interaction_metadata_updated'", []);
  elsewhere = await testDatabase();
});
afterAll(async () => {
  await rich.close();
  await receiver.close();
  await server.stop();
  await elsewhere.drop();
  files.remove();
});

const EMAIL = "grace.hopper@navy.example";

/** Runs commands one after another, with the contents of files that they wrote. */
async function session(
  databaseUrl: string,
  normal: (text: string) => string,
  ...commands: string[][]
): Promise<string> {
  const answers: string[] = [];
  for (const words of commands) {
    answers.push(await told(words, { databaseUrl, cwd: files.path }));
    const file = words[words.indexOf("--output") + 1];
    if (words.includes("--output") && file) answers.push(`> ${file}`, contentOf(file));
  }
  const text = answers
    .join("\n")
    .replaceAll(files.path, "FOLDER")
    .replaceAll(/127\.0\.0\.2:\d+/g, "RECEIVER")
    // In a dossier, whose JSON has blanks: how events are numbered depends on what is counted together.
    .replaceAll(/"(position|seq|event_position|durationMs)": \d+/g, '"$1": 0');
  return normal(text);
}

function contentOf(file: string): string {
  const bytes = readFileSync(join(files.path, file));
  const text = file.endsWith(".gz") ? gunzipSync(bytes).toString() : bytes.toString();
  // The checksum of an archive depends on its ids.
  return text.replace(/"sha256":"[0-9a-f]{64}"/, '"sha256":"…"');
}

const tables = async (of: Pick<TestDatabase, "database">, normal: (text: string) => string, slugs?: string[]) =>
  (await tablesOf(of, normal, slugs)).replaceAll(/127\.0\.0\.2:\d+/g, "RECEIVER");

test("the fullest workspace: its tables, exports of records, workspace file and dossier", async () => {
  const normal = normaliser();
  const before = await tables(server, normal);
  const formats = [["--csv"], ["--json"], ["--ndjson"], ["--csv", "--server-fields"], ["--csv", "--links", "id"]];
  const kinds = [["people"], ["companies"], ["Deals"], ["people", "--group", "Sales"], ["people", "--group", "Board"]];
  const of = ["--workspace", "rich"];
  const exports = await session(
    server.databaseUrl,
    normal,
    ["export", ...of],
    ["export", ...of, "--json"],
    ...kinds.flatMap((kind) => formats.map((format) => ["export", ...kind, ...of, ...format])),
    ["export", "people", ...of, "--group", "Sales", "--for-spreadsheets"],
    ["people", "export", EMAIL, ...of],
    ["people", "export", EMAIL, ...of, "--output", "dossier.json"],
    ["people", "export", String(rich.merged.id), ...of],
    ["people", "export", "nobody@x.test", ...of],
    ["people", "erase", EMAIL, ...of, "--dry-run"],
    ["people", "erase", EMAIL, ...of, "--dry-run", "--json"],
    ["people", "erase", EMAIL, ...of],
  );
  expectGolden("workspace-before", `${before}\n${exports}\n`);
});

test("its archive, and the workspaces made of it here and elsewhere", async () => {
  const normal = normaliser();
  const archived = await session(server.databaseUrl, normal, [
    ...["export", "--all", "--workspace", "rich", "--output", "rich.ndjson.gz"],
  ]);
  const elsewhereSaid = await session(
    elsewhere.url,
    normal,
    ["import", "workspace", "rich.ndjson.gz", "--json"],
    ["import", "workspace", "rich.ndjson.gz"],
    ["import", "workspace", "rich.yaml", "--workspace", "other"],
    ["export", "--all", "--workspace", "rich", "--output", "again.ndjson.gz"],
    ["doctor"],
  );
  const elsewhereHas = await tables(elsewhere, normal);
  const hereSaid = await session(
    server.databaseUrl,
    normal,
    ["import", "workspace", "rich.ndjson.gz"],
    ["import", "workspace", "rich.ndjson.gz", "--workspace", "copy"],
    ["export", "--all", "--workspace", "copy", "--output", "copy.ndjson.gz"],
  );
  const hereHas = await tables(server, normal, ["copy"]);
  await session(server.databaseUrl, normal, ["workspaces", "remove", "--workspace", "copy", "--yes"]);
  expectGolden(
    "workspace-archive",
    `${[archived, elsewhereSaid, elsewhereHas, hereSaid, hereHas].join("\n").replaceAll(SIZES, "SIZE")}\n`,
  );
});

const SIZES = /\d+(\.\d+)? (GiB|MiB|KiB|GB|MB|kB)/g;

test("the erasure of the person, and everything that is left", async () => {
  const normal = normaliser();
  const before = await tables(server, normal, ["rich"]);
  const said = await session(
    server.databaseUrl,
    normal,
    ["people", "erase", EMAIL, "--workspace", "rich", "--yes", "--json"],
    ["people", "erase", EMAIL, "--workspace", "rich", "--yes"],
    ["people", "export", "katherine@nasa.example", "--workspace", "rich"],
    ["export", "people", "--workspace", "rich", "--json"],
  );
  await atRest(server.database);
  const after = await tables(server, normal);
  expectGolden("workspace-erased", `${before}\n${said}\n${after}\n`);
});
