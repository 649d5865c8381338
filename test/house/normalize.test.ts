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

/** The others look after the length of the text themselves. */
const ALLOWED = ["day-periods.ts", "heading-meaning.ts", "nfc.ts", "participants.ts", "people.ts", "zone-names.ts"];

it("texts are normalized by base/values/nfc.ts alone, since String.prototype.normalize may take minutes", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
  const calling = files.filter((file) => readFileSync(join(ROOT, file), "utf8").includes(".normalize("));
  expect(calling.map((file) => basename(file)).sort()).toEqual(ALLOWED);
});
