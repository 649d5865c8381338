import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { envTable, readEnv } from "../../config/env.ts";
import { blocksOf } from "./blocks.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const BLOCKS = blocksOf(textOf("docs/guides/self-hosting.md"));

/** The block that has these words in it. */
function blockWith(words: string): string {
  const block = BLOCKS.find(({ text }) => text.includes(words));
  if (!block) throw new Error(`The guide has no block with ${words}.`);
  return block.text;
}

/** What a file of `NAME=value` lines sets. */
function settingsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

/** Names that the server reads; another one would be a slip of the pen that nobody notices. */
const NAMES = [...envTable().matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = ""]) => name);

describe("The settings of the guide to self-hosting", () => {
  const file = settingsOf(blockWith("PUBLIC_URL="));
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
