import { readFileSync } from "node:fs";
import { join } from "node:path";

const MANIFEST = join(import.meta.dirname, "..", "package.json");

/** The version of this release, as package.json tells it: `0.1.0`. */
export function release(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  return version;
}
