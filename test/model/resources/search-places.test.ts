import { describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import { foldedField, searchColumns } from "../../../engine/filters/search-columns.ts";
import type { Field } from "../../../model/fields/field.ts";
import { text, textList } from "../../../model/fields/texts.ts";
import { date } from "../../../model/fields/times.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import { defineRecordType, type RecordType } from "../../../model/resources/record-type.ts";

const define = (fields: Record<string, Field>) =>
  defineRecordType({
    kind: "person",
    title: "Person",
    table: "people",
    nameField: "named",
    initialPlaces: { texts: 0, lists: 0 },
    fields: { ...fields, named: date("named") },
  });
const at = (searchPlace?: number) => text("some_column", { max: 10, searchPlace });

describe("search places", () => {
  // Stored rows depend on them, so these never change. Those of later fields are held by the names of their statistics
  // in the migrations: test/contract/schema.test.ts.
  it.each<[RecordType, texts: string[], lists: string[]]>([
    [
      people,
      ["firstName", "lastName", "fullName", "description", "jobTitle"],
      ["addresses", "emails", "phones", "urls"],
    ],
    [companies, ["name", "description", "industry", "employeeRange"], ["addresses", "emails", "phones", "urls"]],
    [objects, ["name"], []],
  ])(
    "of the first migration are those of the rows that it has made (%#)",
    ({ searchPlaces, initialPlaces }, texts, lists) => {
      expect(initialPlaces).toEqual({ texts: texts.length, lists: lists.length });
      expect(searchPlaces.texts.slice(0, texts.length)).toEqual(texts);
      expect(searchPlaces.lists.slice(0, lists.length)).toEqual(lists);
    },
  );

  it("do not depend on the order of the fields, and a place that nobody has stays empty", () => {
    const resource = define({
      last: at(4),
      list: textList("list", { maxItems: 2, max: 10, searchPlace: 2 }),
      first: at(1),
      second: at(2),
    });
    expect(resource.searchPlaces).toEqual({ texts: ["first", "second", null, "last"], lists: [null, "list"] });
    const values = { first: "A", second: "Bé", last: "D", list: ["X", "Y"] };
    expect(searchColumns(resource, newUuid(), values)).toMatchObject({ folded_texts: "aFbéFFd", folded_lists: "FxEy" });
    expect(foldedField(resource, "last").text).toBe("split_part(r.folded_texts, 'F', 4)");
    expect(foldedField(resource, "list").text).toBe("split_part(r.folded_lists, 'F', 2)");
  });

  it.each<[string, Record<string, Field>, string]>([
    [
      "missing",
      { a: at(1), nickname: at() },
      'Person: "nickname" needs a searchPlace, a whole number from 1 on. The next that is free is 2.',
    ],
    ["0", { a: at(0) }, 'Person: "a" needs a searchPlace'],
    ["half", { a: at(1.5) }, 'Person: "a" needs a searchPlace'],
    [
      "taken",
      { a: at(1), b: at(2), c: at(1) },
      'Person: "a" and "c" have the searchPlace 1. The next that is free is 3.',
    ],
    [
      "of what is no text",
      { a: { ...date("a"), searchPlace: 1 } },
      'Person: "a" has a searchPlace, but is no text that filters find.',
    ],
  ])("are refused when one is %s", (_, fields, message) => {
    expect(() => define(fields)).toThrow(message);
  });
});
