import { readFileSync } from "node:fs";
import { join } from "node:path";

const MANIFEST = join(import.meta.dirname, "..", "package.json");

/** The version of this release, as package.json tells it: `0.1.0`. */
export function release(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  return version;
}

/** Compares two releases for a sort, the older one first: 0.9.0, 0.10.0. */
export const compareReleases = new Intl.Collator("en", { numeric: true }).compare;
