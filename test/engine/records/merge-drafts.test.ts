import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Path } from "../../../base/contract/issues.ts";
import { newUuid, toId } from "../../../base/values/ids.ts";
import { mergeDrafts } from "../../../engine/records/batch.ts";
import { type Draft, placeOf } from "../../../engine/records/draft.ts";
import type { Group } from "../../../model/definitions/definitions.ts";
import type { RequestBody } from "../../../model/fields/field.ts";

const group: Group = {
  uuid: newUuid(),
  id: toId("group", newUuid()),
  name: "Sales",
  visibility: "public",
  members: new Map(),
  objectTypes: [],
  fields: new Map(),
  fieldsByUuid: new Map(),
};

interface Kind {
  home?: Group | null;
  groups?: Draft["groups"];
}

/** The draft of the record with this number. */
function draftOf(number: number, sent: RequestBody, { home = null, groups = "replace" }: Kind = {}): Draft {
  return { at: ["records", number], sent, current: null, scope: { entity: "person", homeGroup: home }, groups };
}

function merged(records: RequestBody[], kind?: Kind): Draft {
  const [first, ...others] = records.map((sent, i) => draftOf(i, sent, kind));
  if (!first) throw new Error("A draft is made of one record at least");
  return others.reduce(mergeDrafts, first);
}

const values = (customFieldValues: unknown): RequestBody => ({ customFieldValues });

// What the API answers stands in test/http/batch-merge.test.ts; here, what must hold of any drafts.
describe("Drafts about one record (docs/guides/batches.md#several-records-for-one-id)", () => {
  it.each<[rule: string, records: RequestBody[], sent: RequestBody]>([
    ["the last value of a field wins", [{ jobTitle: "A" }, { jobTitle: "B" }], { jobTitle: "B" }],
    ["a field that is absent stays", [{ jobTitle: "A" }, { lastName: "B" }], { jobTitle: "A", lastName: "B" }],
    ["null is a value", [{ birthday: "2000-01-01" }, { birthday: null }], { birthday: null }],
    ["a list replaces the list before it", [{ emails: ["a", "b"] }, { emails: ["c"] }], { emails: ["c"] }],
    [
      "values merge group by group",
      [values({ g: { A: 1 } }), values({ h: { A: 2 } })],
      values({ g: { A: 1 }, h: { A: 2 } }),
    ],
    ["and field by field", [values({ g: { A: 1, B: 1 } }), values({ g: { B: 2 } })], values({ g: { A: 1, B: 2 } })],
    [
      "of a custom field the last value wins whole",
      [values({ g: { A: [1] } }), values({ g: { A: [2] } })],
      values({ g: { A: [2] } }),
    ],
    [
      "what is no object replaces the values of its group",
      [values({ g: { A: 1 } }), values({ g: null })],
      values({ g: null }),
    ],
    [
      "and is replaced by those that come later",
      [values({ g: null }), values({ g: { A: 1 } })],
      values({ g: { A: 1 } }),
    ],
    ["a list is no object", [values({ g: { A: 1 } }), values({ g: [] })], values({ g: [] })],
    [
      "a name may be __proto__",
      [values({ g: JSON.parse('{"__proto__": 1}') }), values({ g: { A: 1 } })],
      values({ g: JSON.parse('{"__proto__": 1, "A": 1}') }),
    ],
  ])("%s", (_, records, sent) => {
    expect(merged(records).sent).toStrictEqual(sent);
  });

  it("of objects merge field by field, whatever a value is", () => {
    const records = [values({ A: { x: 1 }, B: 1 }), values({ A: { y: 2 } })];
    expect(merged(records, { home: group }).sent).toStrictEqual(values({ A: { y: 2 }, B: 1 }));
  });

  it("put a name that is sent again last, since two spellings may name one field", () => {
    const { sent } = merged([values({ g: { é: 1 } }), values({ g: { "e\u0301": 2 } }), values({ g: { é: 3 } })]);
    expect(Object.entries((sent.customFieldValues as { g: object }).g)).toEqual([
      ["e\u0301", 2],
      ["é", 3],
    ]);
  });

  it("replace groups, and unite those that are only added (docs/guides/batches.md#create)", () => {
    const records = [{ groups: [{ id: "a" }] }, { name: "x" }, { groups: [{ id: "b" }, { id: "a" }] }];
    expect(merged(records).sent.groups).toEqual([{ id: "b" }, { id: "a" }]);
    const added = merged(records, { groups: "add" });
    expect(added.sent.groups).toEqual([{ id: "a" }, { id: "b" }, { id: "a" }]);
    expect([0, 1, 2].map((i) => placeOf(added, "groups", i, "id"))).toEqual([
      ["records", 0, "groups", 0, "id"],
      ["records", 2, "groups", 0, "id"],
      ["records", 2, "groups", 1, "id"],
    ]);
  });
});

const name = fc.constantFrom("A", "B", "é", "e\u0301", "__proto__");
const leaf = fc.oneof(fc.integer(), fc.constant(null), fc.array(fc.integer(), { maxLength: 2 }));
const byName = fc.uniqueArray(fc.tuple(name, leaf), { selector: ([key]) => key, maxLength: 3 }).map(Object.fromEntries);
const ids = fc.array(fc.record({ id: fc.constantFrom("a", "b", "c") }), { maxLength: 3 });
const record = fc.record(
  {
    jobTitle: fc.string(),
    emails: fc.array(fc.string(), { maxLength: 2 }),
    groups: ids,
    customFieldValues: fc.record({ g: byName, h: byName }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const ofObject = fc.record({ name: fc.string(), customFieldValues: byName }, { requiredKeys: [] });
const kinds = fc.oneof(
  fc.tuple(
    fc.constantFrom<Kind>({ groups: "replace" }, { groups: "add" }),
    fc.array(record, { minLength: 1, maxLength: 5 }),
  ),
  fc.tuple(fc.constant<Kind>({ home: group }), fc.array(ofObject, { minLength: 1, maxLength: 5 })),
);

/** What a draft sends, piece by piece: its fields, with the values of custom fields one by one. */
function piecesOf({ sent, scope }: Draft): [part: Path, value: unknown][] {
  const { customFieldValues = {}, ...fields } = sent;
  const byGroup = scope.homeGroup ? [] : Object.entries(customFieldValues as Record<string, RequestBody>);
  const values = scope.homeGroup ? Object.entries(customFieldValues as RequestBody) : [];
  return [
    ...Object.entries(fields).map(([field, value]): [Path, unknown] => [[field], value]),
    ...values.map(([name, value]): [Path, unknown] => [["customFieldValues", name], value]),
    ...byGroup.flatMap(([id, named]) =>
      Object.entries(named).map(([name, value]): [Path, unknown] => [["customFieldValues", id, name], value]),
    ),
  ];
}

/** Part of a draft → its value and its place in the request. */
function told(draft: Draft): Map<string, [value: unknown, place: Path]> {
  return new Map(piecesOf(draft).map(([part, value]) => [JSON.stringify(part), [value, placeOf(draft, ...part)]]));
}

const groupsOf = (draft: Draft) =>
  ((draft.sent.groups ?? []) as { id: string }[]).map(({ id }, i) => ({ id, place: placeOf(draft, "groups", i) }));

describe("Any number of drafts about one record", () => {
  it("merge to the same draft, whether the first or the last of them are merged first", () => {
    fc.assert(
      fc.property(kinds, ([kind, records]) => {
        const drafts = records.map((sent, i) => draftOf(i, sent, kind));
        const [fromLeft, fromRight] = [
          merged(records, kind),
          drafts.reduceRight((after, draft) => mergeDrafts(draft, after)),
        ];
        // As text, because the order of names counts.
        expect(JSON.stringify(fromRight.sent)).toBe(JSON.stringify(fromLeft.sent));
        expect(told(fromRight)).toEqual(told(fromLeft));
        expect(groupsOf(fromRight)).toEqual(groupsOf(fromLeft));
      }),
    );
  });

  it("send of each field and value what the last record with it sent, and point at that record", () => {
    fc.assert(
      fc.property(kinds, ([kind, records]) => {
        fc.pre(kind.groups !== "add");
        const each = records.flatMap((sent, i) => [...told(draftOf(i, sent, kind))]);
        expect(told(merged(records, kind))).toEqual(new Map(each));
      }),
    );
  });

  it("send the groups of all of them where groups are only added, each with the place of the record that sent it", () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const each = records.flatMap((sent, i) => groupsOf(draftOf(i, sent)));
        expect(groupsOf(merged(records, { groups: "add" }))).toEqual(each);
      }),
    );
  });

  it("stay as they were", () => {
    fc.assert(
      fc.property(kinds, ([kind, records]) => {
        const before = structuredClone(records);
        merged(records, kind);
        expect(records).toEqual(before);
      }),
    );
  });
});
