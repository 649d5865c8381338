import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { TestGroup, TestUser, TestWorkspace } from "../../lab/harness/world.ts";
import { CUSTOM_FIELD_TYPES } from "../../model/custom-fields/definition.ts";
import { assistant } from "../support/assistant.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const FIELDS = [
  { type: "textField", name: "Note" },
  { type: "numericField", name: "Amount" },
  { type: "dateField", name: "Since" },
  { type: "singleSelect", name: "Status", options: [{ label: "Lead" }, { label: "Customer" }] },
  { type: "multipleSelect", name: "Tags", options: [{ label: "A" }, { label: "B" }, { label: "C" }] },
  { type: "userField", name: "Owner" },
  { type: "contactField", name: "Contacts" },
  { type: "objectField", name: "Deals" },
];
const UNSET = Object.fromEntries(FIELDS.map(({ name }) => [name, null]));

// docs/guides/custom-fields.md#values-in-writes
describeServer("Custom field values", (scene) => {
  let workspace: TestWorkspace;
  let group: TestGroup;
  let api: Client;
  let bob: TestUser;
  let person: string;
  let friend: string;
  let company: string;
  let deal: string;

  beforeAll(async () => {
    workspace = await scene.workspace();
    const { ada } = workspace;
    api = scene.api(ada);
    bob = await workspace.user("Bob Stone");
    group = await workspace.group(ada);
    for (const field of FIELDS) await workspace.field(ada, group, "person", field);
    const groups = [{ id: group.id }];
    person = (await api.post("/v1/people", { fullName: "Ada Lovelace", groups })).data.id;
    friend = (await api.post("/v1/people", { fullName: "Grace Hopper" })).data.id;
    company = (await api.post("/v1/companies", { name: "Acme" })).data.id;
    deal = (await api.post(`/v1/groups/${group.id}/Deals`, { name: "Big" })).data.id;
  });

  const set = (values: object) => api.patch(`/v1/people/${person}`, { customFieldValues: { [group.id]: values } });
  const valuesOf = (data: Record<string, unknown>) =>
    (data.customFieldValues as Record<string, Record<string, unknown>>)[group.id];
  const reset = () => set(UNSET);

  it("come back as null for every field that is unset, and as {} for a group without fields (docs/guides/custom-fields.md#values-in-answers)", async () => {
    const empty = await workspace.group(workspace.ada);
    const { data } = await api.post("/v1/people", { groups: [{ id: empty.id }, { id: group.id }] });
    expect(data.customFieldValues).toEqual({ [empty.id]: {}, [group.id]: UNSET });
  });

  it("of every type go in and come out", async () => {
    expect(FIELDS.map(({ type }) => type)).toEqual(CUSTOM_FIELD_TYPES);
    const user = ({ id, fullName, email }: TestUser) => ({ id, fullName, email });
    const sent = {
      Note: " text ",
      Amount: "1.50",
      Since: "2024-02-29",
      Status: "Lead",
      Tags: ["B", "A", "B"],
      Owner: [{ email: bob.email.toUpperCase() }, { id: workspace.ada.id }, { id: bob.id }],
      Contacts: [{ id: friend }, { id: company }, { id: friend }],
      Deals: [{ id: deal }],
    };
    const shown = {
      Note: " text ",
      Amount: "1.5",
      Since: "2024-02-29",
      Status: "Lead",
      Tags: ["B", "A"],
      Owner: [user(bob), user(workspace.ada)],
      Contacts: [
        { id: friend, fullName: "Grace Hopper", entityType: "person" },
        { id: company, fullName: "Acme", entityType: "company" },
      ],
      Deals: [{ id: deal, fullName: "Big", entityType: "object" }],
    };
    expect(valuesOf((await set(sent)).data)).toEqual(shown);
    expect(valuesOf((await api.get(`/v1/people/${person}`)).data)).toEqual(shown);
    expect((await api.get("/v1/people")).items.map(valuesOf)).toContainEqual(shown);
  });

  it("are unset by null, by an empty list, and a text by an empty text; a PATCH leaves the others (docs/guides/custom-fields.md#unsetting-a-value)", async () => {
    await reset();
    await set({ Note: "x", Amount: 1, Tags: ["A"], Owner: [{ id: bob.id }], Status: "Lead" });
    expect(valuesOf((await set({ Note: "", Amount: null })).data)).toEqual({
      ...UNSET,
      Tags: ["A"],
      Owner: [expect.objectContaining({ id: bob.id })],
      Status: "Lead",
    });
    expect(valuesOf((await set({ Tags: [], Owner: [], Status: null })).data)).toEqual(UNSET);
  });

  describe("as they were read (docs/guides/custom-fields.md#values-that-were-read)", () => {
    const paths = {
      person: "/v1/people",
      company: "/v1/companies",
      Deals: () => `/v1/groups/${group.id}/Deals`,
    };
    const pathOf = (type: keyof typeof paths) => (type === "Deals" ? paths.Deals() : paths[type]);

    beforeAll(async () => {
      for (const type of ["company", "Deals"])
        for (const field of FIELDS) await workspace.field(workspace.ada, group, type, field);
    });

    const everyType = () => ({
      Note: " text\n",
      Amount: "-12345678901234567890.5000",
      Since: "0001-01-01",
      Status: "Lead",
      Tags: ["B", "A"],
      Owner: [{ id: bob.id }, { id: workspace.ada.id }],
      Contacts: [{ id: friend }, { id: company }],
      Deals: [{ id: deal }],
    });
    const bodyOf = (type: string, name: string, values: object) =>
      type === "Deals"
        ? { name, customFieldValues: values }
        : {
            ...(type === "company" ? { name } : {}),
            groups: [{ id: group.id }],
            customFieldValues: { [group.id]: values },
          };

    it.each(["person", "company", "Deals"] as const)(
      "go into a %s again, alone and in batches, set and unset",
      async (type) => {
        for (const values of [everyType(), UNSET]) {
          const path = pathOf(type);
          const { data } = await api.post(path, bodyOf(type, `First ${randomUUID()}`, values));
          const { customFieldValues } = data;
          const again = await api.patch(`${path}/${data.id}`, { customFieldValues });
          expect([again.status, again.data?.customFieldValues]).toEqual([200, customFieldValues]);
          const batch = await api.post(`${path}/batch/update`, { records: [{ id: data.id, customFieldValues }] });
          expect(batch.data).toMatchObject({ results: [{ status: "succeeded", data: { customFieldValues } }] });
          const own = { name: `Second ${randomUUID()}`, ...(type !== "Deals" && { groups: [{ id: group.id }] }) };
          const { name, ...unnamed } = own;
          const copy = { ...(type === "person" ? unnamed : { name, ...unnamed }), customFieldValues };
          expect((await api.post(path, copy)).data.customFieldValues).toEqual(customFieldValues);
          const copies = await api.post(`${path}/batch/create`, {
            records: [{ ...copy, ...(type !== "person" && { name: `${name} 2` }) }],
          });
          expect(copies.data).toMatchObject({ results: [{ status: "succeeded", data: { customFieldValues } }] });
        }
      },
    );

    it("go in again through the tools of assistants", async () => {
      const told = await assistant(scene.server, workspace.ada.key);
      try {
        await set(everyType());
        const { customFieldValues } = (await told.call("get_person", { personId: person })).data;
        const again = await told.call("update_person", { personId: person, customFieldValues });
        expect(again.data.customFieldValues).toEqual(customFieldValues);
      } finally {
        await told.close();
      }
    });

    it("have members beside id and email that count for nothing, whatever they are", async () => {
      const odd = { fullName: 7, entityType: "object", more: { deep: [null] }, __proto__: null, constructor: "x" };
      const sent = {
        Owner: [{ ...odd, id: bob.id }],
        Contacts: [{ ...odd, id: friend, email: 1 }],
      };
      expect(valuesOf((await set(sent)).data)).toMatchObject({
        Owner: [{ id: bob.id, email: bob.email }],
        Contacts: [{ id: friend, entityType: "person" }],
      });
      expect(valuesOf((await set({ Owner: [{ fullName: "x", email: bob.email }] })).data)).toMatchObject({
        Owner: [{ id: bob.id }],
      });
      const { issues } = await set({
        Owner: [{ fullName: "Bob" }],
        Contacts: [{ fullName: "Grace" }],
        Deals: [{ ID: deal }],
      });
      expect(issues.map(({ code, path }) => [code, ...path.slice(2)])).toEqual([
        ["invalid_union", "Owner", 0],
        ["invalid_type", "Contacts", 0, "id"],
        ["invalid_type", "Deals", 0, "id"],
      ]);
    });

    it("are two users, where id and email are not those of one user as answers show them", async () => {
      const { id, email, fullName } = bob;
      const { email: other } = workspace.ada;
      for (const wrong of [
        { id, email, fullName: "Bob" },
        { id, email: other, fullName },
        { id, email, fullName: null },
      ])
        expect([wrong, (await set({ Owner: [wrong] })).issues]).toEqual([
          wrong,
          [{ code: "custom", path: ["customFieldValues", group.id, "Owner", 0] }],
        ]);
      expect((await set({ Owner: [{ id, email: email.toUpperCase(), fullName }] })).status).toBe(200);
    });

    it("are open in custom values alone: references elsewhere stay closed (docs/guides/conventions.md#bodies)", async () => {
      const { issues } = await api.patch(`/v1/people/${person}`, {
        groups: [{ id: group.id, name: "Sales" }],
        companies: [{ id: company, fullName: "Acme" }],
      });
      expect(issues.map(({ code, path }) => [code, ...path])).toEqual([
        ["unrecognized_keys", "groups", 0],
        ["unrecognized_keys", "companies", 0],
      ]);
    });
  });

  describe("are refused naming field and value", () => {
    const CASES: [name: string, value: () => unknown, issue: object][] = [
      [
        "Note",
        () => "x".repeat(5001),
        { code: "too_big", maximum: 5000, type: "string", inclusive: true, exact: false },
      ],
      ["Note", () => 7, { code: "invalid_type", expected: "string", received: "number" }],
      ["Note", () => "a\u0000", { code: "custom" }],
      ["Amount", () => "x", { code: "custom" }],
      ["Amount", () => true, { code: "invalid_type", expected: "number", received: "boolean" }],
      ["Since", () => "2025-02-30", { code: "invalid_string", validation: "date" }],
      ["Since", () => "", { code: "invalid_string", validation: "date" }],
      ["Status", () => "Nobody", { code: "custom" }],
      ["Status", () => "lead", { code: "custom" }],
      ["Status", () => " Lead", { code: "custom" }],
      ["Status", () => ["Lead"], { code: "invalid_type", expected: "string", received: "array" }],
      ["Tags", () => "A", { code: "invalid_type", expected: "array", received: "string" }],
      [
        "Tags",
        () => Array(1001).fill("A"),
        { code: "too_big", maximum: 1000, type: "array", inclusive: true, exact: false },
      ],
      [
        "Owner",
        () => Array(1001).fill({ id: bob.id }),
        { code: "too_big", maximum: 1000, type: "array", inclusive: true, exact: false },
      ],
    ];
    it.each(CASES)("%s (case %#)", async (name, value, issue) => {
      expect((await set({ [name]: value() })).issues).toEqual([
        { ...issue, path: ["customFieldValues", group.id, name] },
      ]);
    });

    const BELOW: [name: string, value: () => unknown, below: (string | number)[], code: string][] = [
      ["Tags", () => ["A", "Z"], [1], "custom"],
      ["Tags", () => ["A", "x".repeat(501)], [1], "too_big"],
      ["Owner", () => [{ id: `usr_${randomUUID()}` }], [0, "id"], "custom"],
      ["Owner", () => [{ email: "nobody@example.test" }], [0, "email"], "custom"],
      ["Owner", () => [{ id: bob.id, email: bob.email }], [0], "invalid_union"],
      ["Owner", () => [{}], [0], "invalid_union"],
      ["Contacts", () => [{ id: friend }, { id: `per_${randomUUID()}` }], [1, "id"], "custom"],
      ["Contacts", () => [{ id: deal }], [0, "id"], "custom"],
      ["Contacts", () => [{ id: "short" }], [0, "id"], "too_small"],
      ["Deals", () => [{ id: person }], [0, "id"], "custom"],
    ];
    it.each(BELOW)("%s within (case %#)", async (name, value, below, code) => {
      const { issues, error } = await set({ [name]: value() });
      expect(issues.map((issue) => [issue.code, issue.path])).toEqual([
        [code, ["customFieldValues", group.id, name, ...below]],
      ]);
      if (code === "custom") expect(error.message).toContain(name);
    });

    it("say of an unknown field in which group it is missing, as clients look for it (docs/guides/custom-fields.md#values-in-writes)", async () => {
      const home = await workspace.group(workspace.ada, { name: 'Sales "West"' });
      await workspace.field(workspace.ada, home, "person", { type: "objectField", name: "Deals" });
      const groups = [{ id: home.id }];
      const customFieldValues = { [home.id]: { Nothing: "x" } };
      const single = await api.post("/v1/people", { groups, customFieldValues });
      const batch = await api.post("/v1/people/batch/create", { records: [{ groups, customFieldValues }] });
      const [entry] = (batch.data as unknown as { results: { error: { message: string } }[] }).results;
      const object = await api.post(`/v1/groups/${home.id}/Deals`, { name: "D", customFieldValues: { Nothing: 1 } });
      for (const message of [single.error.message, entry?.error.message, object.error.message])
        expect(message).toContain('"Nothing" does not exist in group "Sales "West""');
    });

    it("keep the values as they were, all of them, and tell all faults", async () => {
      await reset();
      const { issues } = await set({ Note: "written?", Status: "Nobody", Tags: ["Z"], Unknown: 1 });
      expect(issues.map(({ path }) => path.slice(2))).toEqual([["Status"], ["Tags", 0], ["Unknown"]]);
      expect(valuesOf((await api.get(`/v1/people/${person}`)).data)).toEqual(UNSET);
    });
  });

  it("take exactly their limits: 5000 characters, 1000 items", async () => {
    expect(valuesOf((await set({ Note: "x".repeat(5000) })).data)?.Note).toHaveLength(5000);
    expect(valuesOf((await set({ Tags: Array(1000).fill("A") })).data)?.Tags).toEqual(["A"]);
  });

  it("are taken only for groups that the record is in after the write (docs/guides/custom-fields.md#values-in-writes)", async () => {
    const other = await workspace.group(workspace.ada);
    const hidden = await workspace.group(bob);
    for (const id of [other.id, hidden.id, `grp_${randomUUID()}`, "x", "__proto__"]) {
      const body = `{"customFieldValues":{${JSON.stringify(id)}:{}}}`;
      expect([id, (await api.request("PATCH", `/v1/people/${person}`, body)).issues]).toEqual([
        id,
        [{ code: "custom", path: ["customFieldValues", id] }],
      ]);
    }
    expect(
      (await api.patch(`/v1/people/${person}`, { groups: [], customFieldValues: { [group.id]: {} } })).status,
    ).toBe(422);
  });
});
