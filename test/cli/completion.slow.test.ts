import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, jest, test } from "@jest/globals";
import { type Candidates, candidatesFor } from "../../cli/commands/completion.ts";
import { completionScript, SHELLS, type Shell } from "../../cli/commands/completion-scripts.ts";
import { adminProgram } from "../../cli/commands/run.ts";
import { commandsOf } from "../../cli/commands/words.ts";
import { readEnv } from "../../config/env.ts";
import { findOrInstall } from "../../lab/harness/apt.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { adminOf } from "../support/admin.ts";
import { testFolder } from "../support/folder.ts";

/** A shell that is missing is installed first. */
jest.setTimeout(300_000);

// docs/guides/commands.md#completion
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
  const offered = (...words: string[]): Candidates => candidatesFor(program, words);
  const values = (...words: string[]) => {
    const found = offered(...words);
    return found === "files" ? found : found.map(({ value }) => value);
  };

  it("begins with the commands, each with its description", () => {
    expect(offered("ke")).toEqual([{ value: "keys", about: "API keys of users" }]);
    expect(values("")).toEqual(commandsOf(program).map((command) => command.name()));
    expect(values("comple")).toEqual(["completion"]);
    expect(values("keys", "r")).toEqual(["rotate", "rename", "revoke"]);
    expect(values("nonsense", "")).toEqual([]);
  });

  it("offers the options that are not there yet", () => {
    expect(values("keys", "create", "--")).toEqual([
      "--workspace",
      "--user",
      "--name",
      "--access",
      "--expires",
      "--json",
      "--help",
    ]);
    expect(values("keys", "create", "--workspace", "acme", "--json", "--access=read", "--")).toEqual([
      "--user",
      "--name",
      "--expires",
      "--help",
    ]);
    expect(values("workspaces", "list", "")).toEqual(["--json", "--help"]);
  });

  it("offers the values of an option: choices and files, and none of what only the database knows", () => {
    expect(values("keys", "create", "--access", "")).toEqual(["full", "read"]);
    expect(values("keys", "create", "--access=r")).toEqual(["--access=read"]);
    expect(values("keys", "list", "--workspace", "")).toEqual([]);
    expect(values("keys", "create", "--workspace=acme", "--user=")).toEqual([]);
    expect(values("keys", "create", "--name", "")).toEqual([]);
    expect(values("import", "people", "--map", "")).toBe("files");
  });

  it("offers the values of an argument, and behind the last one the options", () => {
    expect(values("apply", "")).toBe("files");
    expect(values("keys", "revoke", "")).toEqual(["--workspace", "--pause-webhooks", "--json", "--help"]);
    expect(values("completion", "")).toEqual([...SHELLS]);
    expect(values("apply", "acme.yaml", "")).toContain("--prune");
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

test("bash completes values behind =, and falls back to files", async () => {
  const script = files.write("complete.bash", completionScript("bash"));
  const asked = (line: string, reply: string) =>
    new Promise<string>((resolve) => {
      const program = `source ${script}; workspace() { printf -- '${reply}'; }; compopt() { echo "compopt $*"; }
        COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(); _workspace_complete; printf '<%s>' "\${COMPREPLY[@]}"`;
      execFile(shellPath("bash"), ["--norc", "-c", program], (_error, out) => resolve(out));
    });
  expect(await asked("workspace keys create --access=", "--access=full\\n--access=read\\n")).toBe("<full><read>");
  expect(await asked("workspace apply ", ":files\\n")).toBe("compopt -o default\n<>");
});

test("zsh completes a command at the tab key, and runs it as a function", async () => {
  const script = completionScript("zsh");
  mkdirSync(join(files.path, "zsh"), { recursive: true });
  files.write("zsh/.zshrc", script);
  const screen = await typedIn(`${shellPath("zsh")} -d -i`, LINE, { ZDOTDIR: join(files.path, "zsh") });
  expect(screen).toContain(HELP);
});

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
  expect(await offered("workspace completion fi")).toEqual(["fish"]);
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
