import { describe, expect, it } from "@jest/globals";
import { inOrder } from "../contract/filters/sort-oracle.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { cursorOf, nextPath, walkPages } from "../support/walking.ts";
import { recordsOf } from "./batch-results.ts";
import { idsOf, setUpSorted } from "./sorted-people.ts";

const refusal = (...path: string[]) => [{ code: "custom", path }];

describeServer("A sorted list", (scene) => {
  const setUp = () => setUpSorted(scene);
  const walked = async (api: Client, path: string) => idsOf((await walkPages(api.get, path)).flat());

  describe("refuses at its parameter, and nowhere else,", () => {
    it("an order that is empty, given twice, or by no field that has one (docs/guides/sorting.md#fields)", async () => {
      const { api, define, rank } = await setUp();
      await define({ type: "multipleSelect", name: "Tags", options: [{ label: "A" }] });
      await define({ type: "userField", name: "Owner" });
      await define({ type: "numericField", name: "Score" });
      for (const unknown of [
        "-",
        "--createdAt",
        "+createdAt",
        "nickname",
        "firstname",
        "name",
        "id",
        "emails",
        "gender",
        "companies",
        "createdBy",
        "interactionMetadata",
        "interactionMetadata.user.lastInteractedAt",
        "constructor",
        "customFieldValues",
        rank("Tags"),
        rank("Owner"),
        rank("score"),
        "customFieldValues.Score",
        "x".repeat(5000),
      ]) {
        const sent = encodeURIComponent(unknown);
        expect([unknown, (await api.get(`/v1/people?sort=${sent}`)).issues]).toEqual([unknown, refusal("sort")]);
        const searched = await api.post(`/v1/people/search?sort=${sent}`);
        expect([unknown, searched.issues]).toEqual([unknown, refusal("sort")]);
      }
      for (const query of ["sort=", "sort", "sort=createdAt&sort=-firstName", "sort[]=createdAt&sort[1]=createdAt"]) {
        const { status, issues } = await api.get(`/v1/people?${query}`);
        expect([query, status, issues.map(({ path }) => path)]).toEqual([query, 422, [["sort"]]]);
      }
    });

    it("an order of another kind of record", async () => {
      const { api, define, group } = await setUp();
      await define({ type: "objectField", name: "Deals" });
      for (const [path, field] of [
        ["/v1/companies", "firstName"],
        ["/v1/companies", "interactionMetadata.workspace.lastInteractedAt"],
        [`/v1/groups/${group.id}/Deals`, "industry"],
        [`/v1/groups/${group.id}/Deals`, `customFieldValues.${group.id}.Score`],
      ])
        expect([field, (await api.get(`${path}?sort=${field}`)).issues]).toEqual([field, refusal("sort")]);
    });

    it("and tells of filters that make no sense in the same answer", async () => {
      const { api } = await setUp();
      const filters = "filter[nickname][eq]=x&filter[firstName][gt]=x";
      const paths = [["filter", "firstName"], ["filter", "nickname"], ["sort"]];
      const listed = await api.get(`/v1/people?sort=nickname&${filters}`);
      expect(listed.issues.map(({ path }) => path).sort()).toEqual(paths);
      const filter = { nickname: { eq: "x" }, firstName: { gt: "x" } };
      const searched = await api.post("/v1/people/search?sort=nickname", { filter });
      expect(searched.issues.map(({ path }) => path).sort()).toEqual(paths);
      const sensible = await api.get(`/v1/people?sort=firstName&${filters}`);
      expect(sensible.issues.map(({ path }) => path).sort()).toEqual(paths.slice(0, 2));
    });
  });

  it("by a search is asked for in its query, like limit and cursor", async () => {
    const { api, make } = await setUp();
    const people = await make(["b", "c", "a"].map((firstName) => ({ firstName, jobTitle: "x" })));
    const [b, c, a] = idsOf(people);
    const body = { filter: { jobTitle: { eq: "x" } } };
    const first = await api.post("/v1/people/search?sort=-firstName&limit=2", body);
    expect(idsOf(first.items)).toEqual([c, b]);
    expect(nextPath(first)).toBe(`/v1/people/search?sort=-firstName&limit=2&cursor=${cursorOf(first)}`);
    expect(idsOf((await api.post(String(nextPath(first)), body)).items)).toEqual([a]);
    expect((await api.post("/v1/people/search", { ...body, sort: "firstName" })).issues).toEqual([
      { code: "unrecognized_keys", path: [], keys: ["sort"] },
    ]);
  });

  it("is empty as often as nothing meets its filters", async () => {
    const { api } = await setUp();
    for (const _ of [1, 2, 3])
      for (const path of ["/v1/people?sort=firstName", "/v1/people?sort=firstName&filter[firstName][eq]=x"])
        expect((await api.get(path)).body).toEqual({ data: { items: [], pagination: {} } });
  });

  it("takes sort[] and sort[0] for sort, in cursors too (docs/guides/filters.md#array-notation)", async () => {
    const { api, make } = await setUp();
    const [b, c, a] = idsOf(await make(["b", "c", "a"].map((firstName) => ({ firstName }))));
    const first = await api.get("/v1/people?sort[]=firstName&limit=1");
    expect(idsOf(first.items)).toEqual([a]);
    expect(first.headers["ignored-parameters"]).toBeUndefined();
    for (const name of ["sort", "sort[]", "sort[0]", "sort%5B0%5D"]) {
      const rest = await api.get(`/v1/people?${name}=firstName&cursor=${cursorOf(first)}`);
      expect([name, idsOf(rest.items)]).toEqual([name, [b, c]]);
    }
  });

  it("has cursors of its own: of the field, of the direction, and of the filters", async () => {
    const { api, make } = await setUp();
    await make(["b", "c", "a"].map((firstName) => ({ firstName, lastName: firstName })));
    const at = async (query: string) => cursorOf(await api.get(`/v1/people?limit=1&${query}`));
    for (const [made, asked] of [
      ["sort=firstName", "sort=-firstName"],
      ["sort=firstName", "sort=lastName"],
      ["sort=firstName", ""],
      ["", "sort=firstName"],
      ["", "sort=createdAt"],
      ["sort=createdAt", ""],
      ["sort=firstName", "sort=firstName&filter[lastName][like]=a"],
    ] as const) {
      const answer = await api.get(`/v1/people?${asked}&cursor=${await at(made)}`);
      expect([made, asked, answer.status === 422 && answer.issues]).toEqual([made, asked, refusal("cursor")]);
    }
    expect(
      (await api.get(`/v1/people?limit=50&sort=firstName&cursor=${await at("sort=firstName")}`)).items,
    ).toHaveLength(2);
  });

  it("is that of creation, page by page, when sorted by createdAt", async () => {
    const { api, make } = await setUp();
    const ids = idsOf(await make(Array.from({ length: 30 }, (_, i) => ({ firstName: `P${i}` }))));
    expect(await walked(api, "/v1/people?limit=7&sort=createdAt")).toEqual(ids);
  });

  it("by -createdAt has the oldest first of those that were made in one millisecond", async () => {
    const { api, make } = await setUp();
    const batches: Item[] = [];
    for (const count of [3, 60, 1, 20]) batches.push(...(await make(Array.from({ length: count }, () => ({})))));
    const wanted = idsOf(inOrder(batches, { field: "createdAt", kind: "DATE", isDescending: true }));
    expect(wanted).not.toEqual(idsOf(batches).reverse());
    for (const limit of [1, 2, 7, 100])
      expect([limit, await walked(api, `/v1/people?limit=${limit}&sort=-createdAt`)]).toEqual([limit, wanted]);
  });

  describe("by a custom field", () => {
    it("loses its cursors when the field is renamed, and another one with its name has not got them", async () => {
      const { api, define, rank, fields, withValues } = await setUp();
      await define({ type: "numericField", name: "Rank" });
      await withValues("Rank", [3, 1, 2, null]);
      const path = `/v1/people?limit=1&sort=${rank("Rank")}`;
      const first = await api.get(path);
      const unset = await walkPages(api.get, path).then(() => api.get(`/v1/people?limit=3&sort=${rank("Rank")}`));
      await api.patch(`${fields}/Rank`, { name: "Former" });
      expect((await api.get(String(nextPath(first)))).issues).toEqual(refusal("sort"));
      for (const type of ["numericField", "textField"]) {
        await define({ type, name: "Rank" });
        for (const page of [first, unset])
          expect([type, (await api.get(String(nextPath(page)))).issues]).toEqual([type, refusal("cursor")]);
        await api.patch(`${fields}/Rank`, { name: `Former ${type}` });
      }
      const back = `/v1/people?limit=1&sort=${rank("Former")}`;
      expect(await walked(api, back)).toHaveLength(4);
    });

    it("is 422 for users who do not see its group, also from the middle of a walk", async () => {
      const { api, ada, user, leave, group, rank, define, withValues } = await setUp();
      const bob = await user("Bob Stone");
      await define({ type: "numericField", name: "Rank" });
      await withValues("Rank", [3, 1, 2]);
      const sort = `/v1/people?limit=1&sort=${rank("Rank")}`;
      const asBob = scene.api(bob);
      expect((await asBob.get(sort)).issues).toEqual(refusal("sort"));
      await api.post(`/v1/groups/${group.id}/members`, { id: bob.id, role: "contributor" });
      const first = await asBob.get(sort);
      expect(idsOf(first.items)).toEqual(idsOf((await api.get(sort)).items));
      await leave(ada, group, bob);
      expect((await asBob.get(String(nextPath(first)))).issues).toEqual(refusal("sort"));
    });

    it("is read with a key that only reads", async () => {
      const { api, ada, key, rank, define, withValues } = await setUp();
      await define({ type: "dateField", name: "Due" });
      await withValues("Due", ["2026-03-01", null, "2025-01-01"]);
      const reading = scene.api((await key(ada, { access: "read" })).key);
      const path = `/v1/people?limit=1&sort=-${rank("Due")}`;
      expect(await walked(reading, path)).toEqual(await walked(api, path));
      expect((await reading.post(`/v1/people/search?limit=1&sort=${rank("Due")}`)).status).toBe(200);
    });

    it("of objects names no group, and has no objects of another type", async () => {
      const { api, ada, define, field, group } = await setUp();
      for (const name of ["Deals", "Projects"]) {
        await define({ type: "objectField", name });
        await field(ada, group, name, { type: "textField", name: "a.b-c" });
        const records = ["y", null, "x"].map((text) => ({
          name: `${name} ${text}`,
          customFieldValues: { "a.b-c": text },
        }));
        recordsOf(await api.post(`/v1/groups/${group.id}/${name}/batch/create`, { records }));
      }
      const names = async (sort: string) =>
        (await walkPages(api.get, `/v1/groups/${group.id}/Deals?limit=1&sort=${sort}`)).flat().map(({ name }) => name);
      expect(await names("customFieldValues.a.b-c")).toEqual(["Deals x", "Deals y", "Deals null"]);
      expect(await names("-customFieldValues.a.b-c")).toEqual(["Deals y", "Deals x", "Deals null"]);
      expect(await names("-name")).toEqual(["Deals y", "Deals x", "Deals null"]);
    });
  });
});
