import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";

// Programs of package.json that are typed wrongly: a line with what there is, and no stack of Node.

const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
};

test.each([
  [["lab/bench/main.ts", "--nix"], /^Unknown option '--nix'\. npm run bench -- takes --against <value>, .*\n$/],
  [
    ["lab/bench/main.ts", "--against"],
    /^Option '--against <value>' argument missing\. npm run bench -- takes --against .*\n$/,
  ],
  [["lab/bench/main.ts"], /^Give --against, the folder of another checkout .*, or --peers\. .*\n$/],
  [["lab/bench/main.ts", "--peers", "nowhere"], /^--peers takes postgrest\. .*\n$/],
  [["lab/bench/main.ts", "--against", ".", "--floor"], /^--floor goes with --peers\. .*\n$/],
  [["lab/bench/main.ts", "--against", "nowhere"], /nowhere is no checkout with its packages: run npm ci there\. .*\n$/],
  [["scripts/schema.ts", "nix"], /^Unexpected argument 'nix'\. npm run schema takes no options\n$/],
  [["cli/main.mjs", "start", "--port", "1"], /^npm start takes no options. Set environment variables .*\n$/],
  [["cli/main.mjs", "repl", "keys"], /^npm run repl takes no options. .*\n$/],
])("%j ends with 2 and one line that says what there is", (words, message) => {
  const { status, said } = run(...words);
  expect(said).toMatch(message);
  expect(status).toBe(2);
});

test.each([["lab/bench/main.ts"], ["lab/bench/webhooks.ts"], ["scripts/release.ts"], ["cli/main.mjs", "start"]])(
  "%s --help says what there is, and does nothing",
  (...words) => {
    const { status, said } = run(...words, "--help");
    expect(said).toMatch(/^[^\n]* takes [^\n]*\n$/);
    expect(status).toBe(0);
  },
);
