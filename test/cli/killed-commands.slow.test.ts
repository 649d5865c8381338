import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { command, startCommand } from "../../lab/harness/command.ts";
import { until } from "../../lab/harness/until.ts";
import { testFolder } from "../support/folder.ts";
import { whileHeld } from "../support/locked-row.ts";
import { atRest, type RichWorkspace, richWorkspace } from "../support/rich-workspace.ts";
import { schemaTables } from "../support/schema-tables.ts";
import { startProcess } from "../support/server.ts";

// A command that is killed in the middle leaves nothing behind: all that it does is one transaction, or a file without
// its name.

let server: Awaited<ReturnType<typeof startProcess>>;
let rich: RichWorkspace;
let archive = "";
let before: string[] = [];
const files = testFolder();

beforeAll(async () => {
  server = await startProcess();
  rich = await richWorkspace(server, files, { slug: "rich" });
  archive = join(files.path, "rich.ndjson.gz");
  expect(await rich.admin.run("export --workspace rich --all --output", archive)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await rich.close();
  await server.stop();
  files.remove();
});

beforeEach(async () => {
  await atRest(server.database);
  before = await everything();
});

/** Tables that the background fills behind writes, as it does the column `words`. docs/decisions/0026-duplicates.md */
const BEHIND = /^duplicate_(?!dismissals)/;

/** Every row of every table that outlives a crash of PostgreSQL, as text. */
async function everything(): Promise<string[]> {
  const rows: string[] = [];
  for (const { name } of await schemaTables(server.database.read)) {
    if (name === "request_logs" || name === "rate_windows" || BEHIND.test(name)) continue;
    const found = await server.database.read<{ text: string }>(
      `select (row_to_json(t)::jsonb - 'words')::text as text from "${name}" t`,
    );
    rows.push(...found.map(({ text }) => `${name} ${text}`));
  }
  return rows.toSorted();
}

const variables = () => ({ DATABASE_URL: server.databaseUrl });

/** Connections of commands. */
const OPEN = "select from pg_stat_activity where datname = current_database() and application_name like '%command'";

/** Starts a command, and sends it a signal where it waits for a lock that this statement takes. Gives its exit code. */
async function killedAt(lock: string, words: string[], signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
  const connections = async (which: string) => (await server.database.read(`${OPEN} ${which}`)).length;
  const code = await whileHeld(server.database, lock, async () => {
    const { child, ended } = startCommand(words, variables());
    // The server may wait for the lock too, and sooner.
    await until("the command waits", async () => (await connections("and wait_event_type = 'Lock'")) > 0, 60_000);
    child.kill(signal);
    return (await ended).code;
  });
  await until("PostgreSQL has noticed", async () => (await connections("")) === 0);
  return code;
}

test("an export that is interrupted leaves no file, and the next one removes what a killed one has left", async () => {
  const folder = join(files.path, "exports");
  mkdirSync(folder);
  const words = ["export", "people", "--workspace", "rich", "--output", join(folder, "people.csv")];
  const lock = "lock table people in access exclusive mode";
  expect(await killedAt(lock, words, "SIGINT")).toBe(130);
  expect(readdirSync(folder)).toEqual([]);
  expect(await killedAt(lock, words)).toBeNull();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^people\.csv\.unfinished-\d+$/)]);
  expect(await command(words, variables())).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual(["people.csv"]);
});

// The first table that it writes, one of records, and the last.
test.each(["workspaces", "interactions", "webhook_queues"])(
  "import workspace that is killed when it writes %s leaves nothing, and is run again (docs/guides/export.md#importing-an-archive)",
  async (table) => {
    const words = ["import", "workspace", archive, "--workspace", `copy-${table.replace("_", "-")}`, "--json"];
    // A server reads the table meanwhile.
    expect(await killedAt(`lock table ${table} in share mode`, words)).toBeNull();
    expect(await everything()).toEqual(before);
    const { code, out, err } = await command(words, variables());
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ counts: { people: 2, interactions: 3, webhooks: 0 } });
  },
);

// The record, and the log, when the record and its interactions are gone.
test.each(["people", "change_log"])(
  "people erase that is killed when it writes %s leaves everything as it was (docs/guides/data-protection.md#erasing-a-person)",
  async (table) => {
    const words = ["people", "erase", rich.person.id, "--workspace", "rich", "--yes"];
    expect(await killedAt(`lock table ${table} in share mode`, words)).toBeNull();
    expect(await everything()).toEqual(before);
  },
);

test("and then erases, when it is run again", async () => {
  const { code, out } = await command(
    ["people", "erase", rich.person.id, "--workspace", "rich", "--yes", "--json"],
    variables(),
  );
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ id: rich.person.id, notes: 2 });
});
