import { expect, it } from "@jest/globals";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

/** Makes people one after the other; gives their ids in order of creation. */
async function makePeople(api: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await api.post("/v1/people", { firstName: `P${i}` })).data.id);
  return ids;
}

describeServer("Pagination", (scene) => {
  const newApi = async () => {
    const workspace = await scene.workspace();
    return { ...workspace, api: scene.api(workspace.ada) };
  };

  it("gives 20 records without limit, up to 100 with one, in order of creation (docs/guides/lists.md#pages)", async () => {
    const { api } = await newApi();
    const ids = await makePeople(api, 41);
    const pages = await api.pages("/v1/people");
    expect(pages.map((page) => page.length)).toEqual([20, 20, 1]);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    expect((await api.get("/v1/people?limit=100")).items).toHaveLength(41);
  });

  it("ends without nextLink and with an empty pagination, also when the last page is full (docs/guides/lists.md#pages)", async () => {
    const { api } = await newApi();
    expect((await api.get("/v1/people")).body).toEqual({ data: { items: [], pagination: {} } });
    await makePeople(api, 4);
    const pages = await api.pages("/v1/people?limit=2");
    expect(pages.map((page) => page.length)).toEqual([2, 2]);
  });

  it("skips and repeats nothing while records are added, deleted and renamed between pages (docs/guides/lists.md#pages)", async () => {
    const { api } = await newApi();
    const ids = await makePeople(api, 9);
    const [first, second, third, , fifth, , , eighth] = ids;
    const seen: string[] = [];
    let next: string | undefined = "/v1/people?limit=2";
    const between = [
      async () => api.delete(`/v1/people/${second}`), // the record that the cursor stands on
      async () => api.delete(`/v1/people/${fifth}`), // one that is still to come
      async () => api.patch(`/v1/people/${first}`, { firstName: "Zoe" }), // one that has been
      async () => api.patch(`/v1/people/${eighth}`, { firstName: "Abe" }),
    ];
    const added: string[] = [];
    while (next !== undefined) {
      const page = await api.get(next);
      seen.push(...page.items.map(({ id }) => id));
      next = page.nextLink?.slice(scene.server.publicUrl.length);
      await between.shift()?.();
      if (between.length > 1) added.push(...(await makePeople(api, 1)));
    }
    expect(seen).toEqual([...ids.filter((id) => id !== fifth), ...added]);
    expect(seen).toContain(third);
  });

  it("repeats every parameter in nextLink and adds the cursor (docs/guides/lists.md#pages)", async () => {
    const { api } = await newApi();
    await makePeople(api, 3);
    const { nextLink } = await api.get("/v1/people?limit=1&b=%C3%BC&a=1&a=2");
    expect(nextLink).toMatch(`${scene.server.publicUrl}/v1/people?limit=1&b=%C3%BC&a=1&a=2&cursor=`);
    const second = await api.get(String(nextLink).slice(scene.server.publicUrl.length));
    expect(second.nextLink).toMatch(`${scene.server.publicUrl}/v1/people?limit=1&b=%C3%BC&a=1&a=2&cursor=`);
    expect(second.nextLink).not.toBe(nextLink);
  });

  it("makes nextLink a URI, whatever the request line holds (docs/guides/lists.md#pages)", async () => {
    const { api, ada, group, field } = await newApi();
    const home = await group(ada);
    await field(ada, home, "person", { type: "objectField", name: "[Deals]" });
    const deals = `/v1/groups/${home.id}/[Deals]`;
    for (const name of ["a", "b"]) await api.post(deals, { name });
    const { nextLink = "" } = await api.get(`${deals}?limit=1&filter[name][not_empty]&x="{|}^\`<>#"&y=%22`);
    expect(nextLink).toMatch("filter%5Bname%5D%5Bnot_empty%5D&x=%22%7B%7C%7D%5E%60%3C%3E%23%22&y=%22&cursor=");
    expect((await api.get(nextLink.slice(scene.server.publicUrl.length))).items).toMatchObject([{ name: "b" }]);
  });

  it("repeats lists as they are written, and takes its cursor in every notation (docs/guides/filters.md#array-notation)", async () => {
    const { api, ada, group } = await newApi();
    const { id } = await group(ada);
    for (let i = 0; i < 3; i++) await api.post("/v1/people", { emails: ["a@x.test"], groups: [{ id }] });
    const written = `filter[emails][eq][0]=a%40x.test&filter[groups][in][id][]=${id}&limit=1`;
    const first = await api.get(`/v1/people?${written}`);
    const sent = written.replaceAll("[", "%5B").replaceAll("]", "%5D");
    expect(first.nextLink).toMatch(`/v1/people?${sent}&cursor=`);
    const pages = await api.pages(`/v1/people?${written}`);
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1]);
    const cursor = new URL(String(first.nextLink)).searchParams.get("cursor");
    const plain = `filter[groups][in][id]=${id}&filter[emails][eq]=a%40x.test&cursor=${cursor}`;
    expect((await api.get(`/v1/people?${plain}`)).items).toEqual(pages.slice(1).flat());
    const other = `filter[groups][in][id][]=${id}&filter[emails][eq][]=b%40x.test&cursor=${cursor}`;
    expect((await api.get(`/v1/people?${other}`)).issues).toEqual([{ code: "custom", path: ["cursor"] }]);
  });

  it("takes a cursor with another limit, and by itself (docs/guides/lists.md#cursors)", async () => {
    const { api } = await newApi();
    const ids = await makePeople(api, 5);
    const cursor = new URL(String((await api.get("/v1/people?limit=2")).nextLink)).searchParams.get("cursor");
    expect((await api.get(`/v1/people?cursor=${cursor}`)).items.map(({ id }) => id)).toEqual(ids.slice(2));
    expect((await api.get(`/v1/people?limit=1&cursor=${cursor}`)).items.map(({ id }) => id)).toEqual(ids.slice(2, 3));
  });

  const cursorOf = async (api: Client, path: string) =>
    new URL(String((await api.get(path)).nextLink)).searchParams.get("cursor") ?? "";

  it("refuses a cursor of another route, workspace or parameter (docs/guides/lists.md#cursors)", async () => {
    const { api, ada, group, field } = await newApi();
    const { api: stranger } = await newApi();
    const [one, two] = [await group(ada, { visibility: "public" }), await group(ada, { visibility: "public" })];
    for (const name of ["A", "B"]) await field(ada, one, "person", { type: "textField", name });
    await makePeople(api, 2);
    const people = await cursorOf(api, "/v1/people?limit=1");
    const groups = await cursorOf(api, "/v1/groups?limit=1&visibility=public");
    const fields = await cursorOf(api, `/v1/groups/${one.id}/custom-fields/person?limit=1`);
    const foreign: [Client, string][] = [
      [api, `/v1/companies?cursor=${people}`],
      [api, `/v1/groups?cursor=${groups}`],
      [api, `/v1/groups?visibility=private&cursor=${groups}`],
      [api, `/v1/groups/${two.id}/custom-fields/person?cursor=${fields}`],
      [api, `/v1/groups/${one.id}/custom-fields/company?cursor=${fields}`],
      [stranger, `/v1/people?cursor=${people}`],
    ];
    for (const [from, path] of foreign) {
      expect([path, (await from.get(path)).issues]).toEqual([path, [{ code: "custom", path: ["cursor"] }]]);
    }
  });

  it("refuses a cursor with any one character changed (docs/guides/lists.md#cursors)", async () => {
    const { api } = await newApi();
    await makePeople(api, 2);
    const cursor = await cursorOf(api, "/v1/people?limit=1");
    for (let i = 0; i < cursor.length; i++) {
      const changed = `${cursor.slice(0, i)}${cursor[i] === "A" ? "B" : "A"}${cursor.slice(i + 1)}`;
      expect([i, (await api.get(`/v1/people?cursor=${changed}`)).status]).toEqual([i, 422]);
    }
    expect((await api.get(`/v1/people?cursor=${cursor}=`)).status).toBe(422);
    expect((await api.get(`/v1/people?cursor=${cursor}`)).status).toBe(200);
  });

  it("walks every list one by one in order of creation", async () => {
    const { api, ada, user, group, field } = await newApi();
    const made = [ada, await user("Bob Stone"), await user("Cleo Park")];
    const groups = [await group(ada), await group(ada, { visibility: "public" }), await group(ada)];
    const [first, second] = groups;
    if (!first || !second) throw new Error("unreachable");
    for (const name of ["Z", "A", "M"]) await field(ada, first, "company", { type: "textField", name });
    for (const name of ["Zoo", "Apple", "Moon"]) await api.post("/v1/companies", { name });
    const walk = async (path: string, name: string) =>
      (await api.pages(`${path}${path.includes("?") ? "&" : "?"}limit=1`)).map((page) =>
        page.map((item) => item[name]),
      );
    expect(await walk("/v1/users", "id")).toEqual(made.map(({ id }) => [id]));
    expect(await walk(`/v1/groups/${second.id}/members`, "id")).toEqual(made.map(({ id }) => [id]));
    expect(await walk("/v1/groups", "id")).toEqual(groups.map(({ id }) => [id]));
    expect(await walk("/v1/groups?visibility=public", "id")).toEqual([[second.id]]);
    expect(await walk(`/v1/groups/${first.id}/custom-fields/company`, "name")).toEqual([["Z"], ["A"], ["M"]]);
    expect(await walk("/v1/companies", "name")).toEqual([["Zoo"], ["Apple"], ["Moon"]]);
  });
});
