import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { mapSchema, readMap } from "../../../tools/import/map-file.ts";
import { testFolder } from "../../support/folder.ts";

const files = testFolder();
afterAll(() => files.remove());

const validate = new Ajv2020({ strict: true, formats: { regex: true } }).compile(mapSchema());

it("stands in the repository as `node scripts/import-map.ts` writes it", () => {
  const file = join(__dirname, "..", "..", "..", "docs", "import-map.schema.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(mapSchema());
});

test.each([
  ["fullName", true],
  ["Status of the deal", true],
  [null, true],
  [false, true],
  [{ field: "emails" }, true],
  [{ field: "emails", split: ";", pattern: "<(.+)>" }, true],
  [true, false],
  [7, false],
  ["", false],
  ["  ", false],
  [["emails"], false],
  [{}, false],
  [{ field: null }, false],
  [{ field: "" }, false],
  [{ field: "emails", split: "" }, false],
  [{ field: "emails", split: 1 }, false],
  [{ field: "emails", pattern: 1 }, false],
  [{ feild: "emails" }, false],
])("a map is valid by the schema where it can be read: %j", (entry, isValid) => {
  const map = { Heading: entry };
  const path = files.write("map.yaml", JSON.stringify(map));
  const read = () =>
    readMap(path, { headings: ["Heading"], kind: "people", group: { name: "Sales" }, fields: [], makesFields: true });
  expect(validate(map)).toBe(isValid);
  if (isValid) expect(read().size).toBe(1);
  else expect(read).toThrow(/map\.yaml:1:\d+: Heading: /);
});
