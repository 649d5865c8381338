import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parseSync } from "@swc/core";
import { CUSTOM_FIELD_TYPES } from "../../model/custom-fields/definition.ts";

const ROOT = join(__dirname, "..", "..");
const CODE =
  "{base,bus,cli,config,database,engine,lab,mixins,model,packages/{pages,postgres,readers},scripts,services,tools}/**/*.{ts,mjs}";

/** Where types may be named, and why. Migrations have no part in this: they stand alone. */
const MAY_NAME: Record<string, string> = {
  "model/custom-fields/": "the files of the types",
  "cli/demo-records.ts": "data: a workspace file and rows",
  "lab/bench/against/workspace.ts": "data: a workspace file",
  "lab/torture/neighbours/": "data: fields that an attacker defines",
  "scripts/openapi/examples.ts": "an example of a body",
  "scripts/openapi/scenario/workspace.ts": "data: a workspace file",
};

describe("what a custom field type decides (docs/guides/custom-fields.md#types)", () => {
  const files = globSync(CODE, { cwd: ROOT }).map((file) => file.replaceAll("\\", "/"));
  const mayName = (file: string) => Object.keys(MAY_NAME).some((path) => file.startsWith(path));

  it("stands in the file of the type: no other code names one", () => {
    expect(files.length).toBeGreaterThan(100);
    const naming = files.flatMap((file) => {
      const names = mayName(file) ? [] : namesIn(readFileSync(join(ROOT, file), "utf8"));
      return names.map((name) => `${file} names ${name}: ask customFieldTypes[type] instead`);
    });
    expect(naming).toEqual([]);
  });

  it("is found wherever it is named in code, and not in comments and sentences", () => {
    const code = 'if (a.type === "objectField") b = { singleSelect: 1, [`dateField`]: import("x").textField };';
    expect(namesIn(code)).toEqual(["objectField", "singleSelect", "dateField", "textField"]);
    expect(namesIn('type A = Exclude<B, "userField">; case_: switch (c) { case "contactField": }')).toHaveLength(2);
    expect(namesIn('/** An objectField. */ const text = "An objectField on person";')).toEqual([]);
  });

  it("has no exception that nobody needs", () => {
    const unused = Object.keys(MAY_NAME).filter(
      (path) =>
        !files.some((file) => file.startsWith(path) && namesIn(readFileSync(join(ROOT, file), "utf8")).length > 0),
    );
    expect(unused).toEqual([]);
  });
});

/** The types that a program names by a text, a property or a variable, in their order. */
function namesIn(program: string): string[] {
  const names: readonly unknown[] = CUSTOM_FIELD_TYPES;
  const found: string[] = [];
  // Texts and identifiers have a `value` in the tree, parts of templates a `raw`.
  JSON.stringify(parseSync(program, { syntax: "typescript" }), (key, value: unknown) => {
    if ((key === "value" || key === "raw") && names.includes(value)) found.push(String(value));
    return value;
  });
  return found;
}
