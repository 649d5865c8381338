import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";
import { recordsOf } from "./batch-results.ts";

/** Signs that mean something to SQL, JSON or arrays of PostgreSQL. */
const TEXTS = [
  'say "yes"',
  "back\\slash\\",
  '\\"',
  "{braces},commas",
  "NULL",
  "null",
  "'; drop table people; --",
  "line\nbreak\ttab\r",
  "é, e\u0301, 漢字, عربى",
  "😀 \u{1F1E8}\u{1F1ED}",
  "\u2028\u2029\u0085\ufeff",
  " spaces ",
  "$1 %s _ %",
];
/** Many records are sent to the database in another form than few: engine/records/row-sets.ts. */
const MANY = 40;

// docs/guides/values.md#text
describeServer("Texts of a large batch", (scene) => {
  it("are kept as they are in every kind of column, and found by filters", async () => {
    const { ada, group: makeGroup, field } = await scene.workspace();
    const api = scene.api(ada);
    const group = await makeGroup(ada);
    await field(ada, group, "person", { type: "textField", name: "Note" });
    const textOf = (i: number): string => TEXTS[i % TEXTS.length] ?? "";
    const bodyOf = (i: number) => ({
      firstName: textOf(i),
      addresses: [textOf(i), `${textOf(i + 1)}!`],
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: { Note: `${textOf(i)}#` } },
    });
    const places = Array.from({ length: MANY }, (_, i) => i);
    const made = recordsOf(await api.post("/v1/people/batch/create", { records: places.map(bodyOf) }));
    const shown = made.map(({ firstName, addresses, customFieldValues }) => ({
      firstName,
      addresses,
      note: (customFieldValues as Record<string, { Note: string }>)[group.id]?.Note,
    }));
    expect(shown).toEqual(
      places.map((i) => ({
        firstName: textOf(i),
        addresses: [textOf(i), `${textOf(i + 1)}!`],
        note: `${textOf(i)}#`,
      })),
    );
    const records = places.map((i) => ({ id: made[i]?.id, ...bodyOf(i + 1) }));
    expect(recordsOf(await api.post("/v1/people/batch/update", { records })).map(({ firstName }) => firstName)).toEqual(
      places.map((i) => textOf(i + 1)),
    );
    for (const [i, text] of TEXTS.entries()) {
      const ids = places.flatMap((place) => (textOf(place + 1) === text ? [made[place]?.id] : []));
      for (const [name, value] of [
        ["firstName", text],
        ["addresses", text],
        [`customFieldValues.${group.id}.Note`, `${text}#`],
      ] as const) {
        const found = await api.post("/v1/people/search", { filter: { [name]: { eq: value } } });
        expect([i, name, found.items.map(({ id }) => id)]).toEqual([i, name, ids]);
      }
    }
  });
});
