import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { testFolder } from "../../../test/support/folder.ts";
import { API_VERSION } from "../src/index.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

it("the types of the client are those of docs/openapi.json", () => {
  const files = testFolder();
  try {
    const made = join(files.path, "schema.ts");
    execFileSync(process.execPath, [join(ROOT, "packages", "client", "scripts", "schema.ts"), made]);
    const used = readFileSync(join(ROOT, "packages", "client", "src", "generated", "schema.ts"), "utf8");
    expect(used === readFileSync(made, "utf8")).toBe(true);
    expect(JSON.parse(readFileSync(join(ROOT, "docs", "openapi.json"), "utf8")).info.version).toBe(API_VERSION);
  } finally {
    files.remove();
  }
});
