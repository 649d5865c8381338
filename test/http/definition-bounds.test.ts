import { expect, it } from "@jest/globals";
import type { TestWorkspace } from "../../lab/harness/world.ts";
import type { Answer } from "../support/client.ts";
import { type Definition, seedDefinitions } from "../support/definitions.ts";
import { describeServer } from "../support/scene.ts";

// docs/guides/limits.md#what-a-workspace-may-have
describeServer("Definitions of a workspace", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const group = await workspace.group(workspace.ada, { visibility: "public" });
    const seed = (what: Definition, count: number, id?: string) =>
      seedDefinitions(scene.server.database, workspace.uuid, what, count, id);
    return { workspace, api, group, seed };
  }

  const fieldIdOf = async ({ uuid }: TestWorkspace, name: string) =>
    (
      await scene.server.database.read<{ id: string }>(
        "select id from custom_fields where workspace_id = $1 and name = $2",
        [uuid, name],
      )
    )[0]?.id;

  const expectFull = ({ status, issues, error }: Answer, message: string, path: string[] = []) => {
    expect({ status, issues }).toMatchObject({ status: 422, issues: [{ code: "custom", path }] });
    expect(error.details?.issues?.[0]?.message).toBe(message);
  };

  it("are at most 1,000 groups", async () => {
    const { api, seed } = await setUp();
    await seed("groups", 999);
    const more = await api.post("/v1/groups", { name: "More", visibility: "public" });
    expectFull(more, "The workspace would have 1,001 groups. At most 1,000 are possible");
  });

  it("are at most 50,000 memberships, in which roles still change", async () => {
    const { workspace, api, group, seed } = await setUp();
    const bob = await workspace.user("Bob Stone");
    await seed("users", 9990);
    const groups = [group, ...(await Promise.all([1, 2, 3, 4].map(() => workspace.group(workspace.ada))))];
    for (const { id } of groups) await seed("members", 9990, id);
    const last = await workspace.group(workspace.ada);
    await seed("members", 50 - groups.length - 1, last.id);
    const add = (role: string) => api.post(`/v1/groups/${last.id}/members`, { id: bob.id, role });
    expectFull(
      await add("reader"),
      "The workspace would have 50,001 memberships in groups. At most 50,000 are possible",
    );
    const role = await api.patch(`/v1/groups/${group.id}/members/${workspace.ada.id}`, { role: "admin" });
    expect(role.status).toBe(200);
  });

  it("are at most 1,000 fields and 100 object types of a group", async () => {
    const { api, group, seed } = await setUp();
    await seed("fields", 999, group.id);
    const define = (type: string, name: string) =>
      api.post(`/v1/groups/${group.id}/custom-fields/company`, { type, name });
    expect((await define("textField", "Last")).status).toBe(200);
    expectFull(
      await define("textField", "More"),
      'The group "Sales" would have 1,001 custom fields. At most 1,000 are possible',
    );
    const other = await setUp();
    await other.seed("types", 100, other.group.id);
    expectFull(
      await other.api.post(`/v1/groups/${other.group.id}/custom-fields/person`, { type: "objectField", name: "Deals" }),
      'The group "Sales" would have 101 object types. At most 100 are possible',
    );
  });

  it("are at most 10,000 options of a field, of which more may become fewer", async () => {
    const { workspace, api, group, seed } = await setUp();
    const path = `/v1/groups/${group.id}/custom-fields/person`;
    const options = [{ label: "First" }, { label: "Second" }];
    const made = (await api.post(path, { type: "singleSelect", name: "Status", options })).data;
    await seed("options", 10_000, await fieldIdOf(workspace, "Status"));
    const add = { addOptions: [{ label: "More" }] };
    expectFull(
      await api.patch(`${path}/Status`, add),
      'The field "Status" would have 10,003 options. At most 10,000 are possible',
      ["addOptions"],
    );
    const [first, second] = made.options as { id: string }[];
    const remove = await api.patch(`${path}/Status`, { removeOptions: [first?.id] });
    expect(remove.status).toBe(200);
    expect((await api.patch(`${path}/Status`, { ...add, removeOptions: [second?.id] })).status).toBe(200);
  });

  it("are at most 5,000 fields and 20,000 options of a workspace", async () => {
    const { workspace, api, group, seed } = await setUp();
    for (let i = 0; i < 5; i++) await seed("fields", 1000, (await workspace.group(workspace.ada)).id);
    const options = [{ label: "One" }];
    const define = await api.post(`/v1/groups/${group.id}/custom-fields/person`, { type: "textField", name: "More" });
    expectFull(define, "The workspace would have 5,001 custom fields. At most 5,000 are possible");
    const other = await setUp();
    const path = `/v1/groups/${other.group.id}/custom-fields/person`;
    for (const name of ["A", "B", "C", "D"]) {
      await other.api.post(path, { type: "singleSelect", name, options });
      await other.seed("options", 4999, await fieldIdOf(other.workspace, name));
    }
    expectFull(
      await other.api.post(path, { type: "singleSelect", name: "E", options }),
      "The workspace would have 20,001 options. At most 20,000 are possible",
    );
  });
});
