import { describe, expect, it } from "@jest/globals";
import { inOrder, keyOf, type Order, toSort } from "../contract/filters/sort-oracle.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { cursorOf, nextPath, walkPages } from "../support/walking.ts";
import { idsOf, setUpSorted } from "./sorted-people.ts";

// A walk through a sorted list meets every record once, but for those that get another place meanwhile.
describeServer("A walk through a sorted list", (scene) => {
  const setUp = () => setUpSorted(scene);

  describe("by a single select keeps its place", () => {
    /** People with each of five options in turn, and the walk to behind one with a certain option. */
    async function walkTo(direction: "" | "-", label: string) {
      const { api, define, fields, rank, withValues } = await setUp();
      const { options = [] } = await define({
        type: "singleSelect",
        name: "Stage",
        options: ["A", "B", "C", "D", "E"].map((name) => ({ label: name })),
      });
      const labels = ["E", "C", "A", "D", "B", "C", "A", "E", "B", "D", null];
      const people = await withValues("Stage", labels);
      const path = `/v1/people?limit=1&sort=${direction}${rank("Stage")}`;
      const pages = await walkPages(api.get, path);
      const labelOf = (item: Item | undefined) => labels[people.findIndex(({ id }) => id === item?.id)];
      const at = pages.findIndex(([item]) => labelOf(item) === label);
      let page = await api.get(path);
      for (let i = 0; i < at; i += 1) page = await api.get(String(nextPath(page)));
      const change = async (...changes: [name: string, list: string[]][]) => {
        const sent = changes.map(([name, list]) => [
          name,
          name === "addOptions"
            ? list.map((added) => ({ label: added }))
            : options.filter((option) => list.includes(option.label)).map(({ id }) => id),
        ]);
        expect((await api.patch(`${fields}/Stage`, Object.fromEntries(sent))).status).toBe(200);
      };
      /** Labels of the people behind that page, as they were. */
      const rest = async () => {
        const items = (await walkPages(api.get, String(nextPath(page)))).flat();
        return items.map((item) => labelOf(item) ?? "unset");
      };
      return { change, rest };
    }

    it.each([
      ["", "C", ["C", "D", "D", "E", "E", "unset"]],
      ["-", "C", ["C", "B", "B", "A", "A", "unset"]],
    ] as const)("when options are added (%sStage)", async (direction, label, behind) => {
      const { change, rest } = await walkTo(direction, label);
      await change(["addOptions", ["F", "G"]]);
      expect(await rest()).toEqual(behind);
    });

    // People whose option is removed move to the end: they come once more there, by creation.
    it.each([
      ["its own option is", "", "C", ["C"], ["D", "D", "E", "E", "C", "C", "unset"]],
      ["its own option is", "-", "C", ["C"], ["B", "B", "A", "A", "C", "C", "unset"]],
      ["an option in front is", "", "C", ["A"], ["C", "D", "D", "E", "E", "A", "A", "unset"]],
      ["an option behind is", "-", "C", ["A"], ["C", "B", "B", "A", "A", "unset"]],
      ["its own option and one in front are", "", "C", ["A", "C"], ["D", "D", "E", "E", "C", "A", "C", "A", "unset"]],
      ["its own option and one in front are", "-", "C", ["C", "E"], ["B", "B", "A", "A", "E", "C", "C", "E", "unset"]],
      ["the first ones are", "", "B", ["A", "B"], ["C", "C", "D", "D", "E", "E", "A", "B", "A", "B", "unset"]],
      ["all are", "", "B", ["A", "B", "C", "D", "E"], [..."ECADBCAEBD", "unset"]],
    ] as const)("when %s removed (%sStage at %s, without %j)", async (_, direction, label, removed, behind) => {
      const { change, rest } = await walkTo(direction, label);
      await change(["removeOptions", [...removed]]);
      expect(await rest()).toEqual(behind);
    });

    it("when its own option is removed and others are added, in either direction", async () => {
      const behind = { "": ["D", "D", "E", "E"], "-": ["B", "B", "A", "A"] };
      for (const direction of ["", "-"] as const) {
        const { change, rest } = await walkTo(direction, "C");
        await change(["removeOptions", ["C"]], ["addOptions", ["F", "G"]]);
        expect([direction, await rest()]).toEqual([direction, [...behind[direction], "C", "C", "unset"]]);
      }
    });
  });

  describe("by long texts", () => {
    const fox = "🦊";
    const letters = (i: number) => String.fromCodePoint(0x430 + (i % 32));
    /** Beginnings of 180 letters, some with ends of ten, of which some are equal. */
    const cyrillic = [3, 1, 2, 1, 31, 0, 3, 1].map((i) => `${"Щ".repeat(180)}${letters(i).repeat(9)}${letters(i % 3)}`);
    const ofFour = [
      fox.repeat(250),
      `${fox.repeat(199)}a`,
      `${fox.repeat(200)}z`,
      `${fox.repeat(200)}a`,
      `${fox.repeat(60)}\u{1f98b}`,
      fox.repeat(61),
      fox.repeat(60),
      `${fox.repeat(59)}\uffee${fox.repeat(200)}`,
      fox.repeat(200),
      `\u{1f98b}${fox.repeat(2000)}`,
    ];

    async function setUpTexts(texts: string[]) {
      const made = await setUp();
      await made.define({ type: "textField", name: "Note" });
      await made.withValues("Note", ["short", ...texts, null]);
      const everybody = await made.api.all("/v1/people?limit=100");
      const order = (isDescending: boolean): Order => ({ field: made.rank("Note"), kind: "TEXT", isDescending });
      return { ...made, everybody, order };
    }

    /** Walks page by page of one record, at most twice as far as there are records. */
    async function walkByOne(api: Client, order: Order, between: (id: string, page: number) => Promise<unknown>) {
      const ids: string[] = [];
      for (let path: string | undefined = `/v1/people?limit=1&${toSort(order)}`; path !== undefined; ) {
        const page = await api.get(path);
        const [id = ""] = idsOf(page.items);
        ids.push(id);
        expect(cursorOf(page).length).toBeLessThanOrEqual(512);
        await between(id, ids.length);
        path = ids.length < 40 ? nextPath(page) : undefined;
      }
      return ids;
    }

    it.each([
      ["of 190 Cyrillic letters", cyrillic],
      ["of 200 characters of four bytes", ofFour],
      // The last code point, which no character has.
      ["of the last code points", [2, 100, 61, 200, 60, 300].map((count) => "\u{10ffff}".repeat(count))],
    ])("%s meets each record once by pages of one, in both directions", async (_, texts) => {
      const { api, everybody, order } = await setUpTexts(texts);
      for (const isDescending of [false, true]) {
        const wanted = idsOf(inOrder(everybody, order(isDescending)));
        expect(await walkByOne(api, order(isDescending), async () => undefined)).toEqual(wanted);
      }
    });

    // The cursor has the beginning of a long text, and a hash of it. When nobody has the text any more, the walk goes back to
    // where texts begin so.
    it.each([
      ["190 Cyrillic letters", cyrillic],
      ["200 characters of four bytes", ofFour],
    ])(
      "of %s leaves out no record when the one before it is deleted, and only repeats what begins like it",
      async (_, texts) => {
        for (const isDescending of [false, true]) {
          const { api, everybody, order } = await setUpTexts(texts);
          const wanted = idsOf(inOrder(everybody, order(isDescending)));
          const gone = new Set(wanted.filter((_id, i) => i % 4 === 1));
          const met = await walkByOne(
            api,
            order(isDescending),
            async (id) => gone.has(id) && api.delete(`/v1/people/${id}`),
          );
          expect([...new Set(met)]).toEqual(wanted);
          const repeated = new Set(met.filter((id, i) => met.indexOf(id) < i));
          const others = everybody.filter((record) => String(keyOf(record, order(isDescending)) ?? "").length < 60);
          expect(idsOf(others).filter((id) => repeated.has(id))).toEqual([]);
          expect([...repeated].filter((id) => gone.has(id))).toEqual([]);
        }
      },
    );
  });
});
