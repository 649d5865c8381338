import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { API_VERSION } from "../../client/src/index.ts";
import { testFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");

it("the types of the client are those of docs/openapi.json: run npm run openapi", () => {
  const files = testFolder();
  try {
    const made = join(files.path, "schema.ts");
    execFileSync(process.execPath, [join(ROOT, "client", "scripts", "schema.ts"), made]);
    const committed = readFileSync(join(ROOT, "client", "src", "generated", "schema.ts"), "utf8");
    expect(committed === readFileSync(made, "utf8")).toBe(true);
    expect(JSON.parse(readFileSync(join(ROOT, "docs", "openapi.json"), "utf8")).info.version).toBe(API_VERSION);
  } finally {
    files.remove();
  }
});
