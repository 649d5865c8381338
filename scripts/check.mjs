// Runs every checker at once: one line each, and the output of those that complain.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(fileURLToPath(import.meta.url), "..", "..");

/** The folders that dependency-cruiser need not read, because no code of ours is in them. */
const NO_CODE = ["coverage", "docs", "k8s", "node_modules"];
const cruised = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => (entry.isDirectory() ? !NO_CODE.includes(entry.name) : entry.name === "moleculer.config.ts"))
  .map(({ name }) => name)
  .filter((name) => !name.startsWith("."));

/** Purpose of each checker, in the words of CONTRIBUTING.md, and its command. */
const CHECKS = [
  ["how it looks", "biome", ["check", "--colors=off", "--error-on-warnings"]],
  ["do the types hold", "tsc", ["--noEmit"]],
  ["and of the console, in a browser", "tsc", ["--project", "packages/pages/console/browser"]],
  ["and of the client, on the web alone", "tsc", ["--noEmit", "--project", "packages/client"]],
  ["promises and switches", "oxlint", ["--type-aware", "--deny-warnings"]],
  ["who imports whom", "depcruise", ["--output-type", "err-long", ...cruised]],
  ["is anything unused", "knip", ["--no-progress"]],
  ["are comments plain", "node", ["scripts/plain-comments.mjs"]],
  ["is the document sound", "redocly", ["lint", "--format=stylish", "--max-problems=100", "--config=redocly.yaml"]],
  ["is the document sound", "node", ["scripts/spectral.ts"]],
];

// The types of the client are made of the OpenAPI document, and checked with the rest.
execFileSync(process.execPath, [join(ROOT, "packages", "client", "scripts", "schema.ts")], { stdio: "inherit" });
const results = await Promise.all(CHECKS.map(([purpose, file, args]) => run(purpose, file, args)));
const failed = results.filter((result) => result.status !== 0);
for (const result of failed) console.log(`\n--- ${result.file}\n${result.output.trim()}`);
if (failed.length > 0)
  console.log(
    `\n${failed.length} of ${results.length} checks failed: ${failed.map((result) => result.file).join(", ")}`,
  );
process.exitCode = failed.length > 0 ? 1 : 0;

function run(purpose, file, args) {
  const begun = performance.now();
  // npm puts node_modules/.bin first. Done here too, so that a call without npm finds the same programs and the same
  // Node.
  const env = {
    ...process.env,
    NO_COLOR: "1",
    // Redocly looks for newer releases of itself at every start. redocly.yaml switches off its reports about runs.
    REDOCLY_SUPPRESS_NOTIFICATIONS: "true",
    PATH: `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env.PATH}`,
  };
  const child = spawn(file, args, {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    output += data;
  });
  return new Promise((resolve) => {
    const finish = (status) => {
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`${status === 0 ? "ok    " : "FAILED"} ${file.padEnd(10)} ${purpose} (${seconds} s)`);
      resolve({ file, status, output });
    };
    child.on("close", finish);
    child.on("error", (error) => {
      output += error.message;
      finish(1);
    });
  });
}
