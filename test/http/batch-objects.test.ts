import { beforeAll, expect, it } from "@jest/globals";
import type { TestGroup, TestWorkspace } from "../../lab/harness/world.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { outcomesOf, recordsOf, resultsOf } from "./batch-results.ts";

const ok = "succeeded";
const OPERATIONS = ["create", "update", "delete"];

// docs/guides/batches.md#what-refuses-the-whole-batch, docs/guides/batches.md#create, docs/guides/objects.md#links
describeServer("Objects in a batch", (scene) => {
  let workspace: TestWorkspace;
  let api: Client;
  let group: TestGroup;
  let path: string;
  let person: string;
  let company: string;

  beforeAll(async () => {
    workspace = await scene.workspace();
    const { ada, group: makeGroup, field } = workspace;
    api = scene.api(ada);
    group = await makeGroup(ada);
    for (const name of ["Deals", "Projects"]) await field(ada, group, "person", { type: "objectField", name });
    await field(ada, group, "Deals", { type: "numericField", name: "Amount" });
    path = `/v1/groups/${group.id}/Deals`;
    const groups = [{ id: group.id }];
    person = (await api.post("/v1/people", { fullName: "Ada Lovelace", groups })).data.id;
    company = (await api.post("/v1/companies", { name: "Acme", groups })).data.id;
  });

  it.each(OPERATIONS)(
    "of %s for a type that the group does not have are 404 with a list of its types, an empty batch too (docs/guides/batches.md#what-refuses-the-whole-batch)",
    async (operation) => {
      for (const records of [[], [{ id: `obj_00000000-0000-7000-8000-000000000000`, name: "x" }]]) {
        const sent = operation === "create" ? records.map(() => ({ name: "x" })) : records.map(({ id }) => ({ id }));
        const answer = await api.post(`/v1/groups/${group.id}/deals/batch/${operation}`, { records: sent });
        expect([answer.status, answer.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"]);
        expect(answer.error.message).toMatch(/Available object types are: "Deals", "Projects"$/);
      }
      expect((await api.post(`${path}/batch/${operation}`, { records: [] })).body).toEqual({ data: { results: [] } });
    },
  );

  it.each(OPERATIONS)(
    "of %s in a group that cannot be seen are 404, with too low a role 403 (docs/guides/batches.md#what-refuses-the-whole-batch)",
    async (operation) => {
      const reader = await workspace.user("Rea Der");
      await api.post(`/v1/groups/${group.id}/members`, { id: reader.id, role: "reader" });
      const stranger = await workspace.user("Stran Ger");
      for (const [user, status] of [
        [reader, 403],
        [stranger, 404],
      ] as const)
        expect((await scene.api(user).post(`${path}/batch/${operation}`, { records: [] })).status).toBe(status);
    },
  );

  it.each(["  outer blanks \n", " "])(
    "keep the name %j as it is, alone and in a batch (docs/guides/objects.md#fields)",
    async (name) => {
      const made = (await api.post(path, { name })).data;
      expect(made.name).toBe(name);
      expect((await api.patch(`${path}/${made.id}`, { name: ` ${name}` })).data.name).toBe(` ${name}`);
      expect((await api.get(`${path}/${made.id}`)).data.name).toBe(` ${name}`);
      expect(recordsOf(await api.post(`${path}/batch/create`, { records: [{ name }] }))[0]?.name).toBe(name);
      expect((await api.post(path, { name: ` ${"x".repeat(1000)}` })).issues).toMatchObject([{ code: "too_big" }]);
    },
  );

  it("never match existing objects, so the same batch again makes more (docs/guides/batches.md#create)", async () => {
    const records = [{ name: "Same" }, { name: "Same" }];
    const made = [
      await api.post(`${path}/batch/create`, { records }),
      await api.post(`${path}/batch/create`, { records }),
    ];
    expect(new Set(made.flatMap(recordsOf).map(({ id }) => id)).size).toBe(4);
    expect(resultsOf(made[0] as never).map((entry) => Object.keys(entry))).toEqual(Array(2).fill(["status", "data"]));
  });

  it("link people and companies of their group only; any other fails its record, at its place (docs/guides/objects.md#links)", async () => {
    const [outside, abroad] = [
      (await api.post("/v1/people", {})).data.id,
      (await api.post("/v1/companies", { name: "Far" })).data.id,
    ];
    const records = [
      { name: "A", people: [{ id: person }], companies: [{ id: company }] },
      { name: "B", people: [{ id: person }, { id: outside }] },
      { name: "C", companies: [{ id: abroad }] },
      { name: "D", people: [{ id: company }] },
      { name: "E", customFieldValues: { Amount: "x", Nothing: 1 } },
    ];
    const answer = await api.post(`${path}/batch/create`, { records });
    const at = (i: number, ...where: (string | number)[]) => ["records", i, ...where];
    expect(outcomesOf(answer)).toEqual([
      ok,
      ["UNPROCESSABLE_ENTITY", at(1, "people", 1, "id")],
      ["UNPROCESSABLE_ENTITY", at(2, "companies", 0, "id")],
      ["UNPROCESSABLE_ENTITY", at(3, "people", 0, "id")],
      ["UNPROCESSABLE_ENTITY", at(4, "customFieldValues", "Amount"), at(4, "customFieldValues", "Nothing")],
    ]);
    expect(resultsOf(answer)[0]?.data).toMatchObject({
      people: [{ id: person, fullName: "Ada Lovelace" }],
      companies: [{ id: company, name: "Acme" }],
    });
  });

  it("of another type do not exist for update and delete (docs/guides/objects.md#types-and-groups)", async () => {
    const projects = `/v1/groups/${group.id}/Projects`;
    const { id } = (await api.post(projects, { name: "P" })).data;
    for (const operation of ["update", "delete"]) {
      expect(outcomesOf(await api.post(`${path}/batch/${operation}`, { records: [{ id }] }))).toEqual([["NOT_FOUND"]]);
      expect(outcomesOf(await api.post(`${projects}/batch/${operation}`, { records: [{ id }] }))).toEqual([ok]);
    }
  });

  it("get new lists of people and companies by an update, and take longer names on create only (docs/guides/batches.md#update, docs/guides/objects.md#fields)", async () => {
    const records = [{ name: "x".repeat(1000), people: [{ id: person }], companies: [{ id: company }] }];
    const [made] = recordsOf(await api.post(`${path}/batch/create`, { records }));
    const change = { id: made?.id, people: [], name: "x".repeat(500) };
    const [changed] = recordsOf(await api.post(`${path}/batch/update`, { records: [change] }));
    expect(changed).toMatchObject({ people: [], companies: [{ id: company }] });
    const tooLong = await api.post(`${path}/batch/update`, { records: [{ ...change, name: "x".repeat(501) }] });
    expect(tooLong.issues).toMatchObject([{ code: "too_big", maximum: 500, path: ["records", 0, "name"] }]);
  });
});
