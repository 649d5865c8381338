import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "@jest/globals";
import type { Uuid } from "../../base/values/ids.ts";
import { adminProgram } from "../../cli/commands/run.ts";
import { readEnv } from "../../config/env.ts";
import { findOrInstall } from "../../lab/harness/apt.ts";
import { type Candidates, candidatesFor, type Known } from "../../tools/completion/candidates.ts";
import { completionScript, SHELLS, type Shell } from "../../tools/completion/scripts.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { commandsOf } from "../../tools/terminal/words.ts";
import { adminOf, type TestAdmin } from "../support/admin.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";

// docs/guides/running.md#completion
const files = testFolder();
const silent: Admin = {
  env: readEnv({}),
  call: () => Promise.reject(new Error("A completion calls no service")),
  print: () => undefined,
  write: async () => true,
  note: () => undefined,
  interactive: false,
};
const program = adminProgram(silent);

describe("what is offered, by the commands themselves", () => {
  const known: Known = async (kind, workspace) => [{ value: `${kind} of ${workspace ?? "all"}` }];
  const offered = (...words: string[]): Promise<Candidates> => candidatesFor(program, words, known);
  const values = async (...words: string[]) => {
    const found = await offered(...words);
    return found === "files" ? found : found.map(({ value }) => value);
  };

  it("begins with the commands, each with its description", async () => {
    expect(await offered("ke")).toEqual([{ value: "keys", about: "API keys of users" }]);
    expect(await values("")).toEqual(commandsOf(program).map((command) => command.name()));
    expect(await values("comple")).toEqual(["completion"]);
    expect(await values("keys", "r")).toEqual(["rotate", "rename", "revoke"]);
    expect(await values("nonsense", "")).toEqual([]);
  });

  it("offers the options that are not there yet", async () => {
    expect(await values("keys", "create", "--")).toEqual([
      "--workspace",
      "--user",
      "--name",
      "--access",
      "--expires",
      "--json",
      "--help",
    ]);
    expect(await values("keys", "create", "--workspace", "acme", "--json", "--access=read", "--")).toEqual([
      "--user",
      "--name",
      "--expires",
      "--help",
    ]);
    expect(await values("workspaces", "list", "")).toEqual(["--json", "--help"]);
  });

  it("offers the values of an option: choices, what the database knows, files", async () => {
    expect(await values("keys", "create", "--access", "")).toEqual(["full", "read"]);
    expect(await values("keys", "create", "--access=r")).toEqual(["--access=read"]);
    expect(await values("keys", "list", "--workspace", "")).toEqual(["workspaces of all"]);
    expect(await values("keys", "create", "--workspace", "acme", "--user", "")).toEqual(["users of acme"]);
    expect(await values("keys", "create", "--workspace=acme", "--user=")).toEqual(["--user=users of acme"]);
    expect(await values("keys", "create", "--name", "")).toEqual([]);
    expect(await values("import", "people", "--map", "")).toBe("files");
  });

  it("offers the values of an argument, and behind the last one the options", async () => {
    expect(await values("apply", "")).toBe("files");
    expect(await values("keys", "revoke", "")).toEqual(["keys of all"]);
    expect(await values("completion", "")).toEqual([...SHELLS]);
    expect(await values("apply", "acme.yaml", "")).toContain("--prune");
  });
});

describe("what the database knows", () => {
  let database: TestDatabase;
  let admin: Omit<TestAdmin, "query">;
  const complete = async (...words: string[]) => (await admin.run("complete --", ...words)).out.split("\n");

  beforeAll(async () => {
    database = await testDatabase();
    admin = adminOf(database.url);
    const groups = 'groups: [{ name: Sales, visibility: public }, { name: "Old\\n team", visibility: public }]\n';
    await admin.run("apply", files.write("a.yaml", `workspace: acme\nusers: [{ email: ada@acme.test }]\n${groups}`));
    await admin.run("apply", files.write("b.yaml", "workspace: beta\nname: Beta\nusers: [{ email: bob@beta.test }]\n"));
  });
  afterAll(async () => {
    await admin.close();
    await database.drop();
  });

  it("is offered: workspaces, groups and users of the workspace that was typed, one a line", async () => {
    expect(await complete("keys", "list", "--workspace", "")).toEqual(["acme\tacme", "beta\tBeta"]);
    expect(await complete("import", "people", "x.csv", "--workspace", "acme", "--group", "")).toEqual([
      "Sales\tacme",
      "Old  team\tacme",
    ]);
    expect(await complete("users", "remove", "--workspace", "beta", "--email", "")).toEqual([
      "bob@beta.test\tbob@beta.test",
    ]);
    expect(await complete("users", "remove", "--email", "a")).toEqual(["ada@acme.test\tada@acme.test"]);
  });

  it("is offered of keys by how they begin, and only of those that can be used", async () => {
    const create = "keys create --workspace acme --user ada@acme.test --json";
    const { key } = (await admin.run(create, "--name", "Nightly job")).json<{ key: string }>();
    const gone = (await admin.run(create)).json<{ id: string; key: string }>();
    await admin.run("keys revoke", gone.id);
    const offered = await complete("keys", "revoke", "");
    expect(offered).toEqual([`${key.slice(0, 12)}\tNightly job, ada@acme.test`]);
    expect(offered.join("\n")).not.toContain(key.slice(0, 13));
  });

  it("is offered of webhooks by their ids, with name and workspace", async () => {
    const [user] = await database.database.read<{ id: string; workspaceId: string }>(
      `select id, workspace_id as "workspaceId" from users where email = 'ada@acme.test'`,
    );
    const caller = {
      userId: user?.id as Uuid,
      workspaceId: user?.workspaceId as Uuid,
      keyId: null,
      access: "full",
    } as const;
    const body = {
      name: "Warehouse",
      targetUrl: "https://hooks.acme.test/",
      subscribedEvents: [{ eventType: "person.created" }],
    };
    await admin.call("webhooks.create", { body }, caller);
    const [{ id = "" } = {}] = (await admin.run("webhooks list --workspace acme --json")).json<{
      webhooks: { id?: string }[];
    }>().webhooks;
    expect(await complete("webhooks", "tail", "")).toEqual([`${id}\tWarehouse, acme`]);
    expect(await complete("webhooks", "test", id.slice(0, 9))).toEqual([`${id}\tWarehouse, acme`]);
  });

  it("is left out when the database does not answer, without a word and without starting one", async () => {
    for (const [url, folder] of [
      ["postgresql://cw@127.0.0.1:1/x", files.path],
      ["", files.path],
    ] as const) {
      const away = adminOf(url, { DATA_DIR: folder });
      expect(await away.run("complete -- keys list --workspace", "")).toMatchObject({ code: 0, out: "", err: "" });
      await away.close();
    }
  });
});

/** What a shell prints, at a terminal that `script` of util-linux makes, to lines that are typed. */
function typedIn(command: string, typed: string, env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      "script",
      ["-qec", command, "/dev/null"],
      { cwd: files.path, env: { PATH: process.env.PATH, HOME: files.path, TERM: "dumb", ...env } },
      (_error, screen) => resolve(screen),
    );
    child.stdin?.end(typed);
  });
}

function shellPath(shell: Shell): string {
  const found = findOrInstall(shell, shell);
  if ("missing" in found) throw new Error(found.missing);
  return found.path;
}

const LINE = "workspace docto\t--help\nexit\n";
const HELP = "check database, settings and data; nothing is changed";

test("bash completes a command at the tab key, and runs it as a function", async () => {
  const script = files.write("complete.bash", completionScript("bash"));
  expect(await typedIn(`${shellPath("bash")} --rcfile ${script} -i`, LINE)).toContain(HELP);
});

test("bash completes values behind @ and =, quotes blanks, and falls back to files", async () => {
  const script = files.write("complete.bash", completionScript("bash"));
  const asked = (line: string, reply: string) =>
    new Promise<string>((resolve) => {
      const program = `source ${script}; workspace() { printf -- '${reply}'; }; compopt() { echo "compopt $*"; }
        COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(); _workspace_complete; printf '<%s>' "\${COMPREPLY[@]}"`;
      execFile(shellPath("bash"), ["--norc", "-c", program], (_error, out) => resolve(out));
    });
  expect(await asked("workspace users remove --email ada@", "ada@acme.test\\tAda\\n")).toBe("<acme.test>");
  expect(await asked("workspace keys create --access=", "--access=full\\n--access=read\\n")).toBe("<full><read>");
  expect(await asked("workspace import people --group ", "Old team\\tacme\\n")).toBe("<Old\\ team>");
  expect(await asked("workspace apply ", ":files\\n")).toBe("compopt -o default\n<>");
});

test("zsh completes a command at the tab key, and runs it as a function", async () => {
  const script = completionScript("zsh");
  mkdirSync(join(files.path, "zsh"), { recursive: true });
  files.write("zsh/.zshrc", script);
  const screen = await typedIn(`${shellPath("zsh")} -d -i`, LINE, { ZDOTDIR: join(files.path, "zsh") });
  expect(screen).toContain(HELP);
});

/** Offers names in the place of the command line, and prints what it is called with. */
const OFFERING = {
  bash: "workspace() { [[ $1 == complete ]] && printf 'Old team\\tacme\\nO$(touch pwned)\\tacme\\n' || echo \"<$*>\"; }\n",
  zsh: "workspace() { [[ $1 == complete ]] && printf 'Old team\\tacme\\n' || print -r -- \"<$*>\" }\n",
};

test.each(["bash", "zsh"] as const)(
  "%s completes a name behind a quote that is open, and runs nothing in it",
  async (shell) => {
    mkdirSync(join(files.path, shell), { recursive: true });
    const script = files.write(`${shell}/.${shell}rc`, `${completionScript(shell)}\n${OFFERING[shell]}`);
    const options = shell === "bash" ? `--rcfile ${script} -i` : "-d -i";
    const screen = await typedIn(`${shellPath(shell)} ${options}`, 'workspace people --group "O\t--csv\nexit\n', {
      ZDOTDIR: join(files.path, shell),
    });
    expect(screen).toContain("<people --group Old team --csv>");
    expect(existsSync(join(files.path, "pwned"))).toBe(false);
  },
);

test("fish offers commands with what they do, options and files", async () => {
  const script = files.write("complete.fish", completionScript("fish"));
  files.write("world.yaml", "");
  const offered = (line: string) =>
    new Promise<string[]>((resolve) => {
      const program = `source ${script}; complete -C '${line}'`;
      execFile(
        shellPath("fish"),
        ["--no-config", "-c", program],
        { cwd: files.path, env: { PATH: process.env.PATH, HOME: files.path } },
        (_error, out) => resolve(out.trim().split("\n")),
      );
    });
  expect(await offered("workspace docto")).toEqual([`doctor\t${HELP}`]);
  expect(await offered("workspace keys create --acc")).toEqual(["--access\twhat it may do"]);
  expect(await offered("workspace apply wor")).toEqual(["world.yaml"]);
  expect(await offered('workspace completion "fi')).toEqual(["fish"]);
});

test.each(SHELLS)("the script of %s holds paths with quotes and blanks as they are", (shell) => {
  expect(completionScript(shell)).toContain("main.mjs'");
  expect(completionScript(shell)).not.toContain("undefined");
});

test("an unknown shell is told with those that there are", async () => {
  const admin = adminOf("postgresql://cw@127.0.0.1:1/x");
  const { code, err } = await admin.run("completion tcsh");
  expect(code).toBe(2);
  expect(err).toMatch(/SHELL cannot be "tcsh"\. It takes bash, zsh, fish/);
  await admin.close();
});

afterAll(() => files.remove());
