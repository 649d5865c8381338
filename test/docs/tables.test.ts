import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { Command } from "commander";
import { PREFIXES } from "../../base/values/ids.ts";
import { commandsIn } from "../../cli/commands/run.ts";
import { ANY_WORD } from "../../cli/commands/words.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import type { FilteredFields } from "../../engine/filters/row-filters.ts";
import { CUSTOM_FIELD_TYPES } from "../../model/custom-fields/definition.ts";
import { EVENT_TYPE_NAMES, EVENT_TYPES } from "../../model/events.ts";
import { companies } from "../../model/resources/companies.ts";
import { STATUSES as DELIVERY_STATUSES, deliveries } from "../../model/resources/deliveries.ts";
import { enrichments, STATUSES } from "../../model/resources/enrichments.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import { reminders } from "../../model/resources/reminders.ts";
import { subscribedEventsSchema } from "../../model/resources/subscribed-events.ts";
import { tasks } from "../../model/resources/tasks.ts";
import { webhooks } from "../../model/resources/webhooks.ts";
import { tools } from "../../services/gateway/mcp/tools.ts";
import { routes } from "../../services/gateway/operation/routes.ts";
import { FILLED_FIELDS } from "../../services/interactions/enrichments/enrich.ts";
import { ERROR_CODES } from "../../services/interactions/enrichments/providers/provider.ts";
import { taskListParams } from "../../services/interactions/tasks/tasks.filters.ts";
import { CHECK_NAMES } from "../../tools/doctor/examine.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "guides");

/** What stands under a heading of a chapter. */
function section(chapter: string, heading: string): string {
  const sections = readFileSync(join(FOLDER, `${chapter}.md`), "utf8").split("\n## ");
  const found = sections.find((text) => text.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`docs/guides/${chapter}.md has no heading "${heading}"`);
  return found;
}

const missingIn = (text: string, words: readonly string[]): string[] => words.filter((word) => !text.includes(word));
const quoted = (names: readonly string[]): string[] => names.map((name) => `\`${name}\``);

describe("The tables of the guides", () => {
  const records = Object.entries({ people, companies, objects });

  it.each(records)("tell every field of %s", (chapter, { fields }) => {
    expect(missingIn(section(chapter, "Fields"), quoted(Object.keys(fields)))).toEqual([]);
  });

  it("tell every type of events in the order of the model, and every detail of one", () => {
    const told = section("events", "Types").match(/(?<=^\| `)[a-z._]+(?=` \|)/gm);
    expect(told).toEqual(EVENT_TYPE_NAMES);
    const rows = section("events", "The event").split("\n");
    for (const [type, { details = {} }] of Object.entries(EVENT_TYPES))
      expect(missingIn(rows.filter((row) => row.includes(`\`${type}\``)).join(), quoted(Object.keys(details)))).toEqual(
        [],
      );
  });

  it("tell every command", () => {
    const rows = readFileSync(join(FOLDER, "commands.md"), "utf8").split("\n");
    const isTold = (words: string) =>
      rows.some((row) => words.split(" ").every((word) => new RegExp(`\\b${word}\\b`).test(row)));
    const shown = commandsIn(new Command())
      .filter(({ isHidden }) => !isHidden)
      .map(({ words }) => words);
    // Its row is that of `import` with the name of a type.
    expect(shown.filter((words) => words !== ANY_WORD && !isTold(words))).toEqual([]);
  });

  it("tell every tool of assistants", () => {
    expect(missingIn(section("assistants", "Tools"), quoted(tools.map(({ name }) => name)))).toEqual([]);
  });

  it.each(Object.entries({ tasks, reminders }))("tell every field of %s", (chapter, { fields }) => {
    expect(missingIn(section(chapter, "Fields"), quoted(Object.keys(fields)))).toEqual([]);
  });

  it("tell every field by which tasks are filtered, with its operators, as the OpenAPI document does", () => {
    const filtered: FilteredFields = taskListParams.filter.filteredFields;
    const described = Object.entries(filtered).map(([field, { operators }]) => [
      `\`${field}\``,
      quoted(operators).join(", "),
    ]);
    const rows = section("tasks", "Lists").match(/^\| `.*$/gm) ?? [];
    const told = rows.map((row) =>
      row
        .split("|")
        .slice(1, 3)
        .map((cell) => cell.trim()),
    );
    expect(told.toSorted()).toEqual(described.toSorted());
    const fields = told.map(([field = ""]) => field);
    expect(missingIn(/^\| tasks \|.*$/m.exec(section("filters", "Fields"))?.[0] ?? "", fields)).toEqual([]);
  });

  it.each(records)("tell every field by which lists of %s are filtered", (plural, { fields, activityFilters = {} }) => {
    const [, rows = ""] =
      new RegExp(`^\\| ${plural} \\|(.*(?:\\n\\| \\|.*)*)`, "m").exec(section("filters", "Fields")) ?? [];
    const filtered = Object.entries(fields).flatMap(([name, { filter }]) => (filter ? [name] : []));
    expect(missingIn(rows, quoted([...filtered, ...Object.keys(activityFilters)]))).toEqual([]);
  });

  it.each(records)("tell every field by which %s are counted, and every one that is measured", (plural, resource) => {
    const { fields, activityFilters = {} } = resource;
    const isDate = (filter: string | null) => filter === "DATE" || filter === "DAY";
    const activity = Object.entries(activityFilters).flatMap(([name, of]) => (of === "anybody" ? [name] : []));
    const counted = Object.entries(fields).flatMap(([name, { isGrouped, filter }]) =>
      isGrouped || isDate(filter) ? [name] : [],
    );
    const rows = section("aggregates", "Groups").split(/^(?=\| [a-z])/m);
    const own = rows.filter((row) =>
      row
        .split("|")[1]
        ?.match(/[a-z]+/g)
        ?.some((word) => [plural, "all"].includes(word)),
    );
    expect(missingIn(own.join(""), quoted([...counted, ...activity]))).toEqual([]);
    const measured = Object.entries(fields).flatMap(([name, { filter }]) =>
      filter === "NUMBER" || isDate(filter) ? [name] : [],
    );
    expect(missingIn(section("aggregates", "Measures"), quoted([...measured, ...activity]))).toEqual([]);
  });

  it("tell every list with its order, and every resource with its operations", () => {
    const lists = routes.filter(({ action }) => action.endsWith(".list")).map(({ path }) => path);
    expect(missingIn(section("lists", "Lists"), quoted(lists))).toEqual([]);
    const resources = [...new Set(routes.map(({ path }) => path.split("/").slice(0, 3).join("/")))];
    expect(missingIn(section("conventions", "Operations"), resources)).toEqual([]);
  });

  it("tell every check of doctor", () => {
    expect(missingIn(section("database", "Doctor"), quoted(CHECK_NAMES))).toEqual([]);
  });

  it("tell every prefix of an id", () => {
    const prefixes = Object.values(PREFIXES).map((prefix) => `${prefix}_`);
    expect(missingIn(section("values", "Identifiers"), quoted(prefixes))).toEqual([]);
  });

  it("tell every reason for which an enrichment does not complete, and no other", () => {
    const told = section("enrichment", "Errors").match(/(?<=^\| `)[A-Z_]+(?=` \|)/gm);
    expect(told).toEqual([...ERROR_CODES]);
  });

  it("tell every field of an enrichment", () => {
    expect(missingIn(section("enrichment", "Fields"), quoted(Object.keys(enrichments.fields)))).toEqual([]);
    expect(missingIn(section("enrichment", "Status"), quoted([...STATUSES]))).toEqual([]);
    expect(missingIn(section("enrichment", "What is filled"), quoted([...FILLED_FIELDS]))).toEqual([]);
  });

  it("tell every field of a webhook and of a delivery, and what a filter takes", () => {
    expect(missingIn(section("webhooks", "Fields"), quoted(Object.keys(webhooks.fields)))).toEqual([]);
    expect(missingIn(section("webhooks", "Deliveries"), quoted(Object.keys(deliveries.fields)))).toEqual([]);
    expect(missingIn(section("webhooks", "Deliveries"), quoted([...DELIVERY_STATUSES]))).toEqual([]);
    const entry = subscribedEventsSchema.items.properties;
    expect(missingIn(section("webhooks", "Filters"), quoted(Object.keys(entry.filter.properties)))).toEqual([]);
  });

  it("tell what every service folder does", () => {
    expect(missingIn(section("growing", "Services"), quoted(serviceFolders()))).toEqual([]);
  });

  it.each([
    ["custom-fields", "Types"],
    ["custom-fields", "Values in writes"],
    ["custom-fields", "Values in answers"],
    ["filters", "Custom fields"],
    ["import-matching", "Custom fields"],
  ])("tell every custom field type: %s, %s", (chapter, heading) => {
    const rows = section(chapter, heading).match(/^\|.*$/gm) ?? [];
    expect(missingIn(rows.join("\n"), CUSTOM_FIELD_TYPES)).toEqual([]);
  });
});
