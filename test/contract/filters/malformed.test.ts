import { beforeAll, describe, expect, it } from "@jest/globals";
import { FILTER_TEXT_LENGTH_MAX } from "../../../config/limits.ts";
import type { TestGroup } from "../../../lab/harness/world.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { Client } from "../../support/client.ts";
import { describeServer } from "../../support/scene.ts";
import { BODIES, custom, QUERIES } from "./nonsense.ts";

describeServer("A filter that makes no sense is never ignored:", (scene) => {
  let api: Client;
  let group: TestGroup;
  let hidden: TestGroup;

  const filled = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll("{g}", group.id).replaceAll("{h}", hidden.id));

  beforeAll(async () => {
    const { ada, user, group: makeGroup, field } = await scene.workspace();
    const bob = await user("Bob Stone");
    group = await makeGroup(ada);
    hidden = await makeGroup(bob);
    for (const [by, home] of [
      [ada, group],
      [bob, hidden],
    ] as const)
      await field(by, home, "person", { type: "textField", name: "Note" });
    await field(ada, group, "person", { type: "numericField", name: "Amount" });
    await field(ada, group, "person", { type: "singleSelect", name: "Status", options: [{ label: "Lead" }] });
    api = scene.api(ada);
  });

  it.each(QUERIES)("%s is 422", async (query, path, issue = custom) => {
    const text = filled(query).replaceAll(/[^-\w[\]&=%.+]/g, encodeURIComponent);
    const answer = await api.get(`/v1/people?${text}`);
    expect(answer.issues).toEqual([expect.objectContaining({ ...issue, path: filled(path) })]);
  });

  it.each(BODIES)("the body %j %j is 422", async (field, operators, path, issue = {}) => {
    // By hand, since an object literal would lose `__proto__`.
    const body = `{"filter":{${JSON.stringify(field)}:${JSON.stringify(operators)}}}`;
    const answer = await api.post("/v1/people/search", filled(body));
    expect(answer.issues).toEqual([expect.objectContaining({ ...issue, path: filled(path) })]);
  });

  it.each([
    ['{"filter":[]}', ["filter"]],
    ['{"filter":null}', ["filter"]],
    ['{"filter":"fullName"}', ["filter"]],
    ['{"filter":{"fullName":[]}}', ["filter", "fullName"]],
    ['{"filter":{"fullName":"x"}}', ["filter", "fullName"]],
    ['{"combinator":"xor"}', ["combinator"]],
    ['{"combinator":null}', ["combinator"]],
    ['{"filters":{}}', []],
    ['{"limit":5}', []],
  ])("the body %s is 422", async (body, path) => {
    expect((await api.post("/v1/people/search", body)).issues).toMatchObject([{ path }]);
  });

  it.each(["combinator=AND", "combinator=", "combinator=and&combinator=or"])("%s is 422", async (query) => {
    expect((await api.get(`/v1/people?${query}`)).issues).toMatchObject([{ path: ["combinator"] }]);
  });

  it("every condition that makes no sense is told, in the order given (docs/guides/filters.md#conditions)", async () => {
    const answer = await api.get(
      "/v1/people?filter[a][eq]=1&filter[fullName][gt]=1&filter[birthday][eq]=x&filter[b][eq]",
    );
    expect(answer.issues.map(({ path }) => path)).toEqual([
      ["filter", "a"],
      ["filter", "fullName"],
      ["filter", "birthday", "eq"],
      ["filter", "b"],
    ]);
  });

  it("every condition of a search too, whether its form or its meaning is wrong (docs/guides/filters.md#search)", async () => {
    const filter = { fullName: {}, a: { eq: "1" }, birthday: { eq: "x", gt: null }, emails: { gt: "x", eq: "y" } };
    expect((await api.post("/v1/people/search", { filter })).issues.map(({ path }) => path)).toEqual([
      ["filter", "fullName"],
      ["filter", "a"],
      ["filter", "birthday", "eq"],
      ["filter", "birthday", "gt"],
      ["filter", "emails"],
    ]);
  });

  it("an invalid text is named (docs/guides/values.md#text)", async () => {
    const filter = { fullName: { like: "a\udc00b" }, createdBy: { in: { id: ["usr", "c\u0000d"] } } };
    const [like, by] = (await api.post("/v1/people/search", { filter })).error.details?.issues ?? [];
    expect(like?.message).toMatch('"a\\udc00b"');
    expect(by?.message).toMatch('"c\\u0000d"');
  });

  it("what cannot be decoded is 400, and what is no filter is ignored (docs/guides/conventions.md#query-parameters)", async () => {
    expect((await api.get("/v1/people?filter[fullName][eq]=%ED%A0%80")).status).toBe(400);
    expect((await api.get("/v1/people?filter[fullName][eq]=%")).status).toBe(400);
    for (const query of ["filters[a][b]=c", "Filter[a][b]=c", "filter.fullName.eq=x", "filterx=1"])
      expect([query, (await api.get(`/v1/people?${query}`)).status]).toEqual([query, 200]);
  });

  it("a JSON number is taken as written, with an exponent too, and compares as a decimal (docs/guides/values.md#numbers)", async () => {
    const amounts = ["1000000000000000000000", "0.0000001", "9007199254740993", "5"];
    const groups = [{ id: group.id }];
    const records = amounts.map((Amount) => ({ groups, customFieldValues: { [group.id]: { Amount } } }));
    await api.post("/v1/people/batch/create", { records });
    const field = `customFieldValues.${group.id}.Amount`;
    const found = async (operand: string) => {
      const { items } = await api.post("/v1/people/search", `{"filter":{${JSON.stringify(field)}:${operand}}}`);
      return items.map((item) => JSON.stringify(item.customFieldValues).replace(/.*"Amount":"([^"]*)".*/, "$1"));
    };
    expect(await found('{"eq":1e21}')).toEqual(["1000000000000000000000"]);
    expect(await found('{"eq":1e-7}')).toEqual(["0.0000001"]);
    expect(await found('{"eq":9007199254740993}')).toEqual(["9007199254740993"]);
    expect(await found('{"eq":9007199254740992}')).toEqual([]);
    expect(await found('{"gt":5.0,"lt":900719925474099.3e1}')).toEqual([]);
    expect(await found('{"eq":0.5E+1}')).toEqual(["5"]);
  });

  it("a number compares by its value, with more zeros than PostgreSQL reads (docs/guides/values.md#numbers)", async () => {
    const zeros = "0".repeat(16_384);
    const groups = [{ id: group.id }];
    const customFieldValues = { [group.id]: { Amount: "0.5" } };
    await api.post("/v1/people", { groups, customFieldValues });
    await api.post("/v1/companies", { name: "Acme", fundingRaised: 0.5, foundationYear: 1999 });
    for (const [path, field, number] of [
      ["/v1/people", `customFieldValues.${group.id}.Amount`, "0.5"],
      ["/v1/companies", "fundingRaised", "+00.5"],
      ["/v1/companies", "foundationYear", "1999.0"],
    ]) {
      const eq = number + zeros;
      expect((await api.get(`${path}?filter[${field}][eq]=${encodeURIComponent(eq)}`)).items).toHaveLength(1);
      expect((await api.post(`${path}/search`, { filter: { [String(field)]: { eq } } })).items).toHaveLength(1);
      const written = `{"filter":{"${field}":{"not_eq":${eq.replace("+0", "")}}}}`;
      expect((await api.request("POST", `${path}/search`, written)).status).toBe(200);
      const leading = `{"filter":{"${field}":{"gt":"${zeros}${zeros}0.1"}}}`;
      expect((await api.request("POST", `${path}/search`, leading)).items.length).toBeGreaterThan(0);
    }
  });

  it("empty takes true in any letter case (docs/guides/filters.md#empty)", async () => {
    const { items } = await api.get("/v1/people?filter[groups][empty]&limit=100");
    for (const value of ["", "true", "True", "TRUE", "tRuE"]) {
      const answer = await api.get(`/v1/people?filter[groups][empty]=${value}&limit=100`);
      expect([value, answer.items]).toEqual([value, items]);
    }
  });

  it("SQL in a value is text", async () => {
    for (const value of ["' or 1=1 --", "$1", "?", "\\'; drop table people; --", "%' or true or '%"]) {
      const query = `filter[fullName][like]=${encodeURIComponent(value)}`;
      expect([value, (await api.get(`/v1/people?${query}`)).items]).toEqual([value, []]);
    }
  });

  describe("limits:", () => {
    const conditions = (count: number) =>
      Array.from({ length: count }, (_, i) => [`customFieldValues.${group.id}.F${i}`, { empty: true }] as const);

    it("50 conditions are taken, 51 are 422 (docs/guides/filters.md#conditions)", async () => {
      for (let i = 0; i < 51; i++)
        await api.post(`/v1/groups/${group.id}/custom-fields/person`, { type: "textField", name: `F${i}` });
      const ask = (list: (readonly [string, object])[]) =>
        Promise.all([
          api.get(`/v1/people?${list.map(([field]) => `filter[${field}][empty]`).join("&")}`),
          api.post("/v1/people/search", { filter: Object.fromEntries(list) }),
        ]);
      expect((await ask(conditions(50))).map(({ status }) => status)).toEqual([200, 200]);
      const issue = { code: "too_big", maximum: 50, type: "array", path: ["filter"] };
      for (const { issues } of await ask(conditions(51))) expect(issues).toMatchObject([issue]);
    });

    it("a text of the length of the longest field is taken by all fields, a longer one is 422", async () => {
      const maxima = [people, companies, objects].flatMap(({ createBody }) =>
        [...JSON.stringify(createBody).matchAll(/"(?:maxLength|max)":(\d+)/g)].map(([, max]) => Number(max)),
      );
      maxima.push(Number(customFieldTypes.textField.value.maxLength));
      expect(Math.max(...maxima)).toBe(FILTER_TEXT_LENGTH_MAX);
      for (const field of ["fullName", "phones", `customFieldValues.${group.id}.Note`]) {
        const ask = (length: number) =>
          api.post("/v1/people/search", { filter: { [field]: { like: "x".repeat(length) } } });
        expect([field, (await ask(FILTER_TEXT_LENGTH_MAX)).status]).toEqual([field, 200]);
        const bound = {
          code: "too_big",
          maximum: FILTER_TEXT_LENGTH_MAX,
          type: "string",
          inclusive: true,
          exact: false,
        };
        expect((await ask(FILTER_TEXT_LENGTH_MAX + 1)).issues).toEqual([{ ...bound, path: ["filter", field, "like"] }]);
      }
    });

    it("100 values of all, in and not_in are taken, 101 are 422; ids and addresses count together (docs/guides/filters.md#conditions)", async () => {
      const values = (count: number) => Array.from({ length: count }, (_, i) => `v${i}`);
      const cases: [field: string, operator: string, operand: (count: number) => unknown][] = [
        ["groups", "all", (count) => ({ id: values(count) })],
        ["groups", "not_in", (count) => ({ id: values(count) })],
        ["createdBy", "in", (count) => ({ id: values(50), email: values(count - 50) })],
        [`customFieldValues.${group.id}.Status`, "in", values],
      ];
      for (const [field, operator, operand] of cases) {
        const ask = (count: number) =>
          api.post("/v1/people/search", { filter: { [field]: { [operator]: operand(count) } } });
        expect([field, (await ask(100)).status]).toEqual([field, 200]);
        const bound = { code: "too_big", maximum: 100, type: "array", inclusive: true, exact: false };
        expect((await ask(101)).issues).toEqual([{ ...bound, path: ["filter", field, operator] }]);
      }
    });
  });
});
