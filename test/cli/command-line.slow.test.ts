import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { findPostmaster } from "contact-workspace-postgres/postmaster";
import { until } from "../../lab/harness/until.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";

/** What only a process can show: exit codes, and what goes to which stream. */
const MAIN = join(process.cwd(), "cli", "main.mjs");
const files = testFolder();
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
  files.remove();
});

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command as `npm run -s workspace -- …` does. */
function workspace(words: string, input = "", env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return ended(["workspace", ...words.split(" ").filter((word) => word !== "")], input, env);
}

function ended(
  args: string[],
  input: string,
  env: NodeJS.ProcessEnv,
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: database.url, ...env },
  });
  onStart(child);
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    err += data;
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

const FILE = `workspace: acme
users: [{ email: ada@acme.test, fullName: Ada Lovelace, role: admin }]
groups: [{ name: Sales, members: [{ user: ada@acme.test, role: admin }] }]
`;

test("results are the only thing on standard output, also at LOG_LEVEL debug", async () => {
  const applied = await workspace("apply - --json", FILE, { LOG_LEVEL: "debug" });
  expect(applied.code).toBe(0);
  expect(JSON.parse(applied.out)).toMatchObject({ workspaces: [{ slug: "acme" }] });
  expect(applied.err).not.toBe("");
  const key = await workspace("keys create --workspace acme --user ada@acme.test --json");
  expect(key).toMatchObject({ code: 0, err: expect.stringMatching(/^Request id of this run: \S+\n$/) });
  expect(JSON.parse(key.out)).toMatchObject({ id: expect.stringMatching(/^key_/), expiresAt: null });
  expect((await workspace("keys create --workspace acme --user ada@acme.test")).out).toMatch(/^cwk_[\w-]+\n$/);
  expect(await workspace("migrate --json")).toEqual({ code: 0, out: '{"applied":[]}\n', err: "" });
});

test("wrong usage ends with exit code 2, an error with 1, each with one line and nothing on standard output", async () => {
  const usage = await workspace("keys create --workspace acme");
  expect(usage).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringMatching(/^--user <email> is missing\. Usage: keys create [^\n]*\n$/),
  });
  const error = await workspace("users list --workspace nix");
  expect(error).toEqual({ code: 1, out: "", err: 'There is no workspace "nix". There are: acme.\n' });
});

test("a database that is away, and a wrong variable, are told in one line", async () => {
  const away = await workspace("users list --workspace acme", "", { DATABASE_URL: "postgresql://cw@127.0.0.1:1/x" });
  expect(away).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(
      /^No PostgreSQL answers at 127\.0\.0\.1, port 1 \(.*ECONNREFUSED.*\): start PostgreSQL there .*\n$/,
    ),
  });
  const doctor = await workspace("doctor --json", "", { DATABASE_URL: "postgresql://cw@127.0.0.1:1/x" });
  expect(JSON.parse(doctor.out)).toMatchObject({ ok: false, checks: [{ name: "database", ok: false }] });
  expect(doctor.code).toBe(1);
  const wrong = await workspace("migrate", "", { PORT: "x" });
  expect(wrong).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/^PORT is "x"\. Allowed: /) });
});

test("an import that is stopped says so in one line, and leaves no embedded database running", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cw-stopped-"));
  const embedded = { DATABASE_URL: "", DATA_DIR: folder };
  const server = () => findPostmaster(join(folder, "postgres"));
  try {
    expect((await workspace("apply -", FILE, embedded)).code).toBe(0);
    const rows = Array.from({ length: 50_000 }, (_, i) => `Person ${i},p${i}@acme.test\n`).join("");
    const file = files.write("many.csv", `Name,E-mail\n${rows}`);
    let child: ChildProcess | undefined;
    const end = ended(
      ["workspace", "import", "people", file, "--workspace", "acme", "--group", "Sales"],
      "",
      embedded,
      (started) => {
        child = started;
      },
    );
    await until("the import uses its database", async () => server()?.ready === true);
    // Ctrl-C reaches the process, and npm hands it on.
    child?.kill("SIGINT");
    child?.kill("SIGINT");
    expect(await end).toEqual({ code: 130, out: "", err: expect.stringMatching(/^Stopped\. [^\n]*\n$/) });
    expect(server()).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the REPL has the same commands", async () => {
  const lines = "workspaces list --json\nkeys list --workspace nix\nq\n";
  const { code, out, err } = await ended(["repl"], lines, { LOG_LEVEL: "error", HOME: files.path });
  expect(code).toBe(0);
  expect(out).toContain('"slug":"acme"');
  expect(err).toContain('There is no workspace "nix". There are: acme.');
});
