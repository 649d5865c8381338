// Writes the types of the API and builds the package twice: as ES modules in dist, and as CommonJS in dist/cjs, each
// with its types.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import "./schema.ts";

const CLIENT = join(import.meta.dirname, "..");
const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");

rmSync(join(CLIENT, "dist"), { recursive: true, force: true });
for (const project of ["tsconfig.build.json", "tsconfig.cjs.json"])
  execFileSync(process.execPath, [compiler, "-p", join(CLIENT, project)], { stdio: "inherit" });
// The package is one of ES modules. This marks what stands below as CommonJS.
writeFileSync(join(CLIENT, "dist", "cjs", "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
