import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { testDatabase } from "../support/database.ts";
import { normaliser } from "./normalise.ts";
import { type Repl, startRepl } from "./repl.ts";
import { tablesOf } from "./tables.ts";

type Content = string | { base64: string } | { gzip: string };

interface Step {
  run: string[];
  files?: Record<string, Content>;
}

/** Commands as a test gave them one after another, with the files that they read. */
interface Script {
  name: string;
  steps: Step[];
}

interface Material {
  /** Whether the command has the clock of clock.mjs. */
  clock?: boolean;
  scripts: Script[];
}

/** Runs all commands of a file of material, and gives what they said, wrote beside their files, and left in the tables. */
export async function replay(name: string): Promise<string> {
  const path = join(import.meta.dirname, "material", `${name}.json`);
  const { clock = false, scripts }: Material = JSON.parse(readFileSync(path, "utf8"));
  const [folder, home] = [mkdtempSync(join(tmpdir(), "golden-")), mkdtempSync(join(tmpdir(), "golden-home-"))];
  const database = await testDatabase();
  try {
    const repl = await startRepl(database.url, folder, home, clock);
    const told: string[] = [];
    for (const script of scripts) {
      for (const left of readdirSync(folder)) rmSync(join(folder, left), { recursive: true });
      const normal = normaliser();
      told.push(`=== ${script.name}`);
      for (const step of script.steps) told.push(normal(await answerOf(repl, folder, step)));
      const slugs = script.steps.flatMap(workspacesOf);
      told.push(await tablesOf(database, normal, slugs), "");
    }
    await repl.stop();
    return told.join("\n").replaceAll(folder, "FOLDER");
  } finally {
    await database.drop();
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
  }
}

async function answerOf(repl: Repl, folder: string, { run, files = {} }: Step): Promise<string> {
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), bytesOf(content));
  const before = new Map(readdirSync(folder).map((file) => [file, statSync(join(folder, file)).mtimeMs]));
  const { out, err } = await repl.run(run);
  const written = readdirSync(folder).filter((file) => statSync(join(folder, file)).mtimeMs !== before.get(file));
  return [
    `$ ${run.join(" ")}`,
    ...linesOf(out).map((line) => `  ${line}`),
    ...linesOf(err).map((line) => `! ${line}`),
    ...written.sort().flatMap((file) => [`> ${file}`, ...linesOf(readFileSync(join(folder, file), "utf8"))]),
  ].join("\n");
}

function bytesOf(content: Content): Buffer {
  if (typeof content === "string") return Buffer.from(content);
  return "gzip" in content ? gunzipSync(Buffer.from(content.gzip, "base64")) : Buffer.from(content.base64, "base64");
}

const linesOf = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

function workspacesOf({ run, files = {} }: Step): string[] {
  const applied = run[0] === "apply" ? Object.values(files).filter((content) => typeof content === "string") : [];
  const named = applied.flatMap((text) =>
    [...text.matchAll(/^workspace: *["']?([\w-]+)/gm)].map(([, slug]) => slug ?? ""),
  );
  return [...named, run[run.indexOf("--workspace") + 1] ?? ""];
}
