import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { envTable, readEnv } from "../../config/env.ts";
import { findOrInstall } from "../../lab/harness/apt.ts";
import { testFolder } from "../support/folder.ts";
import { blockOf } from "./blocks.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const blockWith = (words: string) => blockOf(textOf("docs/guides/self-hosting.md"), words);

/** What a file of `NAME=value` lines sets. */
function settingsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

/** Names that the server reads; another one would be a slip of the pen that nobody notices. */
const NAMES = [...envTable().matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = ""]) => name);

describe("The settings of the guide to self-hosting", () => {
  const key = randomBytes(32).toString("base64");
  const file = settingsOf(blockWith("PUBLIC_URL=").replace("$(openssl rand -base64 32)", key));
  const own = settingsOf(blockWith("DATABASE_URL=postgresql://contacts"));

  it.each(Object.entries({ file, own }))("are settings of the server, with values that it takes: %s", (_, settings) => {
    expect(Object.keys(settings).length).toBeGreaterThan(0);
    expect(NAMES).toEqual(expect.arrayContaining(Object.keys(settings)));
    expect(() => readEnv(settings)).not.toThrow();
  });

  it("start the server as npm does", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: { start: string } };
    const [, program, words] = /^ExecStart=(\S+) (.*)$/m.exec(blockWith("ExecStart=")) ?? [];
    expect(program).toBe("/opt/contact-workspace/node_modules/.bin/node");
    const [, variable] = /^Environment=(.*)$/m.exec(blockWith("ExecStart=")) ?? [];
    expect(`exec env ${variable} node ${words}`).toBe(scripts.start);
    const dockerfile = textOf("Dockerfile");
    expect(dockerfile).toContain(`ENV ${variable}\n`);
    expect(dockerfile).toContain(`CMD ${JSON.stringify(["node", ...(words?.split(" ") ?? [])]).replaceAll(",", ", ")}`);
  });

  it("let bodies through nginx that the server takes", () => {
    expect(blockWith("client_max_body_size")).toContain("client_max_body_size 10m;");
    expect(textOf("docs/guides/limits.md")).toContain("| body of a request | 10 MiB |");
  });
});

it("has a snippet that the nginx of Debian takes", () => {
  const nginx = findOrInstall("nginx", "nginx-light");
  const openssl = findOrInstall("openssl", "openssl");
  if ("missing" in nginx || "missing" in openssl) return;
  const files = testFolder();
  const path = (name: string) => join(files.path, name);
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=contacts.example.com"];
  spawnSync(openssl.path, [...made, "-keyout", path("tls.key"), "-out", path("tls.pem")]);
  const snippet = blockWith("client_max_body_size").replaceAll("/etc/ssl/contacts.example.com.", path("tls."));
  const logs = `pid ${path("pid")};\nerror_log stderr;`;
  const config = files.write("nginx.conf", `${logs}\nevents {}\nhttp {\naccess_log off;\n${snippet}}\n`);
  const { status, stderr } = spawnSync(nginx.path, ["-t", "-c", config, "-p", files.path], { encoding: "utf8" });
  files.remove();
  expect(stderr).toContain("syntax is ok");
  expect(status).toBe(0);
});
