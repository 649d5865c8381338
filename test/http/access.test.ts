import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import type { Role } from "../../model/definitions/definitions.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

describeServer("Access", (scene) => {
  /** A workspace with a private group of Ada's that Bob has a role in. */
  async function team(role: Role) {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const cleo = await workspace.user("Cleo Park");
    const group = await workspace.group(ada, {
      members: [
        [bob, role],
        [cleo, "reader"],
      ],
    });
    await workspace.field(ada, group, "person", { type: "textField", name: "Note" });
    return {
      ...workspace,
      bob,
      cleo,
      group,
      admin: scene.api(ada),
      api: scene.api(bob),
      path: `/v1/groups/${group.id}`,
    };
  }
  type Team = Awaited<ReturnType<typeof team>>;

  describe("roles in a group (docs/guides/access.md#roles)", () => {
    const ASKED: [what: string, needs: Role, ask: (at: Team) => Promise<{ status: number }>][] = [
      ["see the group", "reader", ({ api, path }) => api.get(`${path}/members`)],
      ["see its fields", "reader", ({ api, path }) => api.get(`${path}/custom-fields/person/Note`)],
      [
        "put a person into it",
        "contributor",
        ({ api, group }) => api.post("/v1/people", { groups: [{ id: group.id }] }),
      ],
      ["rename it", "admin", ({ api, path }) => api.patch(path, { name: "New" })],
      ["publish it", "admin", ({ api, path }) => api.patch(path, { visibility: "public" })],
      ["add a member", "admin", ({ api, path, ada }) => api.post(`${path}/members`, { id: ada.id, role: "admin" })],
      ["change a member", "admin", ({ api, path, cleo }) => api.patch(`${path}/members/${cleo.id}`, { role: "admin" })],
      ["remove a member", "admin", ({ api, path, cleo }) => api.delete(`${path}/members/${cleo.id}`)],
      [
        "define a field",
        "admin",
        ({ api, path }) => api.post(`${path}/custom-fields/person`, { type: "textField", name: "New" }),
      ],
      ["change a field", "admin", ({ api, path }) => api.patch(`${path}/custom-fields/person/Note`, { name: "New" })],
    ];
    const ROLES: Role[] = ["reader", "contributor", "admin"];
    const cases = ASKED.flatMap(([what, needs, ask]) =>
      ROLES.map((role) => ({ what, role, ask, status: ROLES.indexOf(role) >= ROLES.indexOf(needs) ? 200 : 403 })),
    );

    it.each(cases)("a $role who wants to $what gets $status", async ({ role, ask, status }) => {
      expect((await ask(await team(role))).status).toBe(status);
    });

    it("contributor is needed to write values and to take a record out; naming a group it is in needs nothing", async () => {
      const at = await team("reader");
      const { data } = await at.admin.post("/v1/people", {
        groups: [{ id: at.group.id }],
        customFieldValues: { [at.group.id]: { Note: "x" } },
      });
      const person = `/v1/people/${data.id}`;
      const groups = [{ id: at.group.id }];
      for (const body of [{ customFieldValues: { [at.group.id]: { Note: "y" } } }, { groups: [] }]) {
        expect([body, (await at.api.patch(person, body)).status]).toEqual([body, 403]);
      }
      expect((await at.api.patch(person, { groups, firstName: "Ada" })).data).toMatchObject({
        firstName: "Ada",
        groups: [{ id: at.group.id }],
      });
      expect((await at.admin.get(person)).data.customFieldValues).toEqual({ [at.group.id]: { Note: "x" } });
    });
  });

  it("in a public group every user is admin unless a membership says otherwise; without the membership they are admin again (docs/guides/access.md#members)", async () => {
    const { ada, user, group } = await scene.workspace();
    const bob = await user("Bob Stone");
    const { id } = await group(ada, { visibility: "public" });
    const path = `/v1/groups/${id}`;
    const [admin, api] = [scene.api(ada), scene.api(bob)];
    expect((await api.patch(path, { name: "By Bob" })).status).toBe(200);
    expect((await admin.post(`${path}/members`, { id: bob.id, role: "reader" })).data.role).toBe("reader");
    expect((await api.patch(path, { name: "Again" })).status).toBe(403);
    expect((await admin.delete(`${path}/members/${bob.id}`)).data).toEqual({ id: bob.id });
    expect((await api.patch(path, { name: "Again" })).status).toBe(200);
  });

  it("a private group does not exist for users without a membership, admins of the workspace included, whatever they ask (docs/guides/access.md#groups)", async () => {
    const { user, ada, group } = await scene.workspace();
    const bob = await user("Bob Stone");
    const { id } = await group(bob);
    const api = scene.api(ada);
    expect((await api.get("/v1/groups")).items).toEqual([]);
    const asked = (groupId: string) => [
      api.get(`/v1/groups/${groupId}/members`),
      api.patch(`/v1/groups/${groupId}`, { name: "Mine" }),
      api.post(`/v1/groups/${groupId}/members`, { id: ada.id, role: "admin" }),
      api.get(`/v1/groups/${groupId}/custom-fields/person`),
      api.post(`/v1/groups/${groupId}/custom-fields/person`, { type: "textField", name: "x" }),
    ];
    const random = `grp_${randomUUID()}`;
    const [hidden, unknown] = await Promise.all([Promise.all(asked(id)), Promise.all(asked(random))]);
    expect(hidden.map(({ status }) => status)).toEqual(hidden.map(() => 404));
    expect(hidden.map(({ error }) => error.message.replace(id, "…"))).toEqual(
      unknown.map(({ error }) => error.message.replace(random, "…")),
    );
    const named = await api.post("/v1/people", { groups: [{ id }] });
    expect(named.issues).toEqual([{ code: "custom", path: ["groups", 0, "id"] }]);
  });

  it("making a public group private makes the caller its admin and hides it from users without a membership (docs/guides/access.md#groups)", async () => {
    const { ada, user, group } = await scene.workspace();
    const bob = await user("Bob Stone");
    const cleo = await user("Cleo Park");
    const { id } = await group(ada, { visibility: "public" });
    expect((await scene.api(bob).patch(`/v1/groups/${id}`, { visibility: "private" })).data.visibility).toBe("private");
    const { items } = await scene.api(bob).get(`/v1/groups/${id}/members`);
    expect(items.map((member) => [member.id, member.role])).toEqual([
      [ada.id, "admin"],
      [bob.id, "admin"],
    ]);
    expect((await scene.api(cleo).get(`/v1/groups/${id}/members`)).status).toBe(404);
  });

  describe("the last admin of a private group (docs/guides/access.md#the-last-admin)", () => {
    it("can be neither removed nor demoted, until there is another", async () => {
      const { admin, ada, bob, path } = await team("contributor");
      expect((await admin.delete(`${path}/members/${ada.id}`)).issues).toMatchObject([{ code: "custom" }]);
      expect((await admin.patch(`${path}/members/${ada.id}`, { role: "reader" })).issues).toEqual([
        { code: "custom", path: ["role"] },
      ]);
      expect((await admin.post(`${path}/members`, { id: ada.id, role: "contributor" })).issues).toEqual([
        { code: "custom", path: ["role"] },
      ]);
      expect((await admin.patch(`${path}/members/${bob.id}`, { role: "admin" })).data.role).toBe("admin");
      expect((await admin.patch(`${path}/members/${ada.id}`, { role: "reader" })).data.role).toBe("reader");
    });

    it("stays when two admins remove each other at the same moment", async () => {
      const rounds = Array.from({ length: 6 }, async () => {
        const { admin, api, ada, bob, path } = await team("admin");
        const ask: [Client, string][] = [
          [admin, bob.id],
          [api, ada.id],
        ];
        const statuses = await Promise.all(
          ask.map(async ([from, id]) => (await from.delete(`${path}/members/${id}`)).status),
        );
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        const lists = await Promise.all([admin, api].map((from) => from.get(`${path}/members`)));
        expect(lists.map(({ status }) => status).sort()).toEqual([200, 404]);
      });
      await Promise.all(rounds);
    });
  });

  describe("keys (docs/guides/access.md#api-keys)", () => {
    it("of kind read may read and search, and write nothing (docs/guides/access.md#read-keys)", async () => {
      const { ada, key, group } = await scene.workspace();
      const api = scene.api((await key(ada, { access: "read" })).key);
      expect((await api.get("/v1/people")).status).toBe(200);
      expect((await api.post("/v1/people/search", {})).status).toBe(200);
      const { id } = await group(ada);
      const writes = [
        api.post("/v1/people", {}),
        api.patch(`/v1/groups/${id}`, {}),
        api.delete(`/v1/groups/${id}/members/${ada.id}`),
      ];
      expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([403, 403, 403]);
    });

    it("expire", async () => {
      const { ada, key } = await scene.workspace();
      const past = await key(ada, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
      await scene.server.database.read("update api_keys set expires_at = now() where id = $1", [past.id.slice(4)]);
      const future = await key(ada, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
      expect((await scene.api(past.key).get("/v1/users/me")).status).toBe(401);
      expect((await scene.api(future.key).get("/v1/users/me")).status).toBe(200);
    });

    it("are refused within a second of being revoked, on open connections too; other keys of the user are not", async () => {
      const { ada, key, revoke } = await scene.workspace();
      const took: number[] = [];
      // A busy machine may stand still for a second, so more than one key is revoked then.
      while (took.length < 3 && took.every((ms) => ms >= 1000)) {
        const issued = await key(ada);
        const api = scene.api(issued.key);
        expect((await api.get("/v1/users/me")).status).toBe(200);
        const revokedAt = performance.now();
        await revoke(issued.id);
        await until("the key is refused", async () => (await api.get("/v1/users/me")).status === 401);
        took.push(performance.now() - revokedAt);
      }
      expect(Math.min(...took)).toBeLessThan(1000);
      expect((await scene.api(ada).get("/v1/users/me")).status).toBe(200);
    });

    it("work beside their successor until the overlap is over, and then no more, on open connections too", async () => {
      const { ada, key, rotate } = await scene.workspace();
      const [slow, quick] = [await key(ada), await key(ada)];
      const apis = [slow, quick].map((issued) => scene.api(issued.key));
      const statuses = () => Promise.all(apis.map(async (api) => (await api.get("/v1/users/me")).status));
      expect(await statuses()).toEqual([200, 200]);
      const made = [await rotate(slow.id, 3600), await rotate(quick.id, 0)];
      await until("the key without overlap is refused", async () => (await statuses())[1] === 401);
      expect(await statuses()).toEqual([200, 401]);
      for (const successor of made) expect((await scene.api(successor.key).get("/v1/users/me")).status).toBe(200);
    });

    it("are stored as a hash and their first twelve characters, and end in a checksum", async () => {
      const { ada, uuid } = await scene.workspace();
      const [row] = await scene.server.database.read<{ text: string }>(
        "select json_agg(k)::text as text from api_keys k where workspace_id = $1",
        [uuid],
      );
      expect(ada.key).toMatch(/^cwk_[\w-]{43}[0-9a-f]{8}$/);
      expect(row?.text).toContain(`"${ada.key.slice(0, 12)}"`);
      expect(row?.text).not.toContain(ada.key.slice(0, 13));
      expect(row?.text).not.toContain(ada.key.slice(12, 24));
      expect(
        (await scene.api(ada.key.replace(/.$/, (last) => (last === "0" ? "1" : "0"))).get("/v1/users/me")).status,
      ).toBe(401);
    });
  });

  it("nothing of another workspace can be seen, linked or changed (docs/guides/access.md#workspaces)", async () => {
    const [own, foreign] = [await team("admin"), await team("admin")];
    const there = scene.api(foreign.ada);
    const person = (await there.post("/v1/people", { firstName: "Secret" })).data.id;
    const company = (await there.post("/v1/companies", { name: "Secret Inc" })).data.id;
    expect([(await own.api.get("/v1/people")).items, (await own.api.get("/v1/companies")).items]).toEqual([[], []]);
    const linked = await own.api.post("/v1/people", {
      companies: [{ id: company }],
      groups: [{ id: foreign.group.id }],
    });
    expect(linked.issues.map(({ path }) => path)).toEqual([
      ["groups", 0, "id"],
      ["companies", 0, "id"],
    ]);
    expect(linked.text).not.toContain("Secret");
    expect((await own.api.delete(`/v1/people/${person}`)).status).toBe(404);
    expect((await own.api.post(`${own.path}/members`, { id: foreign.bob.id, role: "reader" })).issues).toEqual([
      { code: "custom", path: ["id"] },
    ]);
    expect((await there.get(`/v1/people/${person}`)).data.firstName).toBe("Secret");
    expect((await own.api.post("/v1/companies", { name: "Secret Inc" })).data.id).not.toBe(company);
  });
});
