import { expect, it } from "@jest/globals";
import type { TestUser } from "../../lab/harness/world.ts";
import { describeServer } from "../support/scene.ts";

describeServer("The object types of a group", (scene) => {
  async function setUp(names: string[] = []) {
    const workspace = await scene.workspace();
    const group = await workspace.group(workspace.ada);
    for (const name of names) await workspace.field(workspace.ada, group, "person", { type: "objectField", name });
    return { ...workspace, group, api: scene.api(workspace.ada), path: `/v1/groups/${group.id}/object-types` };
  }
  const namesSeenBy = async (user: TestUser, path: string) =>
    (await scene.api(user).get(path)).items.map(({ name }) => name);

  it("are listed by name in order of creation, and none in a group without any", async () => {
    const { api, path } = await setUp(["Projects", "Deals", "a/b ?#%"]);
    const named = ["Projects", "Deals", "a/b ?#%"].map((name) => ({ name }));
    expect((await api.get(path)).body).toEqual({ data: { items: named, pagination: {} } });
    const { api: other, path: empty } = await setUp();
    expect((await other.get(empty)).body).toEqual({ data: { items: [], pagination: {} } });
  });

  it("are paged", async () => {
    const names = ["E", "D", "C", "B", "A"];
    const { api, path } = await setUp(names);
    const pages = await api.pages(`${path}?limit=2`);
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual([["E", "D"], ["C", "B"], ["A"]]);
  });

  it("keep their names when the field is renamed, and come from people and companies only", async () => {
    const { api, ada, group, field, path } = await setUp(["Deals"]);
    await field(ada, group, "company", { type: "objectField", name: "Projects" });
    await field(ada, group, "Deals", { type: "objectField", name: "Parts" });
    await api.patch(`/v1/groups/${group.id}/custom-fields/person/Deals`, { name: "Renamed" });
    expect(await namesSeenBy(ada, path)).toEqual(["Deals", "Projects"]);
  });

  it("are shown to a reader, and are those of a group that does not exist to who cannot see it", async () => {
    const { api, user, group, path } = await setUp(["Deals"]);
    const [bob, cleo] = [await user("Bob Stone"), await user("Cleo Park")];
    await api.post(`/v1/groups/${group.id}/members`, { id: bob.id, role: "reader" });
    expect(await namesSeenBy(bob, path)).toEqual(["Deals"]);
    const { status, error } = await scene.api(cleo).get(path);
    expect([status, error.code]).toEqual([404, "RESOURCE_NOT_FOUND"]);
  });

  it("stand at a segment that wins over the name of a type, whatever follows it", async () => {
    const { api, path } = await setUp(["Deals"]);
    const { status, headers } = await api.post(path, { name: "x" });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
    for (const [method, below] of [
      ["GET", "obj_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70"],
      ["POST", "search"],
      ["POST", "batch/create"],
    ] as const) {
      const answer = await api.request(method, `${path}/${below}`, method === "POST" ? {} : undefined);
      expect([below, answer.status]).toEqual([below, 404]);
      expect(answer.error.message).toMatch(/^There is nothing at /);
    }
  });
});
