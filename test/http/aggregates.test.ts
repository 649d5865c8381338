import { expect, it } from "@jest/globals";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { counted, createAll } from "./counting.ts";

const NINES = "9".repeat(38);

describeServer("Aggregates", (scene) => {
  /** A group of ada and bob with deals, which have a number `Amount` and further fields. */
  const newDeals = async (fields: object[] = []) => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const group = await workspace.group(ada, { members: [[bob, "contributor"]] });
    await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
    for (const field of [{ type: "numericField", name: "Amount" }, ...fields])
      await workspace.field(ada, group, "Deals", field);
    const path = `/v1/groups/${group.id}/Deals`;
    const create = (values: object[]) =>
      createAll(
        scene.api(ada),
        path,
        values.map((customFieldValues, i) => ({ name: `D${i}`, customFieldValues })),
      );
    return { ...workspace, bob, sales: group, path, create, api: scene.api(ada) };
  };

  const AMOUNT = "customFieldValues.Amount";

  /** All measures of amounts, of which each is a text. */
  async function measured(amounts: (string | null)[]): Promise<Record<string, unknown>> {
    const { api, path, create } = await newDeals();
    await create(amounts.map((Amount) => ({ Amount })));
    const { total } = await counted(
      api,
      `${path}?measures=sum:${AMOUNT}&measures=avg:${AMOUNT}&measures=min:${AMOUNT}&measures=max:${AMOUNT}`,
    );
    const { count, ...told } = total;
    return {
      count,
      ...Object.fromEntries(Object.entries(told).map(([kind, values]) => [kind, (values as never)[AMOUNT]])),
    };
  }

  it("tell of nothing when there is nothing (docs/guides/aggregates.md#measures)", async () => {
    const none = { sum: null, avg: null, min: null, max: null };
    expect(await measured([])).toEqual({ count: 0, ...none });
    expect(await measured([null, null])).toEqual({ count: 2, ...none });
    const { ada } = await scene.workspace();
    expect(await counted(scene.api(ada), "/v1/people")).toEqual({ items: [], total: { count: 0 } });
    expect(await counted(scene.api(ada), "/v1/people?groupBy=companies")).toEqual({ items: [], total: { count: 0 } });
  });

  it("add numbers exactly, beyond 38 digits and below zero (docs/guides/aggregates.md#measures)", async () => {
    const sum = `1${"9".repeat(37)}8`;
    expect(await measured([NINES, NINES])).toEqual({ count: 2, sum, avg: NINES, min: NINES, max: NINES });
    expect(await measured([`-${NINES}`, `-${NINES}`, null])).toEqual({
      count: 3,
      sum: `-${sum}`,
      avg: `-${NINES}`,
      min: `-${NINES}`,
      max: `-${NINES}`,
    });
    const fine = `${"9".repeat(28)}.${"9".repeat(10)}`;
    expect(await measured([fine, "0.0000000001"])).toEqual({
      count: 2,
      sum: `1${"0".repeat(28)}`,
      avg: `5${"0".repeat(27)}`,
      min: "0.0000000001",
      max: fine,
    });
    expect(await measured(["-0", "0.0"])).toEqual({ count: 2, sum: "0", avg: "0", min: "0", max: "0" });
    expect(await measured(["9", "10", "-2.50"])).toMatchObject({ sum: "16.5", avg: "5.5", min: "-2.5", max: "10" });
    expect(await measured(["100", "200"])).toMatchObject({ sum: "300", avg: "150" });
  });

  it.each([
    [["-0.0000000001", "0"], "-0.0000000001"],
    [["0.0000000001", "0"], "0.0000000001"],
    [["0.0000000001", "0", "0"], "0"],
    [["-0.0000000001", "0", "0"], "0"],
    [["1", "0", "0"], "0.3333333333"],
    [["2", "0", "0"], "0.6666666667"],
    [["-2", "0", "0"], "-0.6666666667"],
    [["0.0000000003", "0"], "0.0000000002"],
    [[NINES, `-${NINES}`, "1", null], "0.3333333333"],
    [[NINES, "0"], `4${"9".repeat(37)}.5`],
    [[`${"9".repeat(28)}.${"9".repeat(10)}`, "0"], `5${"0".repeat(27)}`],
  ])(
    "round the average of %j half away from zero to 10 places (docs/guides/aggregates.md#measures)",
    async (amounts, avg) => {
      expect(await measured(amounts)).toMatchObject({ avg });
    },
  );

  it("have the first 1,000 groups, and the total of all (docs/guides/aggregates.md#groups)", async () => {
    const { api, path, create } = await newDeals();
    const amounts = Array.from({ length: 1000 }, (_, i) => ({ Amount: i - 500 }));
    await create(amounts.toReversed());
    const full = await counted(api, `${path}?groupBy=${AMOUNT}`);
    expect(full.items).toEqual(amounts.map(({ Amount }) => ({ group: [String(Amount)], count: 1 })));
    expect(full).not.toHaveProperty("truncated");
    await create([{ Amount: 1000 }, { Amount: 1000 }]);
    const { items, total, truncated } = await counted(api, `${path}?groupBy=${AMOUNT}&measures=max:${AMOUNT}`);
    expect(items).toHaveLength(1000);
    expect(items[0]).toEqual({ group: ["1000"], count: 2, max: { [AMOUNT]: "1000" } });
    expect(items.at(-1)).toEqual({ group: ["498"], count: 1, max: { [AMOUNT]: "498" } });
    expect({ total, truncated }).toEqual({ total: { count: 1002, max: { [AMOUNT]: "1000" } }, truncated: true });
  });

  it("count removed options like no value, once for each record (docs/guides/aggregates.md#groups)", async () => {
    const options = ["Open", "Won", "Lost"].map((label) => ({ label }));
    const { api, path, sales, create } = await newDeals([
      { type: "singleSelect", name: "Stage", options },
      { type: "multipleSelect", name: "Tags", options },
    ]);
    await create([
      { Stage: "Won", Tags: ["Won", "Lost"] },
      { Stage: "Won", Tags: ["Won", "Open"] },
      { Stage: "Open", Tags: ["Open"] },
      {},
    ]);
    for (const name of ["Stage", "Tags"]) {
      const field = `/v1/groups/${sales.id}/custom-fields/Deals/${name}`;
      const { options: made } = (await api.get(field)).data as unknown as { options: { id: string; label: string }[] };
      const removeOptions = made.filter(({ label }) => label !== "Open").map(({ id }) => id);
      expect(await api.patch(field, { removeOptions })).toMatchObject({ status: 200 });
    }
    const byStage = await counted(api, `${path}?groupBy=customFieldValues.Stage`);
    expect(byStage.items).toEqual([
      { group: [null], count: 3 },
      { group: ["Open"], count: 1 },
    ]);
    const byTag = await counted(api, `${path}?groupBy=customFieldValues.Tags&groupBy=customFieldValues.Stage`);
    expect(byTag.items).toEqual([
      { group: [null, null], count: 2 },
      { group: ["Open", "Open"], count: 1 },
      { group: ["Open", null], count: 1 },
    ]);
    expect(byTag.total).toEqual({ count: 4 });
  });

  it("count removed users in fields like no value, and show them as creators (docs/guides/aggregates.md#groups)", async () => {
    const { api, path, ada, bob, create, remove } = await newDeals([{ type: "userField", name: "Owner" }]);
    await create([{ Owner: [{ id: bob.id }, { id: ada.id }] }, { Owner: [{ id: bob.id }] }, {}]);
    await createAll(scene.api(bob), path, [{ name: "Of Bob" }]);
    const shown = ({ id, fullName, email }: typeof ada) => ({ id, fullName, email });
    const owners = () => counted(api, `${path}?groupBy=customFieldValues.Owner`);
    expect((await owners()).items).toEqual([
      { group: [shown(bob)], count: 2 },
      { group: [null], count: 2 },
      { group: [shown(ada)], count: 1 },
    ]);
    await remove(bob);
    expect(await owners()).toEqual({
      items: [
        { group: [null], count: 3 },
        { group: [shown(ada)], count: 1 },
      ],
      total: { count: 4 },
    });
    expect((await counted(api, `${path}?groupBy=createdBy`)).items).toEqual([
      { group: [shown(ada)], count: 3 },
      { group: [shown(bob)], count: 1 },
    ]);
  });

  it("count groups that the caller cannot see like no value (docs/guides/aggregates.md#groups)", async () => {
    const { api, bob, ada, sales, group } = await newDeals();
    const vault = await group(ada, { name: "Vault" });
    const both = [{ id: sales.id }, { id: vault.id }];
    await createAll(api, "/v1/people", [{ groups: both }, { groups: [{ id: vault.id }] }, { groups: [] }]);
    const named = ({ id, name }: typeof sales) => ({ id, name });
    expect((await counted(api, "/v1/people?groupBy=groups")).items).toEqual([
      { group: [named(vault)], count: 2 },
      { group: [named(sales)], count: 1 },
      { group: [null], count: 1 },
    ]);
    expect(await counted(scene.api(bob), "/v1/people?groupBy=groups")).toEqual({
      items: [
        { group: [null], count: 2 },
        { group: [named(sales)], count: 1 },
      ],
      total: { count: 3 },
    });
  });

  it("stand with null last among equal counts, and count empty texts like no value (docs/guides/aggregates.md#groups)", async () => {
    const { ada, group, field } = await scene.workspace();
    const api = scene.api(ada);
    const { id, ...home } = await group(ada);
    await field(ada, { id, ...home }, "company", { type: "contactField", name: "Contact" });
    const [person = ""] = await createAll(api, "/v1/people", [{ fullName: "Grace Hopper" }]);
    const customFieldValues = { [id]: { Contact: [{ id: person }] } };
    const [acme = ""] = await createAll(api, "/v1/companies", [
      { name: "A", industry: "Anvils", employeeRange: "10000+", groups: [{ id }], customFieldValues },
      { name: "B" },
    ]);
    const by = async (name: string) =>
      (await counted(api, `/v1/companies?groupBy=${name}`)).items.map((one) => one.group[0]);
    expect(await by("industry")).toEqual(["Anvils", null]);
    expect(await by("employeeRange")).toEqual(["10000+", null]);
    expect(await by(`customFieldValues.${id}.Contact`)).toEqual([expect.objectContaining({ id: person }), null]);
    await createAll(api, "/v1/companies", [{ name: "C", industry: "" }]);
    await api.patch(`/v1/companies/${acme}`, {
      customFieldValues: { [id]: { Contact: [{ id: person }, { id: acme }] } },
    });
    expect(await by("industry")).toEqual([null, "Anvils"]);
    const contacts = (await by(`customFieldValues.${id}.Contact`)).map((one) => (one as { id: string } | null)?.id);
    expect(contacts).toEqual([undefined, acme, person]);
  });

  it("follow merges and deletions (docs/guides/merging.md#aliases)", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const people = ["A", "B", "C"].map((name) => ({ companies: [{ name }], gender: name === "A" ? "Female" : "Male" }));
    const ids = await createAll(api, "/v1/people", people);
    const companies = await api.all("/v1/companies");
    const [a, b, c] = companies.map(({ id }) => id);
    await merged(api, `/v1/companies/${a}`, b);
    expect(await api.delete(`/v1/companies/${c}`)).toMatchObject({ status: 200 });
    expect((await counted(api, "/v1/people?groupBy=companies")).items).toEqual([
      { group: [{ id: a, name: "A" }], count: 2 },
      { group: [null], count: 1 },
    ]);
    // The surviving record keeps its gender.
    await merged(api, `/v1/people/${ids[0]}`, ids[1]);
    expect(await counted(api, `/v1/people?groupBy=gender&filter[companies][in][id]=${b}`)).toEqual({
      items: [{ group: ["Female"], count: 1 }],
      total: { count: 1 },
    });
  });

  async function merged(api: Client, path: string, id: string | undefined): Promise<void> {
    expect(await api.post(`${path}/merge`, { records: [{ id }] })).toMatchObject({ status: 200 });
  }

  it("take periods in UTC, and weeks by ISO 8601 (docs/guides/aggregates.md#periods)", async () => {
    const { api, path, create } = await newDeals([{ type: "dateField", name: "Due" }]);
    const dates = ["0001-01-01", "2020-12-31", "2021-01-03", "2021-01-04", "2024-12-29", "2024-12-30", "9999-12-31"];
    await create([...dates.map((Due) => ({ Due })), {}]);
    const periods = async (unit: string) =>
      (await counted(api, `${path}?groupBy=customFieldValues.Due${unit}`)).items.map(({ group }) => group[0]);
    const weeks = ["0001-W01", "2020-W53", "2021-W01", "2024-W52", "2025-W01", "9999-W52", null];
    expect(await periods(":week")).toEqual(weeks);
    expect(await periods("")).toEqual([...dates, null]);
    expect(await periods(":day")).toEqual([...dates, null]);
    expect(await periods(":month")).toEqual(["0001-01", "2020-12", "2021-01", "2024-12", "9999-12", null]);
    expect(await periods(":quarter")).toEqual(["0001-Q1", "2020-Q4", "2021-Q1", "2024-Q4", "9999-Q4", null]);
    expect(await periods(":year")).toEqual(["0001", "2020", "2021", "2024", "9999", null]);
    const today = new Date().toISOString().slice(0, 10);
    const created = await counted(api, `${path}?groupBy=createdAt:day&measures=max:createdAt`);
    expect(created.items[0]?.group[0]).toBe(today);
    const last = (await api.all(path)).map(({ createdAt }) => String(createdAt)).sort();
    expect(created.total).toEqual({ count: 8, max: { createdAt: last.at(-1) } });
  });
});
