import { expect, it } from "@jest/globals";
import { newUuid, toId } from "../../base/values/ids.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

describeServer("Lists of tasks", (scene) => {
  /** Four tasks of two people, by their titles: of ada, of bob, of both, of cleo. The last two are done. */
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const [bob, cleo] = [await workspace.user("Bob Stone"), await workspace.user("Cleo Park")];
    const [api, asBob] = [scene.api(ada), scene.api(bob)];
    const { data: grace } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const { data: acme } = await api.post("/v1/companies", { name: "Acme" });
    const make = (
      title: string,
      entity: { id: string },
      dueAt: string,
      users: { id: string }[],
      completedAt?: string,
    ) =>
      api.post("/v1/tasks", {
        title,
        entity: { id: entity.id },
        dueAt,
        assignedUsers: users.map(({ id }) => ({ id })),
        ...(completedAt !== undefined && { completedAt }),
      });
    await make("ada", grace, "2030-01-10", [ada]);
    await make("bob", grace, "2030-01-11", [bob]);
    await make("both", acme, "2030-01-12", [ada, bob], "2026-02-01T10:00:00.000Z");
    await make("cleo", acme, "2030-01-10", [cleo], "2026-03-01T10:00:00.000Z");
    const titles = async (query: string, by: Client = api) =>
      (await by.get(`/v1/tasks?${query}`)).items.map(({ title }) => title);
    return { workspace, ada, bob, cleo, api, asBob, grace, acme, titles };
  }

  it("come in the order of creation, page by page (docs/guides/tasks.md#lists)", async () => {
    const { api, titles } = await setUp();
    expect(await titles("")).toEqual(["ada", "bob", "both", "cleo"]);
    const pages = await api.pages("/v1/tasks?limit=3");
    expect(pages.map((page) => page.map(({ title }) => title))).toEqual([["ada", "bob", "both"], ["cleo"]]);
  });

  it("know the date on which tasks are due", async () => {
    const { titles } = await setUp();
    expect(await titles("filter[dueAt][eq]=2030-01-10")).toEqual(["ada", "cleo"]);
    expect(await titles("filter[dueAt][not_eq]=2030-01-10")).toEqual(["bob", "both"]);
    expect(await titles("filter[dueAt][gt]=2030-01-10")).toEqual(["bob", "both"]);
    expect(await titles("filter[dueAt][lt]=2030-01-11")).toEqual(["ada", "cleo"]);
    expect(await titles("filter[dueAt][gt]=2030-01-10&filter[dueAt][lt]=2030-01-12")).toEqual(["bob"]);
  });

  it("know the time of completion, as a timestamp or a date", async () => {
    const { titles } = await setUp();
    for (const empty of [
      "filter[completedAt][empty]",
      "filter[completedAt][empty]=",
      "filter[completedAt][empty]=True",
    ])
      expect(await titles(empty)).toEqual(["ada", "bob"]);
    expect(await titles("filter[completedAt][not_empty]=true")).toEqual(["both", "cleo"]);
    expect(await titles("filter[completedAt][gt]=2026-02-15")).toEqual(["cleo"]);
    expect(await titles("filter[completedAt][lt]=2026-02-15")).toEqual(["both"]);
    expect(await titles("filter[completedAt][gt]=2026-02-01")).toEqual(["cleo"]);
    expect(await titles("filter[completedAt][gt]=2026-02-01T09:59:59.999Z")).toEqual(["both", "cleo"]);
    expect(await titles(`filter[completedAt][lt]=${encodeURIComponent("2026-02-01T12:00:00.001+02:00")}`)).toEqual([
      "both",
    ]);
  });

  it("know the time of creation", async () => {
    const { api, titles } = await setUp();
    const [first] = (await api.get("/v1/tasks?limit=1")).items;
    expect(await titles("filter[createdAt][gt]=2020-01-01")).toHaveLength(4);
    expect(await titles("filter[createdAt][lt]=2020-01-01")).toEqual([]);
    expect(await titles(`filter[createdAt][lt]=${first?.createdAt}`)).toEqual([]);
    expect(await titles(`filter[createdAt][gt]=${first?.createdAt}`)).not.toContain("ada");
  });

  it("know the assignees, by plain ids", async () => {
    const { ada, bob, cleo, titles } = await setUp();
    const nobody = toId("user", newUuid());
    expect(await titles(`filter[assigneeUserId][in]=${ada.id}`)).toEqual(["ada", "both"]);
    expect(await titles(`filter[assigneeUserId][in]=${cleo.id}&filter[assigneeUserId][in]=${nobody}`)).toEqual([
      "cleo",
    ]);
    expect(await titles(`filter[assigneeUserId][in][]=${ada.id}&filter[assigneeUserId][in][]=${cleo.id}`)).toEqual([
      "ada",
      "both",
      "cleo",
    ]);
    expect(await titles(`filter[assigneeUserId][not_in]=${bob.id}`)).toEqual(["ada", "cleo"]);
    for (const id of [nobody, "me", toId("person", bob.uuid)]) {
      expect(await titles(`filter[assigneeUserId][in]=${id}`)).toEqual([]);
      expect(await titles(`filter[assigneeUserId][not_in]=${id}`)).toHaveLength(4);
    }
  });

  it("know the record, by plain ids of any kind, of merged ones too", async () => {
    const { api, grace, acme, titles } = await setUp();
    const { data: twin } = await api.post("/v1/people", { fullName: "G. Hopper" });
    await api.post(`/v1/people/${grace.id}/merge`, { records: [{ id: twin.id }] });
    const nobody = toId("person", newUuid());
    expect(await titles(`filter[entity][in]=${grace.id}`)).toEqual(["ada", "bob"]);
    expect(await titles(`filter[entity][in]=${twin.id}`)).toEqual(["ada", "bob"]);
    expect(await titles(`filter[entity][not_in]=${twin.id}`)).toEqual(["both", "cleo"]);
    expect(await titles(`filter[entity][in]=${acme.id}`)).toEqual(["both", "cleo"]);
    expect(await titles(`filter[entity][in]=${grace.id}&filter[entity][in]=${acme.id}`)).toHaveLength(4);
    for (const id of [nobody, "x", grace.id.replace("per_", "com_"), grace.id.replace("per_", "tsk_")]) {
      expect(await titles(`filter[entity][in]=${id}`)).toEqual([]);
      expect(await titles(`filter[entity][not_in]=${id}`)).toHaveLength(4);
    }
  });

  it("combine conditions by and or by or", async () => {
    const { bob, grace, titles } = await setUp();
    const conditions = `filter[entity][in]=${grace.id}&filter[assigneeUserId][in]=${bob.id}`;
    expect(await titles(conditions)).toEqual(["bob"]);
    expect(await titles(`${conditions}&combinator=or`)).toEqual(["ada", "bob", "both"]);
    expect(await titles(`${conditions}&combinator=or&onlyAssignedToMe=true`)).toEqual(["ada", "both"]);
    expect(await titles(`filter[entity][in]=${grace.id}&filter[entity][not_in]=${grace.id}`)).toEqual([]);
  });

  it("are of the caller's tasks alone where that is asked for", async () => {
    const { api, asBob, titles } = await setUp();
    expect(await titles("onlyAssignedToMe=true")).toEqual(["ada", "both"]);
    expect(await titles("onlyAssignedToMe=true", asBob)).toEqual(["bob", "both"]);
    expect(await titles("onlyAssignedToMe=false")).toHaveLength(4);
    for (const value of ["maybe", "", "1", "True"])
      expect((await api.get(`/v1/tasks?onlyAssignedToMe=${value}`)).issues).toMatchObject([
        { code: "invalid_enum_value", path: ["onlyAssignedToMe"] },
      ]);
    expect((await api.get("/v1/tasks?onlyAssignedToMe=true&onlyAssignedToMe=true")).status).toBe(422);
    const [page] = await asBob.pages("/v1/tasks?onlyAssignedToMe=true&limit=1");
    expect(page).toMatchObject([{ title: "bob" }]);
    expect((await asBob.all("/v1/tasks?onlyAssignedToMe=true&limit=1")).map(({ title }) => title)).toEqual([
      "bob",
      "both",
    ]);
  });

  it("tell every fault of a filter (docs/guides/filters.md#unknown-fields-and-operators)", async () => {
    const { ada, api } = await setUp();
    const faults = async (query: string) =>
      (await api.get(`/v1/tasks?${query}`)).issues.map(({ code, path }) => [code, ...path]);
    expect(await faults("filter[title][eq]=x&filter[dueAt][like]=2030&filter[dueAt][eq]=2030-02-30")).toEqual([
      ["custom", "filter", "title"],
      ["unrecognized_keys", "filter", "dueAt"],
      ["invalid_string", "filter", "dueAt", "eq"],
    ]);
    expect(await faults("filter[dueAt][empty]&filter[createdAt][eq]=2030-01-01&filter[completedAt][eq]=x")).toEqual([
      ["unrecognized_keys", "filter", "dueAt"],
      ["unrecognized_keys", "filter", "createdAt"],
      ["unrecognized_keys", "filter", "completedAt"],
    ]);
    expect(await faults(`filter[assigneeUserId][in][id]=${ada.id}&filter[entity][empty]`)).toEqual([
      ["custom", "filter", "assigneeUserId", "in"],
      ["unrecognized_keys", "filter", "entity"],
    ]);
    expect(await faults("filter[dueAt][eq]=2030-01-01T00:00:00Z&filter[completedAt][gt]=soon")).toEqual([
      ["invalid_string", "filter", "dueAt", "eq"],
      ["invalid_string", "filter", "completedAt", "gt"],
    ]);
    const many = Array.from({ length: 101 }, () => `filter[entity][in]=${toId("person", newUuid())}`);
    expect((await api.get(`/v1/tasks?${many.join("&")}`)).issues).toMatchObject([{ code: "too_big", maximum: 100 }]);
  });
});
