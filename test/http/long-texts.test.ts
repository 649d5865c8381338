import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { FILTER_TEXT_LENGTH_MAX } from "../../config/limits.ts";
import type { TestGroup } from "../../lab/harness/world.ts";
import type { Client } from "../support/client.ts";
import { describeOwnServer, describeServer } from "../support/scene.ts";
import { overNats } from "../support/server.ts";

/** Two of them fit into a filter. */
const LONG = 120_000;
const plain = "x".repeat(LONG);
/** The runtime's own normalize takes seconds for it. */
const marks = `a${"\u0316\u0301".repeat(LONG / 2)}`;

const tooBig = (maximum: number) => ({ code: "too_big", type: "string", maximum, inclusive: true, exact: false });

// The process of the tests looks at what its server normalizes; over NATS others do the work.
const describeHere: typeof describeServer = overNats
  ? describeServer
  : (title, tests) => describeOwnServer(title, {}, tests);

describeHere("A text that is longer than any that is kept", (scene) => {
  let api: Client;
  let group: TestGroup;
  let person: string;
  let longest = 0;

  const { normalize } = String.prototype;
  beforeAll(() => {
    String.prototype.normalize = function (this: string, ...form: []) {
      longest = Math.max(longest, this.length);
      return normalize.apply(this, form);
    };
  });
  afterAll(() => {
    String.prototype.normalize = normalize;
    if (!overNats) expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(FILTER_TEXT_LENGTH_MAX);
  });

  beforeAll(async () => {
    const { ada, field, group: makeGroup } = await scene.workspace();
    api = scene.api(ada);
    group = await makeGroup(ada);
    for (const [type, name] of [
      ["textField", "Note"],
      ["userField", "Owner"],
      ["objectField", "Deals"],
    ])
      await field(ada, group, "person", { type, name });
    for (const [type, name] of [
      ["singleSelect", "Status"],
      ["multipleSelect", "Tags"],
    ])
      await field(ada, group, "person", { type, name, options: [{ label: "Lead" }] });
    person = `/v1/people/${(await api.post("/v1/people", { groups: [{ id: group.id }] })).data.id}`;
  });

  const named = (name: string) => `customFieldValues.${group.id}.${name}`;

  describe.each([
    ["of letters", plain],
    ["of marks", marks],
  ])("%s", (_, long) => {
    it.each([
      ["fullName", "eq", long, tooBig(5000)],
      ["fullName", "not_like", long, tooBig(5000)],
      ["emails", "like", long, tooBig(5000)],
      ["Note", "eq", long, tooBig(5000)],
      ["Note", "like", long, tooBig(5000)],
      ["Status", "in", ["Lead", long], tooBig(500)],
      ["Tags", "all", [long], tooBig(500)],
    ])("is told as too long by a filter: %s %s", async (name, operator, operand, issue) => {
      const field = /^[a-z]/.test(name) ? name : named(name);
      const { issues } = await api.post("/v1/people/search", { filter: { [field]: { [operator]: operand } } });
      expect(issues).toEqual([{ ...issue, path: ["filter", field, operator] }]);
    });

    it("names no user and no record in a filter", async () => {
      for (const [field, operand] of [
        ["createdBy", { email: [long], id: [long] }],
        [named("Owner"), { email: [long] }],
        ["groups", { id: [long] }],
      ] as const)
        expect((await api.post("/v1/people/search", { filter: { [field]: { in: operand } } })).items).toEqual([]);
    });

    it("names no field of a filter", async () => {
      for (const field of [long, named(long), `customFieldValues.${long}.Note`]) {
        const { status, issues } = await api.post("/v1/people/search", { filter: { [field]: { eq: "x" } } });
        expect([status, issues.length, issues[0]?.code]).toEqual([422, 1, "custom"]);
      }
    });

    it("is refused in a body, wherever it stands", async () => {
      const values = (value: object) => ({ customFieldValues: { [group.id]: value } });
      const fields = `/v1/groups/${group.id}/custom-fields/person`;
      const bodies: [path: string, body: object][] = [
        [person, values({ [long]: "x" })],
        [person, { customFieldValues: { [long]: {} } }],
        [person, values({ Status: long })],
        [person, values({ Tags: [long] })],
        [person, values({ Note: long })],
        [person, values({ Owner: [{ email: long }] })],
        [person, { fullName: long, emails: [long], companies: [{ name: long }] }],
        [`${fields}/Status`, { name: long }],
        [`${fields}/Status`, { addOptions: [{ label: long }] }],
        ["/v1/companies", { name: long }],
        ["/v1/groups", { name: long, visibility: "public" }],
        [`/v1/groups/${group.id}/Deals`, { name: long }],
        [fields, { type: "textField", name: long }],
        [fields, { type: "singleSelect", name: "S", options: [{ label: long }] }],
      ];
      for (const [path, body] of bodies) {
        const method = path === person || path.endsWith("/Status") ? "PATCH" : "POST";
        expect([path, (await api.request(method, path, body)).status]).toEqual([path, 422]);
      }
      for (const value of [{ [long]: "x" }, { Status: long }, { Owner: [{ email: long }] }]) {
        const records = [{ groups: [{ id: group.id }], ...values(value) }];
        const { results } = (await api.post("/v1/people/batch/create", { records })).data;
        expect(results).toMatchObject([{ status: "failed" }]);
      }
    });
  });

  it("is not one of marks that fits", async () => {
    const description = marks.slice(0, 5000);
    const { data } = await api.patch(person, { description, customFieldValues: { [group.id]: { Note: description } } });
    expect(data.description).toBe(description);
    const filter = { description: { eq: description }, [named("Note")]: { like: description } };
    expect((await api.post("/v1/people/search", { filter })).items).toHaveLength(1);
  });
});
