import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

describeServer("Groups", (scene) => {
  it("are made with name and visibility, both required, by any user, who gets a membership as admin (docs/guides/access.md#groups)", async () => {
    const { ada, user } = await scene.workspace();
    const bob = await user("Bob Stone");
    const api = scene.api(bob);
    const { data } = await api.post("/v1/groups", { name: "  Sales \n", visibility: "private" });
    expect(data).toEqual({ id: expect.stringMatching(/^grp_.{36}$/), name: "Sales", visibility: "private" });
    expect((await api.get("/v1/groups")).items).toEqual([data]);
    expect((await api.get(`/v1/groups/${data.id}/members`)).items).toEqual([
      { id: bob.id, fullName: bob.fullName, email: bob.email, role: "admin" },
    ]);
    const { issues } = await scene.api(ada).post("/v1/groups", {});
    expect(issues).toEqual(
      [
        ["name", "string"],
        ["visibility", "'public' | 'private'"],
      ].map(([name, expected]) => ({ code: "invalid_type", expected, received: "undefined", path: [name] })),
    );
  });

  it("have names of 1 to 255 characters after trimming, which need not be unique (docs/guides/access.md#groups)", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const make = (name: string) => api.post("/v1/groups", { name, visibility: "public" });
    expect((await make(`\u00a0${"n".repeat(255)}\u2003`)).data.name).toBe("n".repeat(255));
    expect((await make("n".repeat(255))).status).toBe(200);
    expect((await make("n".repeat(256))).issues).toMatchObject([{ code: "too_big", maximum: 255 }]);
    for (const name of ["", " ", "\t\n\u00a0"])
      expect((await make(name)).issues).toMatchObject([{ code: "too_small", minimum: 1 }]);
    expect((await api.get("/v1/groups")).items).toHaveLength(2);
  });

  it("are changed by a PATCH of name or visibility, and not by an empty one (docs/guides/access.md#groups)", async () => {
    const { ada, group } = await scene.workspace();
    const api = scene.api(ada);
    const { id } = await group(ada, { name: "Old" });
    expect((await api.patch(`/v1/groups/${id}`, {})).data).toEqual({ id, name: "Old", visibility: "private" });
    expect((await api.patch(`/v1/groups/${id}`, { name: "New" })).data).toEqual({
      id,
      name: "New",
      visibility: "private",
    });
    expect((await api.patch(`/v1/groups/${id}`, { visibility: "public" })).data).toEqual({
      id,
      name: "New",
      visibility: "public",
    });
    expect((await api.get("/v1/groups")).items).toEqual([{ id, name: "New", visibility: "public" }]);
    const person = await api.post("/v1/people", { groups: [{ id }] });
    await api.patch(`/v1/groups/${id}`, { name: "Newest" });
    expect((await api.get(`/v1/people/${person.data.id}`)).data.groups).toEqual([{ id, name: "Newest" }]);
  });

  it("are listed by visibility when asked for, and only as far as the caller sees them (docs/guides/access.md#groups)", async () => {
    const { ada, user, group } = await scene.workspace();
    const bob = await user("Bob Stone");
    const own = await group(ada);
    const open = await group(bob, { visibility: "public" });
    await group(bob, { name: "Hidden" });
    const ids = async (query: string) => (await scene.api(ada).get(`/v1/groups${query}`)).items.map(({ id }) => id);
    expect(await ids("")).toEqual([own.id, open.id]);
    expect(await ids("?visibility=private")).toEqual([own.id]);
    expect(await ids("?visibility=public")).toEqual([open.id]);
    const { issues } = await scene.api(ada).get("/v1/groups?visibility=Public");
    expect(issues).toEqual([
      { code: "invalid_enum_value", options: ["public", "private"], received: "Public", path: ["visibility"] },
    ]);
    expect((await scene.api(ada).get("/v1/groups?visibility=public&visibility=private")).status).toBe(422);
  });
});

describeServer("Users", (scene) => {
  it("are listed in order of creation; /v1/users/me is the one behind the key (docs/guides/access.md#users)", async () => {
    const { ada, user } = await scene.workspace();
    const bob = await user("Bob Stone");
    const shown = [ada, bob].map(({ id, fullName, email }) => ({ id, fullName, email }));
    expect((await scene.api(bob).get("/v1/users")).items).toEqual(shown);
    expect((await scene.api(bob).get("/v1/users/me")).data).toEqual(shown[1]);
    expect((await scene.api(bob).get(`/v1/users/${ada.id}`)).data).toEqual(shown[0]);
  });
});

describeServer("Members", (scene) => {
  async function team() {
    const workspace = await scene.workspace();
    const [bob, cleo] = [await workspace.user("Bob Stone"), await workspace.user("Cleo Park")];
    const group = await workspace.group(workspace.ada);
    return { ...workspace, bob, cleo, api: scene.api(workspace.ada), path: `/v1/groups/${group.id}/members` };
  }
  const rolesIn = async (api: ReturnType<typeof scene.api>, path: string) =>
    (await api.get(path)).items.map(({ id, role }) => [id, role]);

  it("are added by id with a role; one that is there gets the new role (docs/guides/access.md#members)", async () => {
    const { api, ada, bob, path } = await team();
    const { id, fullName, email } = bob;
    expect((await api.post(path, { id, role: "reader" })).data).toEqual({ id, fullName, email, role: "reader" });
    expect((await api.post(path, { id, role: "contributor" })).data.role).toBe("contributor");
    expect(await rolesIn(api, path)).toEqual([
      [ada.id, "admin"],
      [id, "contributor"],
    ]);
    expect((await api.post(path, { email, role: "reader" })).issues).toMatchObject([
      { code: "invalid_type", path: ["id"], received: "undefined" },
      { code: "unrecognized_keys", keys: ["email"], path: [] },
    ]);
    expect((await api.post(path, { id, role: "owner" })).issues).toEqual([
      {
        code: "invalid_enum_value",
        options: expect.arrayContaining(["admin", "contributor", "reader"]),
        received: "owner",
        path: ["role"],
      },
    ]);
  });

  it("change their role and leave; a user who is no member is 404 (docs/guides/access.md#members)", async () => {
    const { api, ada, bob, cleo, path } = await team();
    await api.post(path, { id: bob.id, role: "reader" });
    expect((await api.patch(`${path}/${bob.id}`, { role: "admin" })).data).toEqual({
      id: bob.id,
      fullName: bob.fullName,
      email: bob.email,
      role: "admin",
    });
    expect((await api.patch(`${path}/${bob.id}`, {})).issues).toMatchObject([{ code: "invalid_type", path: ["role"] }]);
    expect((await api.patch(`${path}/${cleo.id}`, { role: "reader" })).status).toBe(404);
    expect((await api.delete(`${path}/${cleo.id}`)).status).toBe(404);
    expect((await api.delete(`${path}/${bob.id}`)).data).toEqual({ id: bob.id });
    expect((await api.delete(`${path}/${bob.id}`)).status).toBe(404);
    expect((await scene.api(bob).get(path)).status).toBe(404);
    expect(await rolesIn(api, path)).toEqual([[ada.id, "admin"]]);
  });

  it("of a public group are all users with the role that counts; POST and PATCH write a membership, DELETE takes it away (docs/guides/access.md#members)", async () => {
    const { ada, user, group } = await scene.workspace();
    const [bob, cleo] = [await user("Bob Stone"), await user("Cleo Park")];
    const path = `/v1/groups/${(await group(ada, { visibility: "public" })).id}/members`;
    const api = scene.api(ada);
    expect(await rolesIn(api, path)).toEqual([ada, bob, cleo].map(({ id }) => [id, "admin"]));
    expect((await api.patch(`${path}/${bob.id}`, { role: "reader" })).data.role).toBe("reader");
    expect((await api.post(path, { id: cleo.id, role: "contributor" })).data.role).toBe("contributor");
    expect(await rolesIn(api, path)).toEqual([
      [ada.id, "admin"],
      [bob.id, "reader"],
      [cleo.id, "contributor"],
    ]);
    for (const { id } of [bob, cleo, cleo]) expect((await api.delete(`${path}/${id}`)).status).toBe(200);
    expect(await rolesIn(api, path)).toEqual([ada, bob, cleo].map(({ id }) => [id, "admin"]));
  });
});
