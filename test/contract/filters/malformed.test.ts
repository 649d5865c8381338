import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Client } from "../../support/client.ts";
import { describeServer } from "../../support/scene.ts";
import type { TestGroup } from "../../support/world.ts";

const custom = { code: "custom" };
const unknownOperator = (key: string) => ({ code: "unrecognized_keys", keys: [key] });
const tooMany = { code: "too_big", maximum: 1, type: "array", inclusive: true, exact: false };
const noText = { code: "too_small", minimum: 1, type: "string", inclusive: true, exact: false };
const noDate = { code: "invalid_string", validation: "date" };
const noGender = { code: "invalid_enum_value", options: ["Male", "Female", "Other", "Unknown"] };

type Malformed = [query: string, path: string[], issue?: object];

/** What stands before `=` is decoded once; `{g}` is a group with the fields of the tests, `{h}` one that the caller cannot see. */
const QUERIES: Malformed[] = [
  // No field, no operator, no form.
  ["filter", ["filter"]],
  ["filter=x", ["filter"]],
  ["filter[]=x", ["filter"]],
  ["filter[fullName]=x", ["filter"]],
  ["filter[fullName]eq=x", ["filter"]],
  ["filter[fullName][eq=x", ["filter"]],
  ["filter[fullName][eq]x=x", ["filter"]],
  ["filter[fullName].eq=x", ["filter"]],
  ["filter[fullName=x", ["filter"]],
  // Unknown fields.
  ["filter[][eq]=x", ["filter", ""]],
  ["filter[fullname][eq]=x", ["filter", "fullname"]],
  ["filter[ fullName][eq]=x", ["filter", " fullName"]],
  ["filter[id][eq]=x", ["filter", "id"]],
  ["filter[customFieldValues][empty]", ["filter", "customFieldValues"]],
  ["filter[strongestConnection][empty]", ["filter", "strongestConnection"]],
  ["filter[interactionMetadata][empty]", ["filter", "interactionMetadata"]],
  ["filter[name][eq]=x", ["filter", "name"]],
  ["filter[full_name][eq]=x", ["filter", "full_name"]],
  ["filter[__proto__][eq]=x", ["filter", "__proto__"]],
  ["filter[constructor][eq]=x", ["filter", "constructor"]],
  ["filter[toString][empty]", ["filter", "toString"]],
  ["filter[hasOwnProperty][not_empty]", ["filter", "hasOwnProperty"]],
  ["filter[full%00Name][eq]=x", ["filter", "full\u0000Name"]],
  ["filter[fullName'; drop table people; --][eq]=x", ["filter", "fullName'; drop table people; --"]],
  ["filter[1%3D1) or (r.id is not null][eq]=x", ["filter", "1=1) or (r.id is not null"]],
  ["filter[fullName][eq][eq]=x", ["filter", "fullName][eq"]],
  ["filter[fullName][eq][id]=x", ["filter", "fullName][eq"]],
  ["filter[customFieldValues.Note][eq]=x", ["filter", "customFieldValues.Note"]],
  ["filter[customFieldValues.{g}][eq]=x", ["filter", "customFieldValues.{g}"]],
  ["filter[customFieldValues.{g}.][eq]=x", ["filter", "customFieldValues.{g}."]],
  ["filter[customFieldValues.{g}.note][eq]=x", ["filter", "customFieldValues.{g}.note"]],
  ["filter[customFieldValues.{g}.__proto__][empty]", ["filter", "customFieldValues.{g}.__proto__"]],
  ["filter[customFieldValues.{h}.Note][eq]=x", ["filter", "customFieldValues.{h}.Note"]],
  ["filter[customFieldValues.grp_x.Note][eq]=x", ["filter", "customFieldValues.grp_x.Note"]],
  // Unknown operators.
  ["filter[fullName][]=x", ["filter", "fullName"], unknownOperator("")],
  ["filter[fullName][EQ]=x", ["filter", "fullName"], unknownOperator("EQ")],
  ["filter[fullName][eq ]=x", ["filter", "fullName"], unknownOperator("eq ")],
  ["filter[fullName][in]=x", ["filter", "fullName"], unknownOperator("in")],
  ["filter[fullName][gt]=x", ["filter", "fullName"], unknownOperator("gt")],
  ["filter[fullName][not_not_eq]=x", ["filter", "fullName"], unknownOperator("not_not_eq")],
  ["filter[fullName][not_in][id]=x", ["filter", "fullName"], unknownOperator("not_in")],
  ["filter[fullName][__proto__]=x", ["filter", "fullName"], unknownOperator("__proto__")],
  ["filter[fullName][constructor]=x", ["filter", "fullName"], unknownOperator("constructor")],
  ["filter[birthday][like]=2000", ["filter", "birthday"], unknownOperator("like")],
  ["filter[birthday][not_gt]=2000-01-01", ["filter", "birthday"], unknownOperator("not_gt")],
  ["filter[groups][eq]=x", ["filter", "groups"], unknownOperator("eq")],
  ["filter[groups][not_all][id]=x", ["filter", "groups][not_all"]],
  ["filter[createdBy][all][id]=x", ["filter", "createdBy"], unknownOperator("all")],
  ["filter[gender][all]=Male", ["filter", "gender"], unknownOperator("all")],
  ["filter[gender][like]=Male", ["filter", "gender"], unknownOperator("like")],
  [
    "filter[customFieldValues.{g}.Status][all]=Lead",
    ["filter", "customFieldValues.{g}.Status"],
    unknownOperator("all"),
  ],
  ["filter[customFieldValues.{g}.Status][eq]=Lead", ["filter", "customFieldValues.{g}.Status"], unknownOperator("eq")],
  // Values of the wrong kind, or too many.
  ["filter[fullName][eq]", ["filter", "fullName", "eq"], noText],
  ["filter[fullName][eq]=", ["filter", "fullName", "eq"], noText],
  ["filter[emails][not_like]=", ["filter", "emails", "not_like"], noText],
  ["filter[fullName][eq]=%00", ["filter", "fullName", "eq"], custom],
  ["filter[fullName][like]=a%00b", ["filter", "fullName", "like"], custom],
  ["filter[fullName][eq]=a&filter[fullName][eq]=b", ["filter", "fullName", "eq"], tooMany],
  ["filter[fullName][eq]=a&filter[fullName][eq]=a", ["filter", "fullName", "eq"], tooMany],
  ["filter[birthday][eq]=2025-02-30", ["filter", "birthday", "eq"], noDate],
  ["filter[birthday][gt]=2025-2-3", ["filter", "birthday", "gt"], noDate],
  ["filter[birthday][lt]=0000-01-01", ["filter", "birthday", "lt"], noDate],
  ["filter[birthday][eq]=", ["filter", "birthday", "eq"], noDate],
  ["filter[createdAt][eq]=2025-01-01T00:00:00Z", ["filter", "createdAt", "eq"], noDate],
  ["filter[createdAt][gt]=now", ["filter", "createdAt", "gt"], noDate],
  ["filter[createdAt][lt]=10000-01-01", ["filter", "createdAt", "lt"], noDate],
  ["filter[gender][eq]=male", ["filter", "gender", "eq"], { ...noGender, received: "male" }],
  ["filter[gender][in]=", ["filter", "gender", "in"], { ...noGender, received: "" }],
  ["filter[fullName][empty]=false", ["filter", "fullName", "empty"], custom],
  ["filter[fullName][not_empty]=1", ["filter", "fullName", "not_empty"], custom],
  ["filter[fullName][empty]&filter[fullName][empty]", ["filter", "fullName", "empty"], tooMany],
  ["filter[groups][empty]=null", ["filter", "groups", "empty"], custom],
  ["filter[groups][in]={g}", ["filter", "groups", "in"], custom],
  ["filter[groups][in]", ["filter", "groups", "in"], custom],
  ["filter[groups][in][email]=a@b", ["filter", "groups", "in"], custom],
  ["filter[groups][in][id]=%00", ["filter", "groups", "in"], custom],
  ["filter[companies][all]=x", ["filter", "companies", "all"], custom],
  ["filter[createdBy][in]=x", ["filter", "createdBy", "in"], custom],
  ["filter[gender][in][id]=Male", ["filter", "gender", "in"], custom],
  ["filter[customFieldValues.{g}.Status][in][id]=Lead", ["filter", "customFieldValues.{g}.Status", "in"], custom],
  ["filter[customFieldValues.{g}.Amount][eq]=", ["filter", "customFieldValues.{g}.Amount", "eq"], custom],
  ["filter[customFieldValues.{g}.Amount][eq]=1e3", ["filter", "customFieldValues.{g}.Amount", "eq"], custom],
  ["filter[customFieldValues.{g}.Amount][eq]=0x10", ["filter", "customFieldValues.{g}.Amount", "eq"], custom],
  ["filter[customFieldValues.{g}.Amount][gt]=NaN", ["filter", "customFieldValues.{g}.Amount", "gt"], custom],
  ["filter[customFieldValues.{g}.Amount][gt]=+ 1", ["filter", "customFieldValues.{g}.Amount", "gt"], custom],
  ["filter[customFieldValues.{g}.Amount][gt]=%D9%A1", ["filter", "customFieldValues.{g}.Amount", "gt"], custom],
  ["filter[customFieldValues.{g}.Amount][gt]=0.00000000001", ["filter", "customFieldValues.{g}.Amount", "gt"], custom],
  ["filter[customFieldValues.{g}.Amount][lt]=%00%23 5", ["filter", "customFieldValues.{g}.Amount", "lt"], custom],
];

/** `[field, operator, operand]`: what a query cannot say, or says otherwise. */
const BODIES: [field: string, operators: unknown, path: string[], issue?: object][] = [
  ["fullName", {}, ["filter", "fullName"]],
  ["nonsense", {}, ["filter", "nonsense"]],
  ["__proto__", { eq: "x" }, ["filter", "__proto__"]],
  ["constructor", { eq: "x" }, ["filter", "constructor"]],
  ["full\ud800Name", { eq: "x" }, ["filter", "full\ud800Name"]],
  ["fullName", { __proto__x: "x" }, ["filter", "fullName"], unknownOperator("__proto__x")],
  ["fullName", { eq: null }, ["filter", "fullName", "eq"]],
  ["fullName", { eq: true }, ["filter", "fullName", "eq"]],
  ["fullName", { eq: [] }, ["filter", "fullName", "eq"]],
  ["fullName", { eq: [["a"]] }, ["filter", "fullName", "eq"]],
  ["fullName", { eq: { eq: "a" } }, ["filter", "fullName", "eq"]],
  ["fullName", { eq: ["a", "b"] }, ["filter", "fullName", "eq"], tooMany],
  ["fullName", { eq: 5 }, ["filter", "fullName", "eq"]],
  ["fullName", { eq: "" }, ["filter", "fullName", "eq"], noText],
  ["fullName", { eq: "\ud800" }, ["filter", "fullName", "eq"]],
  ["fullName", { like: "a\udc00b" }, ["filter", "fullName", "like"]],
  ["fullName", { like: "\u0000" }, ["filter", "fullName", "like"]],
  ["fullName", { empty: false }, ["filter", "fullName", "empty"]],
  ["fullName", { empty: null }, ["filter", "fullName", "empty"]],
  ["fullName", { empty: [] }, ["filter", "fullName", "empty"]],
  ["fullName", { empty: { id: ["x"] } }, ["filter", "fullName", "empty"]],
  ["birthday", { gt: 2020 }, ["filter", "birthday", "gt"]],
  ["groups", { in: [] }, ["filter", "groups", "in"]],
  ["groups", { in: "x" }, ["filter", "groups", "in"]],
  ["groups", { in: {} }, ["filter", "groups", "in"]],
  ["groups", { in: { id: [] } }, ["filter", "groups", "in"]],
  ["groups", { in: { id: ["x"], name: ["y"] } }, ["filter", "groups", "in"]],
  ["groups", { in: { id: [null] } }, ["filter", "groups", "in"]],
  ["groups", { in: { id: ["\ud800"] } }, ["filter", "groups", "in"]],
  ["groups", { in: [{ id: "x" }] }, ["filter", "groups", "in"]],
  ["createdBy", { in: { email: [[]] } }, ["filter", "createdBy", "in"]],
  ["gender", { in: [] }, ["filter", "gender", "in"]],
  ["customFieldValues.{g}.Amount", { eq: "1e3" }, ["filter", "customFieldValues.{g}.Amount", "eq"]],
  ["customFieldValues.{g}.Amount", { eq: 1e40 }, ["filter", "customFieldValues.{g}.Amount", "eq"]],
  ["customFieldValues.{g}.Amount", { eq: "\u0000#5" }, ["filter", "customFieldValues.{g}.Amount", "eq"]],
  ["customFieldValues.{g}.Status", { in: [] }, ["filter", "customFieldValues.{g}.Status", "in"]],
];

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

  it("every condition that makes no sense is told, in the order given (gaps 2, Issues)", async () => {
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

  it("what cannot be decoded is 400, and what is no filter is ignored (gaps 1, Common to all)", async () => {
    expect((await api.get("/v1/people?filter[fullName][eq]=%ED%A0%80")).status).toBe(400);
    expect((await api.get("/v1/people?filter[fullName][eq]=%")).status).toBe(400);
    for (const query of ["filters[a][b]=c", "Filter[a][b]=c", "filter.fullName.eq=x", "filterx=1"])
      expect([query, (await api.get(`/v1/people?${query}`)).status]).toEqual([query, 200]);
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

    it("50 conditions are taken, 51 are 422 (gaps 2, Filters)", async () => {
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

    it("100 values of all, in and not_in are taken, 101 are 422; ids and addresses count together (gaps 2, Filters)", async () => {
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
