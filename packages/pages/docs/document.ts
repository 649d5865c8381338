import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The address of a server in the document of the repository, in whose place each gateway puts its own. It is an address
 * and no placeholder so that the document is valid as it lies there, and its end is one that no host has.
 */
export const NOBODYS_URL = "https://contact-workspace.invalid";

/** The OpenAPI document in the folder `docs` (`npm run openapi`), with the address of this server in it. */
export function apiDocument(docs: string, publicUrl: string): string {
  const address = JSON.stringify(publicUrl).slice(1, -1);
  return readFileSync(join(docs, "openapi.json"), "utf8").replaceAll(NOBODYS_URL, () => address);
}

/** The JSON Schema of workspace files, for editors. docs/guides/workspace-file.md#in-an-editor */
export function workspaceFileSchema(docs: string): string {
  return readFileSync(join(docs, "workspace-file.schema.json"), "utf8");
}
