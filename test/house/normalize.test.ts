import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "@jest/globals";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDERS = [
  "base",
  "bus",
  "cli",
  "config",
  "database",
  "engine",
  "mixins",
  "model",
  "packages",
  "services",
  "tools",
];

/** Two of them look after the length of the text themselves. */
const ALLOWED = ["heading-meaning.ts", "nfc.ts", "zone-names.ts"];

it("texts are normalized by base/values/nfc.ts alone, since String.prototype.normalize may take minutes", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  const calling = files.filter((file) => readFileSync(join(ROOT, file), "utf8").includes(".normalize("));
  expect(calling.map((file) => basename(file)).sort()).toEqual(ALLOWED);
});
