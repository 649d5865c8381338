import { readFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "..", "..", "..", "docs", "openapi.json");

/** The OpenAPI document of the repository (`npm run openapi`), with the address of this server in it. */
export function apiDocument(publicUrl: string): string {
  const address = JSON.stringify(publicUrl).slice(1, -1);
  return readFileSync(FILE, "utf8").replaceAll("{PUBLIC_URL}", () => address);
}
