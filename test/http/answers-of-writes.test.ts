import { beforeAll, expect, it } from "@jest/globals";
import type { TestGroup } from "../../lab/harness/world.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { recordsOf } from "./batch-results.ts";

// Writes answer from what they have written, without reading it again: docs/decisions/0008-batches.md.
describeServer("What a write answers is what a GET answers afterwards", (scene) => {
  let api: Client;
  let group: TestGroup;
  let other: TestGroup;
  let contact: { id: string };
  let client: { id: string };
  let hidden: Client;

  beforeAll(async () => {
    const workspace = await scene.workspace();
    const { ada, group: makeGroup, field } = workspace;
    api = scene.api(ada);
    hidden = scene.api(await workspace.user("Bob Stone"));
    [group, other] = [await makeGroup(ada), await makeGroup(ada)];
    await field(ada, group, "person", { type: "objectField", name: "Deals" });
    for (const entity of ["person", "company", "Deals"]) {
      await field(ada, group, entity, { type: "textField", name: "Note" });
      await field(ada, group, entity, { type: "numericField", name: "Amount" });
      await field(ada, group, entity, { type: "dateField", name: "Since" });
      await field(ada, group, entity, { type: "contactField", name: "Contacts" });
    }
    const groups = [{ id: group.id }];
    contact = { id: (await api.post("/v1/people", { fullName: "Grace Hopper", groups })).data.id };
    client = { id: (await api.post("/v1/companies", { name: "Acme", groups })).data.id };
  });

  const texts = ["", " blank ", "e\u0301 \u00e9", '{"a",\\b}', "NULL", "\u{1f600}"];
  const lists = { addresses: texts.slice(1), emails: ["a@b"], phones: [], urls: ["x,y"] };
  const values = () => ({ Note: '\\"{', Amount: "1.50", Since: "0001-01-01", Contacts: [contact, client] });
  const inGroups = () => ({
    groups: [{ id: other.id }, { id: group.id }],
    customFieldValues: { [group.id]: values() },
  });

  // Functions, since groups and links are made in beforeAll.
  const KINDS: { kind: string; path: () => string; created: (n: string) => object; changes: () => object[] }[] = [
    {
      kind: "people",
      path: () => "/v1/people",
      created: (n) => ({
        firstName: "e\u0301",
        lastName: n,
        birthday: "0001-02-03",
        ...lists,
        companies: [{ name: ` New ${n} ` }, client],
        ...inGroups(),
      }),
      changes: () => [
        { jobTitle: "{}" },
        { companies: [client] },
        { groups: [{ id: group.id }] },
        { birthday: "", gender: null, addresses: [] },
        { customFieldValues: { [group.id]: { Note: null, Contacts: [] } } },
      ],
    },
    {
      kind: "companies",
      path: () => "/v1/companies",
      created: (n) => ({
        name: ` e\u0301 ${n} `,
        fundingRaised: "10.50",
        foundationYear: "1999",
        lastFundingDate: "0001-01-01",
        ...lists,
        ...inGroups(),
      }),
      changes: () => [
        { fundingRaised: 1e3, foundationYear: 2000 },
        { fundingRaised: null, industry: "", lastFundingDate: null },
        { groups: [] },
      ],
    },
    {
      kind: "objects",
      path: () => `/v1/groups/${group.id}/Deals`,
      created: (n) => ({ name: ` e\u0301 ${n} `, people: [contact], companies: [client], customFieldValues: values() }),
      changes: () => [{ people: [] }, { name: "New" }, { customFieldValues: { Amount: 0 } }],
    },
  ];

  it.each(KINDS)("of $kind, one by one and in batches, made and changed", async ({ kind, path, created, changes }) => {
    const check = async (answers: Item[]) => {
      for (const data of answers) expect((await api.get(`${path()}/${data.id}`)).data).toEqual(data);
    };
    const one = (await api.post(path(), created("1"))).data;
    const [two] = recordsOf(await api.post(`${path()}/batch/create`, { records: [created("2")] }));
    await check([one, two as Item]);
    for (const change of changes()) {
      const single = await api.patch(`${path()}/${one.id}`, change);
      const batch = await api.post(`${path()}/batch/update`, {
        // Names of companies are unique.
        records: [{ id: two?.id, ...change, ...(kind === "companies" && { name: "Two" }) }],
      });
      await check([single.data, ...recordsOf(batch)]);
    }
  });

  it("without the groups and values that the caller does not see", async () => {
    const { data } = await api.post("/v1/people", { firstName: "Ada", ...inGroups() });
    const changed = await hidden.patch(`/v1/people/${data.id}`, { jobTitle: "Countess" });
    expect(changed.data).toMatchObject({ groups: [], customFieldValues: {} });
    expect((await hidden.get(`/v1/people/${data.id}`)).data).toEqual(changed.data);
  });
});
