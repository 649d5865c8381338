import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "@jest/globals";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { issuesOf } from "../../base/contract/validate.ts";
import { DEMO_WORKSPACE } from "../../cli/demo-records.ts";
import { CUSTOM_FIELD_TYPES, type CustomFieldTypeName } from "../../model/custom-fields/definition.ts";
import { workspaceFileSchema } from "../../scripts/openapi/workspace-file.ts";
import { workspaceFile } from "../../services/workspaces/workspace-file/workspace-file.schema.ts";
import { testAdmin } from "../support/admin.ts";
import { testFolder } from "../support/folder.ts";

// docs/workspace-file.schema.json, by which editors complete and check workspace files:
// docs/guides/workspace-file.md#in-an-editor
const ROOT = join(import.meta.dirname, "..", "..");
const committed = JSON.parse(readFileSync(join(ROOT, "docs", "workspace-file.schema.json"), "utf8"));
// As an editor has it, which knows none of our keywords.
const fits = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(committed);

it("is what the schema of the command says; else run npm run openapi", () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(workspaceFileSchema())));
});

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

/** Properties without a description, by their paths. */
function undescribed(schema: unknown, path = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Object.entries((schema as Schema).properties ?? {}).flatMap(([name, one]) =>
    one.description ? [] : [`${path}/${name}`],
  );
  return [...own, ...Object.entries(schema).flatMap(([name, one]) => undescribed(one, `${path}/${name}`))];
}

it("describes every property, since editors show that beside it", () => {
  // The formats of numbers are described as a whole, and what asks for a type shows nothing.
  expect(undescribed(committed.definitions).filter((path) => !/\/(config|if)\//.test(path))).toEqual([]);
});

const GUIDE = /```yaml file=acme\.yaml\n([^`]*)```/.exec(
  readFileSync(join(ROOT, "docs", "guides", "workspace-file.md"), "utf8"),
)?.[1];

test.each([
  ["the file of the guide", parse(GUIDE ?? "")],
  ["the demo", DEMO_WORKSPACE],
  ["a list of files", [parse(GUIDE ?? ""), DEMO_WORKSPACE]],
  ["empty lists", parse("workspace: a\nusers:\ngroups:\n  - name: G\n    members:\n    fields:\n      person:\n")],
  [
    "options with and without colours",
    file({ type: "singleSelect", options: ["A", { label: "B", color: "#ABCDEF" }] }),
  ],
])("%s fits, for the editor as for the command", (_what, document) => {
  expect(fits(document) ? [] : fits.errors).toEqual([]);
  for (const one of [document].flat()) expect(issuesOf(workspaceFile, one)).toEqual([]);
});

function file(field: object): object {
  return { workspace: "a", groups: [{ name: "G", fields: { person: [{ name: "F", ...field }] } }] };
}

test.each([
  ["no workspace", { name: "A" }],
  ["an unknown member", { workspace: "a", nme: "A" }],
  ["a number as a name", { workspace: "a", name: 2024 }],
  ["an empty name", { workspace: "a", name: "" }],
  ["a role that there is not", { workspace: "a", users: [{ email: "a@b.c", role: "boss" }] }],
  ["a member without a role", { workspace: "a", groups: [{ name: "G", members: [{ user: "a@b.c" }] }] }],
  ["a type that there is not", file({ type: "text" })],
  ["options of a text", file({ type: "textField", options: ["A"] })],
  ["a select without options", file({ type: "singleSelect" })],
  ["a colour by name", file({ type: "singleSelect", options: [{ label: "A", color: "red" }] })],
  ["an unknown format", file({ type: "numericField", config: { format: "money" } })],
  ["a currency without its code", file({ type: "numericField", config: { format: "currency" } })],
  ["a bare text in a list", ["acme"]],
])("%s does not fit, for the editor as for the command", (_what, document) => {
  expect(fits(document)).toBe(false);
  for (const one of [document].flat()) expect(issuesOf(workspaceFile, one)).not.toEqual([]);
});

/** What a field of each type needs besides its name, and may have. */
const NEEDS: Partial<Record<CustomFieldTypeName, object>> = {
  singleSelect: { options: ["A"] },
  multipleSelect: { options: ["A"] },
};

test.each(CUSTOM_FIELD_TYPES)("a %s has the same members for the editor as for the command", (type) => {
  const members = [
    { options: ["A"] },
    { config: { format: "percent", decimals: 2 } },
    { config: { format: "currency", currency: "EUR" } },
    { config: { format: "number", decimals: 9 } },
    { colour: "#5738ff" },
    { name: undefined },
    {},
  ];
  for (const more of members) {
    const document = JSON.parse(JSON.stringify(file({ type, ...NEEDS[type], ...more })));
    expect({ more, fits: fits(document) }).toEqual({ more, fits: issuesOf(workspaceFile, document).length === 0 });
  }
});

it("tells of a wrong type or format all that there are, and nothing that only follows from it", () => {
  for (const [field, values] of [
    [{ type: "text" }, CUSTOM_FIELD_TYPES],
    [{ type: "numericField", config: { format: "money" } }, ["currency", "default", "percent", "none", "number"]],
  ] as const) {
    expect(fits(file(field))).toBe(false);
    const told = fits.errors?.flatMap(({ keyword, params }) => (keyword === "enum" ? [params.allowedValues] : []));
    expect(told?.map((list) => [...list].sort())).toEqual([[...values].sort()]);
    expect(fits.errors?.map(({ keyword }) => keyword).filter((keyword) => keyword === "required")).toEqual([]);
  }
});

test("what export prints fits, and applied it changes nothing", async () => {
  const admin = await testAdmin();
  const files = testFolder();
  const fields = CUSTOM_FIELD_TYPES.map((type) => ({ name: `A ${type}`, type, ...NEEDS[type] }));
  const visits = { name: "Cost", type: "numericField", config: { format: "currency", currency: "EUR", decimals: 2 } };
  const document = {
    workspace: "all",
    users: [{ email: "ada@acme.test", role: "admin" }, { email: "bob@acme.test" }],
    groups: [
      { name: "G", visibility: "public", fields: { Visits: [visits], person: fields, company: fields } },
      { name: "H: #1", members: [{ user: "ada@acme.test", role: "admin" }], fields: { "007": [] } },
    ],
  };
  expect((await admin.run("apply", files.write("all.json", JSON.stringify(document)))).err).toBe("");
  for (const [name, words] of [
    ["all.yaml", "export --workspace all"],
    ["all.json", "export --workspace all --json"],
  ] as const) {
    const { out } = await admin.run(words);
    expect(fits(parse(out)) ? [] : fits.errors).toEqual([]);
    const { out: applied } = await admin.run("apply --prune", files.write(name, out));
    expect(applied).toBe("all: nothing to change");
  }
  await admin.close();
  files.remove();
});

it("refuses a slug that the command refuses once it has the whole file", () => {
  expect(fits({ workspace: "Acme Ltd" })).toBe(false);
});
