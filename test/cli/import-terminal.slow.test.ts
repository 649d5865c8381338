import { readdirSync } from "node:fs";
import { beforeEach, expect, test } from "@jest/globals";
import { adminScene } from "../support/admin-scene.ts";
import { atTerminal, CTRL_C, CTRL_D } from "../support/terminal.ts";

// docs/guides/import.md#the-plan
const { admin, files } = adminScene();

beforeEach(async () => {
  const text = `workspace: acme
users: [{ email: ada@acme.test, role: admin }]
groups: [{ name: Sales, members: [{ user: ada@acme.test, role: admin }] }]
`;
  await admin.run("workspaces remove --workspace acme --yes");
  expect((await admin.run("apply", files.write("acme.yaml", text))).err).toBe("");
});

/** Imports a file at a terminal, where somebody types this at each question. */
async function importing(text: string, ...answers: [question: string, typed: string][]) {
  const path = files.write("people.csv", text);
  const words = ["import", "people", path, "--workspace", "acme", "--group", "Sales"];
  const typed = answers.map(([at, type]) => ({ at, type }));
  return await atTerminal(words, { DATABASE_URL: admin.url }, typed);
}

async function people(): Promise<unknown[]> {
  const rows = await admin.query<{ name: string }>("select full_name as name from people order by id");
  return rows.map(({ name }) => name);
}

test("the plan is shown, and at any answer but yes nothing is written", async () => {
  for (const [typed, code] of [
    ["n\n", 1],
    ["\n", 1],
    ["yeah\n", 1],
    [CTRL_D, 1],
    [CTRL_C, 130],
  ] as const) {
    const ended = await importing("Name,Fax\nAda,1\nBob,2\n", ["Import 2 rows? [y/N] ", typed]);
    expect(ended.screen).toContain('  Name → fullName (2 values: "Ada", "Bob")\n');
    expect(ended.code).toBe(code);
    expect(ended.screen.includes("Nothing was written.")).toBe(typed !== CTRL_C);
    expect(await people()).toEqual([]);
  }
  expect(readdirSync(files.path).sort()).toEqual(["acme.yaml", "people.csv"]);
});

test("at yes the rows are written", async () => {
  for (const typed of ["y\n", "Yes\n"]) {
    const { code, screen } = await importing("Name\nAda\nBob\n", ["Import 2 rows? [y/N] ", typed]);
    expect(code).toBe(0);
    expect(screen).toContain("2 read: ");
    expect(await people()).toEqual(["Ada", "Bob"]);
  }
});

test("the order of day and month is asked for where a column does not tell", async () => {
  const order = "Which one, dmy or mdy? ";
  const text = "Name,Birthday\nAda,1/2/1990\n";
  const untold = await importing(text, [order, "m\n"]);
  expect(untold.code).toBe(1);
  expect(untold.screen).toContain("Nothing was written.");
  expect(untold.screen).not.toContain("[y/N]");
  const told = await importing(text, [order, "mdy\n"], ["Import 1 row? [y/N] ", "y\n"]);
  expect(told.screen).toContain('  Birthday → birthday, month first (1 value: "1/2/1990")\n');
  const rows = await admin.query("select birthday::text from people");
  expect(rows).toEqual([{ birthday: "1990-01-02" }]);
});
