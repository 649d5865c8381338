// Judges docs/openapi.json by the recommended rules of spectral:oas, offline. It is the library and not the program of
// Spectral, which brings a bundler of rule sets, an HTTP proxy and what else reads documents of others.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ruleset, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";

const FILE = join(import.meta.dirname, "..", "docs", "openapi.json");

const spectral = new Spectral();
spectral.setRuleset(
  // Off by default, and worth keeping: a parameter without a description is one that a reader has to guess.
  new Ruleset({ extends: [[oas, "recommended"]], rules: { "oas3-parameter-description": "warn" } }),
);

const found = await spectral.run(JSON.parse(readFileSync(process.argv[2] ?? FILE, "utf8")));
for (const { code, path, message } of found) console.log(`${code}: ${message}\n  ${path.join(" > ")}`);
if (found.length > 0) console.log(`${found.length} faults by spectral:oas`);
process.exitCode = found.length > 0 ? 1 : 0;
