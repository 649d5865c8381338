// Judges docs/openapi.json by the recommended rules of spectral:oas, offline. It is the library and not the program of
// Spectral, which brings a bundler of rule sets, an HTTP proxy and what else reads documents of others.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ruleset, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";

const FILE = join(import.meta.dirname, "..", "docs", "openapi.json");

const IN_MEDIA = "content..[?(@ && @.schema && (@.example !== void 0 || @.examples))]";

const ruleset = new Ruleset({
  extends: [[oas, "recommended"]],
  rules: {
    // Off by default, and worth keeping: a parameter without a description is one that a reader has to guess.
    "oas3-parameter-description": "warn",
    // The rule of Spectral without the errors of operations: they refer to shared answers, which are checked once at
    // their own place instead of a thousand times. That halves the time.
    "oas3-valid-media-example": {
      ...oas.rules["oas3-valid-media-example"],
      severity: "error",
      given: [
        `$.paths[*][*].requestBody..${IN_MEDIA}`,
        `$.paths[*][*].responses[?(@property < '300')]..${IN_MEDIA}`,
        `$.components.responses..${IN_MEDIA}`,
        "$..parameters..[?(@ && @.schema && (@.example !== void 0 || @.examples))]",
        "$.components.headers..[?(@ && @.schema && (@.example !== void 0 || @.examples))]",
      ],
    },
  },
});

const spectral = new Spectral();
spectral.setRuleset(ruleset);
const found = await spectral.run(JSON.parse(readFileSync(process.argv[2] ?? FILE, "utf8")));
for (const { code, path, message } of found) console.log(`${code}: ${message}\n  ${path.join(" > ")}`);
if (found.length > 0) console.log(`${found.length} faults by spectral:oas`);
process.exitCode = found.length > 0 ? 1 : 0;
