import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";
import { outcomesOf, recordsOf, resultsOf } from "./batch-results.ts";

const NOWHERE = "00000000-0000-7000-8000-000000000000";
const ok = "succeeded";

// docs/guides/batches.md. These batches are of people; where companies and objects differ, the files beside tell.
describeServer("A batch", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const make = async (...records: object[]) => recordsOf(await api.post("/v1/people/batch/create", { records }));
    return { ...workspace, api, make };
  }

  it("has one entry for each record, in request order, each as the single operation answers (docs/guides/batches.md#entries)", async () => {
    const { api } = await setUp();
    const records = [{ firstName: "Ada" }, { fullName: "Grace Hopper" }, {}];
    const created = resultsOf(await api.post("/v1/people/batch/create", { records }));
    expect(created.map((entry) => Object.keys(entry))).toEqual(Array(3).fill(["status", "data"]));
    const people = (await api.get("/v1/people")).items;
    expect(created.map(({ data }) => data)).toEqual(people);
    const ids = people.map(({ id }) => id);
    const changes = ids.map((id, i) => ({ id, jobTitle: `T${i}` })).reverse();
    const updated = resultsOf(await api.post("/v1/people/batch/update", { records: changes }));
    expect(updated).toEqual(
      people.map((person, i) => ({ status: ok, data: { ...person, jobTitle: `T${i}` }, removedGroups: [] })).reverse(),
    );
    const deleted = await api.post("/v1/people/batch/delete", { records: ids.map((id) => ({ id })) });
    expect(resultsOf(deleted)).toEqual(ids.map((id) => ({ status: ok, data: { id } })));
    expect((await api.get("/v1/people")).items).toEqual([]);
  });

  it.each(["create", "update", "delete"])("%s takes an empty array and does nothing", async (operation) => {
    const { api } = await setUp();
    for (const kind of ["people", "companies"]) {
      const answer = await api.post(`/v1/${kind}/batch/${operation}`, { records: [] });
      expect(answer.body).toEqual({ data: { results: [] } });
    }
  });

  it("goes on when records fail, and says of each what is wrong where (docs/guides/batches.md#what-fails-one-record)", async () => {
    const { api, ada, user, group, field } = await setUp();
    const { id } = await group(ada);
    const hidden = await group(await user("Bob Stone"));
    await field(ada, { id, name: "", visibility: "private" }, "person", {
      type: "singleSelect",
      name: "Status",
      options: [{ label: "Lead" }],
    });
    const groups = [{ id }];
    const records = [
      { firstName: "Ada" },
      { firstName: "a\u0000b", emails: ["x", "\ud800"] },
      { companies: [{ name: "Made anyway" }, { id: `com_${NOWHERE}` }] },
      { groups, customFieldValues: { [id]: { Status: "Nobody" } } },
      { groups, customFieldValues: { [id]: { Status: 5, Nothing: "x" } } },
      { groups, customFieldValues: { [id]: "text" } },
      { customFieldValues: { [id]: { Status: "Lead" } } },
      { groups: [...groups, { id: hidden.id }], customFieldValues: { [hidden.id]: {} } },
      { firstName: "Zoe" },
    ];
    const answer = await api.post("/v1/people/batch/create", { records });
    const values = ["customFieldValues", id];
    expect(outcomesOf(answer)).toEqual([
      ok,
      ["UNPROCESSABLE_ENTITY", ["records", 1, "firstName"], ["records", 1, "emails", 1]],
      ["UNPROCESSABLE_ENTITY", ["records", 2, "companies", 1, "id"]],
      ["UNPROCESSABLE_ENTITY", ["records", 3, ...values, "Status"]],
      ["UNPROCESSABLE_ENTITY", ["records", 4, ...values, "Status"], ["records", 4, ...values, "Nothing"]],
      ["UNPROCESSABLE_ENTITY", ["records", 5, ...values]],
      ["UNPROCESSABLE_ENTITY", ["records", 6, ...values]],
      ["UNPROCESSABLE_ENTITY", ["records", 7, "customFieldValues", hidden.id]],
      ok,
    ]);
    const { error } = resultsOf(answer)[3] ?? {};
    expect(error?.documentationUrl).toBe(`${scene.server.publicUrl}/docs/errors#unprocessable-entity`);
    expect(error?.message).toContain("Nobody");
    expect(resultsOf(answer)[2]?.error?.message).toContain(`com_${NOWHERE}`);
    expect((await api.get("/v1/people")).items.map(({ firstName }) => firstName)).toEqual(["Ada", "Zoe"]);
    // A company that only a failed record names is not made.
    expect((await api.get("/v1/companies")).items).toEqual([]);
  });

  it("of updates and deletes says NOT_FOUND for ids that name nothing (docs/guides/batches.md#what-fails-one-record)", async () => {
    const { api, make } = await setUp();
    const [person] = await make({ firstName: "Ada" });
    const foreign = recordsOf(await (await setUp()).api.post("/v1/people/batch/create", { records: [{}] }))[0];
    const company = (await api.post("/v1/companies", { name: "Acme" })).data;
    const ids = [`per_${NOWHERE}`, foreign?.id, company.id, "x".repeat(40), person?.id];
    for (const operation of ["update", "delete"]) {
      const records = ids.map((id) => ({ id }));
      const answer = await api.post(`/v1/people/batch/${operation}`, { records });
      expect(outcomesOf(answer)).toEqual([["NOT_FOUND"], ["NOT_FOUND"], ["NOT_FOUND"], ["NOT_FOUND"], ok]);
      expect(resultsOf(answer)[0]?.error).toMatchObject({
        message: expect.stringContaining(`per_${NOWHERE}`),
        documentationUrl: `${scene.server.publicUrl}/docs/errors#not-found`,
      });
    }
  });

  it("is refused as a whole for what the schema sees, with the place of each fault, and then nothing is done (docs/guides/batches.md#what-refuses-the-whole-batch)", async () => {
    const { api, make } = await setUp();
    const [person] = await make({ firstName: "Ada" });
    const id = person?.id;
    const good = { id, firstName: "New" };
    const REFUSED: [operation: string, records: unknown, ...issues: object[]][] = [
      ["create", undefined, { code: "invalid_type", path: ["records"], received: "undefined" }],
      ["create", {}, { code: "invalid_type", path: ["records"], expected: "array" }],
      [
        "create",
        [{}, null, []],
        { path: ["records", 1], received: "null" },
        { path: ["records", 2], received: "array" },
      ],
      ["create", [{}, { firstName: 5 }], { code: "invalid_type", path: ["records", 1, "firstName"] }],
      [
        "create",
        [{ firstName: "x".repeat(501) }],
        { code: "too_big", maximum: 500, path: ["records", 0, "firstName"] },
      ],
      ["create", [{ id }], { code: "unrecognized_keys", keys: ["id"], path: ["records", 0] }],
      ["create", [{}, { groups: [{ id: "x" }] }], { path: ["records", 1, "groups", 0, "id"], exact: true }],
      ["create", [{ birthday: "2025-02-30" }], { code: "invalid_string", path: ["records", 0, "birthday"] }],
      ["create", [{ companies: [{ id, name: "x" }] }], { code: "invalid_union", path: ["records", 0, "companies", 0] }],
      ["create", [{ customFieldValues: [] }], { code: "invalid_type", path: ["records", 0, "customFieldValues"] }],
      ["update", [good, good, good, { id: "per_1" }], { code: "too_small", exact: true, path: ["records", 3, "id"] }],
      [
        "update",
        [good, { firstName: "x" }],
        { code: "invalid_type", received: "undefined", path: ["records", 1, "id"] },
      ],
      [
        "update",
        [good, { ...good, id: 5 }, { ...good, x: 1 }],
        { path: ["records", 1, "id"] },
        { path: ["records", 2] },
      ],
      ["delete", [{ id }, { id: `${id}0` }], { code: "too_big", exact: true, path: ["records", 1, "id"] }],
      ["delete", [{ id, firstName: "x" }], { code: "unrecognized_keys", keys: ["firstName"], path: ["records", 0] }],
      ["delete", [{ id }, id], { code: "invalid_type", expected: "object", path: ["records", 1] }],
    ];
    for (const [operation, records, ...issues] of REFUSED) {
      const answer = await api.post(`/v1/people/batch/${operation}`, { records });
      expect([operation, answer.issues]).toMatchObject([operation, issues]);
    }
    const long = "1".repeat(38);
    for (const [operation, record, ...path] of [
      ["create", `{"firstName":${long}}`, "firstName"],
      ["create", `{"emails":["a@b.test",${long}]}`, "emails", 1],
      ["update", `{"id":"${id}","jobTitle":${long}}`, "jobTitle"],
      ["delete", `{"id":${long}}`, "id"],
    ]) {
      const answer = await api.request("POST", `/v1/people/batch/${operation}`, `{"records":[${record}]}`);
      const issue = { code: "invalid_type", expected: "string", received: "number", path: ["records", 0, ...path] };
      expect([operation, answer.issues]).toEqual([operation, [issue]]);
    }
    expect((await api.get("/v1/people")).items).toEqual([person]);
  });

  it.each(["create", "update", "delete"])("%s takes 100 records and refuses 101", async (operation) => {
    const { api, make } = await setUp();
    const made = await make(...Array<object>(100).fill({}));
    const records = operation === "create" ? made.map(() => ({})) : made.map(({ id }) => ({ id }));
    const tooMany = await api.post(`/v1/people/batch/${operation}`, { records: [...records, records[0]] });
    const bound = { code: "too_big", maximum: 100, type: "array", inclusive: true, exact: false };
    expect(tooMany.issues).toEqual([{ ...bound, path: ["records"] }]);
    expect(resultsOf(await api.post(`/v1/people/batch/${operation}`, { records }))).toHaveLength(100);
    const left = { create: 200, update: 100, delete: 0 }[operation];
    expect(await api.all("/v1/people?limit=100")).toHaveLength(left ?? -1);
  });

  it("is refused with 401 without a key and with 403 for a read key (docs/guides/batches.md#what-refuses-the-whole-batch)", async () => {
    const { api, ada, key } = await setUp();
    const reader = await key(ada, { access: "read" });
    for (const operation of ["create", "update", "delete"]) {
      const path = `/v1/people/batch/${operation}`;
      expect((await scene.api().post(path, { records: [{}] })).status).toBe(401);
      expect((await scene.api(reader.key).post(path, { records: [{}] })).status).toBe(403);
    }
    expect((await api.get("/v1/people")).items).toEqual([]);
  });

  it("with an Idempotency-Key answers a retry with the same results and does nothing again (docs/guides/batches.md#requests)", async () => {
    const { api } = await setUp();
    const records = [{ firstName: "Ada" }, { firstName: "\ud800" }];
    const headers = { "Idempotency-Key": "batch-1" };
    const first = await api.post("/v1/people/batch/create", { records }, headers);
    const again = await api.post("/v1/people/batch/create", { records }, headers);
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    expect((await api.get("/v1/people")).items).toHaveLength(1);
  });

  it("that names a record twice deletes it and succeeds twice (docs/guides/batches.md#delete)", async () => {
    const { api, make } = await setUp();
    const [person] = await make({});
    const records = [{ id: person?.id }, { id: person?.id }];
    expect(outcomesOf(await api.post("/v1/people/batch/delete", { records }))).toEqual([ok, ok]);
    expect(outcomesOf(await api.post("/v1/people/batch/delete", { records }))).toEqual([["NOT_FOUND"], ["NOT_FOUND"]]);
  });

  it("keeps 100 records of large fields, in every language", async () => {
    const { api } = await setUp();
    const text = (length: number, i: number) => `${i} ${"Ünïcödé 🦊 ".repeat(length)}`.slice(0, length).toWellFormed();
    const records = Array.from({ length: 100 }, (_, i) => ({
      description: text(5000, i),
      addresses: Array.from({ length: 20 }, (_, j) => text(500, i * 20 + j)),
    }));
    const made = recordsOf(await api.post("/v1/people/batch/create", { records }));
    expect(made).toMatchObject(records);
    const [last] = (await api.get(`/v1/people?filter[description][like]=${encodeURIComponent("99 Ünï")}`)).items;
    expect(last).toEqual(made[99]);
  });

  it("makes one company of a new name that several of its people give (docs/guides/batches.md#create)", async () => {
    const { api, make } = await setUp();
    const made = await make({ companies: [{ name: "New" }] }, { companies: [{ name: " New " }, { name: "Other" }] });
    const companies = (await api.get("/v1/companies")).items.map(({ id, name }) => ({ id, name }));
    expect(companies.map(({ name }) => name).sort()).toEqual(["New", "Other"]);
    const named = (name: string) => companies.find((company) => company.name === name);
    expect(made.map((person) => person.companies)).toEqual([[named("New")], [named("New"), named("Other")]]);
  });
});
