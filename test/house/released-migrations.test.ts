import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { migrations } from "../../database/migrations/index.ts";
import { openBackup } from "../../tools/backup/read.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const RELEASES = join(ROOT, "test", "releases");
const released: Record<string, string> = JSON.parse(
  readFileSync(join(ROOT, "database", "migrations", "checksums.json"), "utf8"),
);

/** A released migration has made databases, so it never changes. docs/additions.md#add-a-migration */
it("no released migration was edited, taken out or put between others", () => {
  const first = migrations.slice(0, Object.keys(released).length);
  expect(Object.fromEntries(first.map(({ name, checksum }) => [name, checksum]))).toEqual(released);
  expect(first.length).toBeGreaterThan(0);
});

it("the list of released migrations is that of the releases themselves: it is only added to", async () => {
  const files = readdirSync(RELEASES);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const { archive, manifest } = await openBackup(join(RELEASES, file));
    archive.close();
    expect(file).toBe(`${manifest.release}.zip`);
    for (const { name, checksum } of manifest.migrations)
      expect({ [name]: checksum }).toEqual({ [name]: released[name] });
  }
});

it("knows all tables and functions that the migrations make, which a backup and a restore go by", () => {
  const schema = readFileSync(join(ROOT, "database", "migrations", "schema.sql"), "utf8");
  const namesOf = (statement: RegExp) => [...schema.matchAll(statement)].map(([, name = ""]) => name).sort();
  const made = (what: "tables" | "functions") => migrations.flatMap((one) => one[what]);
  const [tables, functions] = [
    /^CREATE (?:UNLOGGED )?TABLE (\w+)/gm,
    /^CREATE OR REPLACE FUNCTION public\.(\w+)/gm,
  ].map(namesOf);
  expect(tables?.length).toBeGreaterThan(40);
  // Those of earlier migrations may be gone since.
  expect(made("tables")).toEqual(expect.arrayContaining(tables ?? []));
  expect(made("functions")).toEqual(expect.arrayContaining(functions ?? []));
});
