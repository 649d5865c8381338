import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";

type GroupName = (groupId: string) => string | undefined;
interface Texts {
  titleOf(name: string): string;
  numberText(value: string, config?: object): string;
  linkTo(view: string, parts?: string[], query?: string): string;
  queryOf(pairs: [string, string][]): string;
  recordLink(path: string): string;
  referenceLink(reference: { id?: string }, groupId?: string | null): string | undefined;
  textOf(value: unknown): string;
  fieldText(path: string[], groupName: GroupName): string;
  counted(count: number, noun: string): string;
  kindText(kind: string): string;
  deedText(event: { type: string; data: object }, groupName: GroupName): string;
}

// Scripts of browsers have their types in JSDoc, which this project does not read.
const BROWSER = join(import.meta.dirname, "..", "console", "browser");
const groupName = (groupId: string) => (groupId === "grp_1" ? "Sales" : undefined);

// docs/guides/console.md
describe("Changes in the words of the console", () => {
  let texts: Texts;

  beforeAll(async () => {
    const files = ["value-text.js", "event-text.js", "address.js"].map((name) => import(join(BROWSER, name)));
    texts = Object.assign({}, ...(await Promise.all(files)));
  });

  it("names references by their names, and those without one by their ids", () => {
    expect(texts.textOf([{ id: "com_1", fullName: "Analytical Engines" }, { id: "com_2" }])).toBe(
      "Analytical Engines, com_2",
    );
  });

  it("writes values without a name as they are", () => {
    expect([true, 0, "a", ["a", "b"], { from: 1 }, null, undefined].map(texts.textOf)).toEqual([
      "true",
      "0",
      "a",
      "a, b",
      '{"from":1}',
      "",
      "",
    ]);
  });

  it("names the group of a custom field, or its id when the group is not visible", () => {
    const names = [
      ["jobTitle"],
      ["customFieldValues", "grp_1", "Met on"],
      ["customFieldValues", "grp_2", "Met on"],
      ["customFieldValues", "Amount"],
    ].map((path) => texts.fieldText(path, groupName));
    expect(names).toEqual(["jobTitle", "Met on (Sales)", "Met on (grp_2)", "Amount"]);
  });

  it("tells what an event of a preview does", () => {
    const told = (type: string, data: object = {}) => texts.deedText({ type, data }, groupName);
    expect(told("note.created")).toBe("is created");
    expect(told("company.created", { details: { restored: true } })).toBe("comes back");
    expect(told("person.deleted")).toBe("goes into the trash");
    expect(told("interaction.deleted")).toBe("is deleted");
    expect(told("person.merged")).toBe("is merged");
    const changes = [
      { path: ["companies"], type: "add" },
      { path: ["companies"], type: "remove" },
      { path: ["customFieldValues", "grp_1", "Status"], type: "set" },
    ];
    expect(told("person.updated", { changes })).toBe("changes: companies, Status (Sales)");
    expect(told("person.groups_updated")).toBe("changes");
  });

  it("writes names of fields as headings", () => {
    const names = ["jobTitle", "urls", "createdAt", "interactionMetadata.workspace.lastInteractedAt"];
    expect(names.map(texts.titleOf)).toEqual(["Job title", "URLs", "Created", "Last interaction"]);
  });

  it("writes numbers in the format of their field, and leaves out no digit", () => {
    const euros = { format: "currency", currency: "EUR" };
    expect(["48000", "12500.5", "0.00001"].map((value) => texts.numberText(value, euros))).toEqual([
      "€48,000",
      "€12,500.50",
      "€0.00001",
    ]);
    expect(texts.numberText("2", { format: "number", decimals: 2 })).toBe("2.00");
    expect(texts.numberText("123456789012345678901234567890.1234567890123456789")).toBe(
      "123,456,789,012,345,678,901,234,567,890.1234567890123456789",
    );
  });

  it("makes addresses of views, which records and references lead to", () => {
    expect(texts.linkTo("records", ["grp_1", "A/B?"], "sort=name")).toBe("#records/grp_1/A%2FB%3F?sort=name");
    expect(texts.queryOf([["filter[a b][in]", "x&y@z"]])).toBe("filter[a%20b][in]=x%26y@z");
    expect(texts.recordLink("/v1/people/per_1")).toBe("#people/per_1");
    expect(texts.recordLink("/v1/groups/grp_1/Big%20Deals/obj_1")).toBe("#objects/grp_1/Big%20Deals/obj_1");
    const ids = ["com_1", "obj_1", "usr_1"].map((id) => texts.referenceLink({ id }, "grp_1"));
    expect(ids).toEqual(["#companies/com_1", "#objects/grp_1/obj_1", undefined]);
  });

  it("counts, and names kinds that are not words", () => {
    expect([1, 2].map((count) => texts.counted(count, "record"))).toEqual(["1 record", "2 records"]);
    expect(["task", "customField", "key"].map(texts.kindText)).toEqual(["task", "custom field", "API key"]);
  });
});
