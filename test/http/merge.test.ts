import { describe, expect, it } from "@jest/globals";
import { uuidOf } from "../../base/values/ids.ts";
import type { TextRow } from "../../database/query.ts";
import { BY_ID, readerOf, rowOfTexts } from "../../engine/records/select.ts";
import type { LogBody, LogMore } from "../../model/log.ts";
import { people } from "../../model/resources/people.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { brokenInvariants } from "./record-invariants.ts";

const NOWHERE = "00000000-0000-7000-8000-000000000000";
const textOf = (value: unknown) => (value === "" || value === null ? "" : JSON.stringify(value));
const refs = (...records: { id: string }[]) => records.map(({ id }) => ({ id }));

// docs/guides/merging.md
describeServer("A merge", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const person = async (body: object = {}) => (await api.post("/v1/people", body)).data;
    const company = async (name: string, body: object = {}) =>
      (await api.post("/v1/companies", { name, ...body })).data;
    const merge = (path: string, survivor: { id: string }, ...merged: { id: string }[]) =>
      api.post(`${path}/${survivor.id}/merge`, { records: refs(...merged) });
    const broken = () => brokenInvariants(scene.server.database, workspace.uuid);
    return { ...workspace, api, person, company, merge, broken };
  }

  it("fills empty native fields from the first that has one, and leaves what the survivor has", async () => {
    const { api, person, merge } = await setUp();
    const survivor = await person({ firstName: "Ada", birthday: "1815-12-10" });
    const second = await person({ firstName: "Other", jobTitle: "Analyst", gender: "Female" });
    const third = await person({ jobTitle: "Poet", description: "Wrote", birthday: "2000-01-01", gender: "Male" });
    const { data } = await merge("/v1/people", survivor, second, third);
    expect(data).toEqual({ ...survivor, jobTitle: "Analyst", gender: "Female", description: "Wrote" });
    expect((await api.get(`/v1/people/${survivor.id}`)).data).toEqual(data);
    expect(await api.all("/v1/people")).toEqual([data]);
  });

  it("fills all five fields of a company that may be null, an empty text too, and frees the merged name", async () => {
    const { api, company, merge } = await setUp();
    const full = {
      description: "x",
      fundingRaised: "1.5",
      lastFundingDate: "2024-02-29",
      industry: "Steel",
      foundationYear: "1999",
      employeeRange: "1-10",
    };
    const [survivor, merged] = [await company("Acme", { industry: "" }), await company("Acme Ltd", full)];
    expect((await merge("/v1/companies", survivor, merged)).data).toEqual({ ...survivor, ...full });
    const again = await company("Acme Ltd");
    expect(again.id).not.toBe(survivor.id);
    expect(again.description).toBe("");
    expect((await api.patch(`/v1/companies/${survivor.id}`, { name: "Acme Ltd" })).status).toBe(422);
  });

  it("unites lists in the order of the records, each entry once", async () => {
    const { person, merge } = await setUp();
    const survivor = await person({ emails: ["b@x", "a@x"], phones: [] });
    const second = await person({ emails: ["a@x", "c@x", "A@x"], phones: ["1"] });
    const { data } = await merge("/v1/people", survivor, second, await person({ emails: ["d@x"], phones: ["1", "2"] }));
    expect(data).toMatchObject({ emails: ["b@x", "a@x", "c@x", "A@x", "d@x"], phones: ["1", "2"] });
    expect(data).not.toHaveProperty("warnings");
  });

  it("keeps 20 entries of a list and tells what was left out, links included, in the answer only", async () => {
    const { api, person, merge } = await setUp();
    const twenty = (prefix: string) => Array.from({ length: 20 }, (_, i) => `${prefix}${i}`);
    const companies = (prefix: string) => twenty(prefix).map((name) => ({ name }));
    const survivor = await person({ emails: twenty("a"), urls: ["u"], companies: companies("A") });
    const merged = await person({ emails: ["a0", "left@out"], urls: twenty("u"), companies: companies("B") });
    const { data } = await merge("/v1/people", survivor, merged);
    expect(data).toMatchObject({ emails: twenty("a"), urls: ["u", ...twenty("u").slice(0, 19)] });
    expect(data.companies).toEqual(survivor.companies);
    const warnings = data.warnings as { code: string; message: string; path: string[] }[];
    const codes = warnings.map(({ code, path }) => [code, ...path]);
    expect(codes.sort()).toEqual(["companies", "emails", "urls"].map((name) => ["LIST_TRUNCATED", name]));
    expect(warnings.find(({ path }) => path[0] === "emails")?.message).toContain("left@out");
    expect((await api.get(`/v1/people/${survivor.id}`)).data).not.toHaveProperty("warnings");
  });

  it("unites groups and values: a value of the survivor wins whole, hidden ones are united unseen", async () => {
    const { api, ada, user, group, field, merge, broken } = await setUp();
    const bob = await user("Bob Stone");
    const [shared, hidden] = [await group(ada), await group(bob)];
    for (const name of ["A", "B"]) {
      await field(ada, shared, "person", { type: "textField", name });
      await field(bob, hidden, "person", { type: "textField", name });
    }
    const options = ["x", "y", "z"].map((label) => ({ label }));
    await field(ada, shared, "person", { type: "multipleSelect", name: "Tags", options });
    const make = async (by: Client, home: { id: string }, values: object) =>
      (await by.post("/v1/people", { groups: refs(home), customFieldValues: { [home.id]: values } })).data;
    const survivor = await make(api, shared, { A: "own", Tags: ["x"] });
    const second = await make(api, shared, { A: "other", B: "second", Tags: ["y", "z"] });
    const third = await make(scene.api(bob), hidden, { A: "secret" });
    const { data } = await merge("/v1/people", survivor, second, third);
    expect(data.customFieldValues).toEqual({ [shared.id]: { A: "own", B: "second", Tags: ["x"] } });
    expect(data.groups).toMatchObject(refs(shared));
    const seen = (await scene.api(bob).get(`/v1/people/${survivor.id}`)).data;
    expect(seen.customFieldValues).toEqual({ [hidden.id]: { A: "secret", B: null } });
    expect(await broken()).toEqual([]);
  });

  it("fills a value of the survivor of which nothing is left: its option or its user was removed", async () => {
    const { api, ada, user, remove, group, field, merge, broken } = await setUp();
    const sales = await group(ada);
    const gone = await user("Gone Soon");
    const options = [{ label: "x" }, { label: "y" }];
    for (const type of ["singleSelect", "multipleSelect"])
      await field(ada, sales, "person", { type, name: type, options });
    await field(ada, sales, "person", { type: "userField", name: "Owner" });
    const make = async (values: object) =>
      (await api.post("/v1/people", { groups: refs(sales), customFieldValues: { [sales.id]: values } })).data;
    const survivor = await make({ singleSelect: "x", multipleSelect: ["x"], Owner: [{ id: gone.id }] });
    const merged = await make({ singleSelect: "y", multipleSelect: ["y"], Owner: [{ id: ada.id }] });
    for (const name of ["singleSelect", "multipleSelect"]) {
      const path = `/v1/groups/${sales.id}/custom-fields/person/${name}`;
      const [first] = (await api.get(path)).data.options as { id: string }[];
      await api.patch(path, { removeOptions: [first?.id] });
    }
    await remove(gone);
    const { data } = await merge("/v1/people", survivor, merged);
    const owner = [{ id: ada.id, fullName: ada.fullName, email: ada.email }];
    expect(data.customFieldValues).toEqual({
      [sales.id]: { singleSelect: "y", multipleSelect: ["y"], Owner: owner },
    });
    expect(await broken()).toEqual([]);
  });

  it("needs contributor in every visible group of all the records, else 403 and nothing happens", async () => {
    const { api, ada, user, group, person, merge } = await setUp();
    const bob = await user("Bob Stone");
    const readOnly = await group(ada, { members: [[bob, "reader"]] });
    const hidden = await group(ada);
    const inReadOnly = await person({ groups: refs(readOnly) });
    const inHidden = await person({ groups: refs(hidden), firstName: "Hid" });
    const free = await person();
    const asBob = (survivor: Item, merged: Item) =>
      scene.api(bob).post(`/v1/people/${survivor.id}/merge`, { records: refs(merged) });
    for (const answer of [await asBob(free, inReadOnly), await asBob(inReadOnly, free)])
      expect([answer.status, answer.error.code]).toEqual([403, "FORBIDDEN"]);
    expect(await api.all("/v1/people")).toHaveLength(3);
    expect((await asBob(free, inHidden)).data).toMatchObject({ firstName: "Hid", groups: [] });
    expect((await merge("/v1/people", free, inReadOnly)).data.groups).toHaveLength(2);
  });

  describe("is 422", () => {
    it("for the survivor itself, a double and an unknown id, each at its place, and then nothing happens", async () => {
      const { api, person, company, merge } = await setUp();
      const [survivor, one] = [await person(), await person()];
      const acme = await company("Acme");
      const stranger = await (await setUp()).person();
      const nowhere = { id: `per_${NOWHERE}` };
      const answer = await merge("/v1/people", survivor, one, survivor, one, nowhere, acme, stranger, {
        id: "x".repeat(40),
      });
      expect(answer.issues).toEqual([1, 2, 3, 4, 5, 6].map((i) => ({ code: "custom", path: ["records", i, "id"] })));
      expect(await api.all("/v1/people")).toHaveLength(2);
    });

    it("for an alias of the survivor, and for two names of one record", async () => {
      const { person, merge } = await setUp();
      const [a, b, c, d] = [await person(), await person(), await person(), await person()];
      await merge("/v1/people", a, b);
      await merge("/v1/people", c, d);
      const issue = (i: number) => ({ code: "custom", path: ["records", i, "id"] });
      expect((await merge("/v1/people", a, b)).issues).toEqual([issue(0)]);
      expect((await merge("/v1/people", b, a)).issues).toEqual([issue(0)]);
      expect((await merge("/v1/people", a, c, d)).issues).toEqual([issue(1)]);
    });

    it("for no record, more than 20, and what the schema sees", async () => {
      const { api, person } = await setUp();
      const { id } = await person();
      const path = `/v1/people/${id}/merge`;
      const WRONG: [body: object, issue: object][] = [
        [{}, { code: "invalid_type", path: ["records"] }],
        [{ records: [] }, { code: "too_small", minimum: 1, path: ["records"] }],
        [{ records: Array(21).fill({ id }) }, { code: "too_big", maximum: 20, path: ["records"] }],
        [{ records: [{ id: "per_1" }] }, { code: "too_small", exact: true, path: ["records", 0, "id"] }],
        [{ records: [id] }, { code: "invalid_type", path: ["records", 0] }],
        [{ records: [{ id, name: "x" }] }, { code: "unrecognized_keys", path: ["records", 0] }],
        [
          { records: [{ id }], force: true },
          { code: "unrecognized_keys", path: [] },
        ],
      ];
      for (const [body, issue] of WRONG) expect((await api.post(path, body)).issues).toMatchObject([issue]);
      const nobody = await api.post(`/v1/people/per_${NOWHERE}/merge`, { records: [{ id }] });
      expect(nobody.status).toBe(404);
    });

    it("for objects of another type or group", async () => {
      const { api, ada, group, field, merge } = await setUp();
      const [one, two] = [await group(ada), await group(ada)];
      for (const home of [one, two])
        for (const name of ["Deals", "Projects"]) await field(ada, home, "person", { type: "objectField", name });
      const make = async (home: { id: string }, type: string) =>
        (await api.post(`/v1/groups/${home.id}/${type}`, { name: "x" })).data;
      const survivor = await make(one, "Deals");
      const others = [await make(one, "Projects"), await make(two, "Deals")];
      const path = `/v1/groups/${one.id}/Deals`;
      const issues = [0, 1].map((i) => ({ code: "custom", path: ["records", i, "id"] }));
      expect((await merge(path, survivor, ...others)).issues).toEqual(issues);
      expect((await merge(path, survivor, await make(one, "Deals"))).data).toEqual(survivor);
    });
  });

  it("keeps what was in the log: each merged record as it was, and what it has changed in the survivor", async () => {
    const { ada, uuid, group, field, person, company, merge } = await setUp();
    const home = await group(ada);
    await field(ada, home, "person", { type: "textField", name: "Nickname" });
    const acme = await company("Acme");
    const [survivor, one, two] = [
      await person({ firstName: "A", jobTitle: "" }),
      await person({
        firstName: "B",
        jobTitle: "Analyst",
        companies: refs(acme),
        groups: refs(home),
        customFieldValues: { [home.id]: { Nickname: "Bee" } },
        description: "d".repeat(3_000),
      }),
      await person(),
    ];
    const { database } = scene.server;
    const rowOf = async ({ id }: Item) => {
      const statement = `${readerOf(people).select} and r.id = $2 ${BY_ID}`;
      const [row] = await database.read<TextRow>(statement, [uuid, uuidOf("person", id)], "texts");
      return row && JSON.parse(JSON.stringify(rowOfTexts(people, row)));
    };
    const before = [await rowOf(one), await rowOf(two)];
    await merge("/v1/people", survivor, one, two);
    const rows = await database.read<{ id: string; type: string; user: string; body: LogBody; more: LogMore | null }>(
      `select 'per_' || record_id as id, type, user_id as "user", body, more from change_log
       where workspace_id = $1 and type <> 'person.created' and type like 'person.%' order by seq`,
      [uuid],
    );
    const into = uuidOf("person", survivor.id);
    expect(rows.map(({ body }) => body.into)).toEqual([into, into, undefined]);
    // All that is set, and nothing that is counted or derived.
    const kept = before.map(({ uuid: _, activity: __, uncounted: ___, definitionsVersion: ____, ...row }) =>
      Object.fromEntries(
        Object.entries(row).filter(
          ([name, value]) => name === "memberships" || !["", "[]", '"Unknown"'].includes(textOf(value)),
        ),
      ),
    );
    expect(rows.slice(0, 2).map(({ more }) => more?.gone?.row)).toEqual(kept);
    expect(rows).toMatchObject([
      { id: one.id, type: "person.deleted", user: ada.uuid },
      { id: two.id, type: "person.deleted", user: ada.uuid },
      { id: survivor.id, type: "person.updated+groups_updated", user: ada.uuid },
    ]);
    expect(before[0]).toMatchObject({ firstName: "B", memberships: [{ values: expect.anything() }] });
    expect(rows[2]?.body.changes).toEqual([
      { path: ["description"], before: null, after: { textId: expect.any(String) } },
      { path: ["jobTitle"], before: null, after: "Analyst" },
      { path: ["companies"], before: [], after: refs(acme) },
      { path: ["customFieldValues", home.id, "Nickname"], field: expect.any(String), before: null, after: "Bee" },
      { path: ["groups"], before: [], after: refs(home) },
    ]);
    expect(await database.read("select from merges where workspace_id = $1", [uuid])).toEqual([]);
  });

  it("with an Idempotency-Key is not done twice", async () => {
    const { api, person } = await setUp();
    const [survivor, merged] = [await person(), await person()];
    const send = () =>
      api.post(`/v1/people/${survivor.id}/merge`, { records: refs(merged) }, { "Idempotency-Key": "merge-1" });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.text]).toEqual([200, first.text]);
  });
});
