import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { adminOf } from "../support/admin.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";
import { inReplAtTerminal } from "../support/terminal.ts";

// docs/guides/commands.md#repl
const files = testFolder();
let database: TestDatabase;
let key: string;

beforeAll(async () => {
  database = await testDatabase();
  const admin = adminOf(database.url);
  await admin.run("apply", files.write("acme.yaml", "workspace: acme\nusers: [{ email: ada@acme.test }]\n"));
  key = (await admin.run("keys create --workspace acme --user ada@acme.test")).out;
  await admin.close();
});
afterAll(async () => {
  await database.drop();
  files.remove();
});

/** What stands below each line that is typed. */
async function said(...lines: string[]): Promise<string[]> {
  const variables = { DATABASE_URL: database.url, HOME: files.path };
  const { screen } = await inReplAtTerminal(lines, variables);
  const parts = stripVTControlCharacters(screen).split("workspace $ ").slice(1, -1);
  return parts.map((part) => part.slice(part.indexOf("\n") + 1).replace(/\s+$/, ""));
}

test("a word that is no command is answered in a line, and help as at the command line", async () => {
  const [unknown = "", helped = "", asked = "", mistyped = ""] = await said(
    "kys list --workspace acme",
    "help keys revoke",
    "users add --help",
    "keys lst",
  );
  expect(unknown).toMatch(/^There is no command "kys"\. Did you mean keys\? There are: apply, .*$/);
  expect(helped).toMatch(/^Usage: workspace keys revoke \[options\] <KEY>/);
  expect(helped).toMatch(/Examples:\n {2}keys revoke cwk_Xh2kQw7a --pause-webhooks\n/);
  expect(asked).toMatch(/^Usage: workspace users add \[options\]/);
  expect(mistyped).toMatch(/^There is no command "lst"\. Did you mean keys list\?/);
});

test("no secret is shown, and none that is typed stays in the history", async () => {
  const [environment = "", broker = "", listed = ""] = await said(
    "env",
    "info",
    `users list --workspace ${key}`,
    `keys revoke ${key}`,
  );
  expect(environment).toBe('"env" is not run here: it would show passwords and keys.');
  expect(broker).toBe('"info" is not run here: it would show passwords and keys.');
  expect(listed).toBe(
    'An API key was typed where no key is expected: end it with "keys revoke" and its id, which "keys list" shows.',
  );
  const history = readFileSync(join(files.path, ".moleculer_repl_history"), "utf8");
  expect(history).toContain("keys revoke cwk_…");
  expect(history).toContain("users list --workspace cwk_…");
  expect(history).not.toContain(key.slice(0, 20));
});

test("what would be lost is refused without --yes, in words that say so", async () => {
  const [refused] = await said("workspaces remove --workspace acme");
  expect(refused).toBe(
    'This permanently deletes everything of "acme". This command cannot ask here: add --yes to continue.',
  );
});
