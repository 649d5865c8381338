import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "..", "package.json");

/** The version of this release. */
export const version: string = (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;
