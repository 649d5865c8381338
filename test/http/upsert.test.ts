import { expect, it } from "@jest/globals";
import type { Answer, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

/** An upsert as it is answered: the operation, the key, and the id of the record. */
function told({ status, body, text, data }: Answer): unknown[] {
  if (status !== 200) return [status, text];
  const { operation, matchedBy } = body as { operation: string; matchedBy: string | null };
  return [operation, matchedBy, data.id];
}

const issuesIn = ({ status, issues }: Answer) => [status, ...issues.map(({ code, path }) => [code, ...path])];

describeServer("An upsert", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const { id: group } = await workspace.group(workspace.ada);
    const fields = [
      { type: "textField", name: "Key" },
      { type: "numericField", name: "Number" },
      { type: "multipleSelect", name: "Tags", options: [{ label: "red" }, { label: "blue" }] },
      { type: "contactField", name: "Contacts" },
    ];
    for (const entity of ["person", "company", "Deals"]) {
      if (entity === "Deals")
        await workspace.field(workspace.ada, { id: group, name: "", visibility: "private" }, "company", {
          type: "objectField",
          name: "Deals",
        });
      for (const field of fields)
        await workspace.field(workspace.ada, { id: group, name: "", visibility: "private" }, entity, field);
    }
    const deals = `/v1/groups/${group}/Deals`;
    const upsert = (path: string, match: string[], record: object, more: object = {}) =>
      api.post(`${path}/upsert`, { match, record, ...more });
    const values = (sent: object) => ({ groups: [{ id: group }], customFieldValues: { [group]: sent } });
    return { ...workspace, api, groupId: group, deals, upsert, values };
  }

  const foundBy = (list: string, id: string) => ["updated", list, id];

  // docs/guides/upsert.md#equal-values
  it.each(["people", "companies"])("of %s finds addresses that are equal, and no others", async (kind) => {
    const { api, upsert } = await setUp();
    const path = `/v1/${kind}`;
    let count = 0;
    const named = (record: object) => {
      count += 1;
      return { ...(kind === "companies" && { name: `N${count}` }), ...record };
    };
    const stored = {
      emails: ["Ada@X.example", " eve@x.example ", "ÉMILE@x.example", "ZOE\u0301@x.example"],
      phones: ["+44 (0)20 7946 0000", "0171 555"],
      urls: ["https://www.Example.com/Ada?q=1#top", "http://bücher.example/"],
    };
    const { id } = (await api.post(path, named(stored))).data;
    const finding = {
      emails: [
        "ada@x.EXAMPLE",
        "eve@x.example",
        "  EVE@x.example",
        "émile@x.example",
        "E\u0301mile@x.example",
        "zoé@x.example",
      ],
      phones: ["+442079460000", "0044 20 7946 0000", "0171-555"],
      urls: ["example.com/Ada?q=1", "HTTP://EXAMPLE.com/Ada?q=1", "https://WWW.BÜCHER.example", "//bücher.example/"],
    };
    for (const [list, texts] of Object.entries(finding))
      for (const text of texts) {
        const answer = await upsert(path, [list], named({ [list]: ["other", text] }), { lists: "add" });
        expect([text, told(answer)]).toEqual([text, [expect.any(String), list, id]]);
      }
    const missing = {
      emails: ["ada@x.example.org", "ad.a@x.example"],
      phones: ["+49171555", "171555", "+44207946000"],
      urls: ["example.com/ada?q=1", "example.com/Ada", "example.com:8080/Ada?q=1", "shop.example.com/Ada?q=1"],
    };
    for (const [list, texts] of Object.entries(missing))
      for (const text of texts) {
        const answer = await upsert(path, [list], named({ [list]: [text] }));
        expect([text, told(answer)]).toEqual([text, ["created", null, expect.not.stringContaining(id)]]);
      }
  });

  it("finds names without blanks around them in any normal form, also those that were stored with blanks", async () => {
    const { api, deals, upsert } = await setUp();
    for (const [path, key] of [
      ["/v1/people", "fullName"],
      ["/v1/companies", "name"],
      [deals, "name"],
    ] as const) {
      const { id } = (await api.post(path, { [key]: "\u00a0 Zoe\u0301 Ångström\n" })).data;
      for (const name of ["Zoé Ångström", " Zoe\u0301 Ångström ", "\u3000Zoé A\u030angstro\u0308m"])
        expect(told(await upsert(path, [key], { [key]: name }))).toEqual([expect.any(String), key, id]);
      expect(told(await upsert(path, [key], { [key]: "zoé Ångström" }))[0]).toBe("created");
      expect(told(await upsert(path, [key], { [key]: "Zoé  Ångström" }))[0]).toBe("created");
    }
  });

  it("looks for the full name that a create would store (docs/guides/upsert.md#match-keys)", async () => {
    const { api, upsert } = await setUp();
    const { id } = (await api.post("/v1/people", { fullName: "Ada Lovelace" })).data;
    const parts = { firstName: "Ada", lastName: "Lovelace" };
    expect(told(await upsert("/v1/people", ["fullName"], parts))).toEqual(["unchanged", "fullName", id]);
  });

  it("finds custom texts and numbers as filters do", async () => {
    const { api, deals, groupId, upsert, values } = await setUp();
    const person = (await api.post("/v1/people", values({ Key: "Zoé ", Number: "1.50" }))).data.id;
    const deal = (await api.post(deals, { name: "D", customFieldValues: { Key: "x", Number: 7 } })).data.id;
    const key = (name: string) => `customFieldValues.${groupId}.${name}`;
    expect(told(await upsert("/v1/people", [key("Key")], values({ Key: "Zoe\u0301 " })))[2]).toBe(person);
    expect(told(await upsert("/v1/people", [key("Number")], values({ Number: 1.5 })))[2]).toBe(person);
    expect(told(await upsert("/v1/people", [key("Key")], values({ Key: "Zoé" })))[0]).toBe("created");
    const found = await upsert(deals, ["customFieldValues.Number"], {
      name: "D",
      customFieldValues: { Number: "7.0" },
    });
    expect(told(found)).toEqual(["unchanged", "customFieldValues.Number", deal]);
  });

  it("tries the keys in their order, skips those without a value, and tells the one that found", async () => {
    const { api, upsert } = await setUp();
    const one = (await api.post("/v1/people", { emails: ["one@x"] })).data.id;
    const two = (await api.post("/v1/people", { phones: ["+1 202 555 0101"] })).data.id;
    const record = { emails: ["one@x"], phones: ["+12025550101"] };
    const add = { lists: "add" };
    expect(told(await upsert("/v1/people", ["urls", "emails"], record, add))).toEqual(foundBy("emails", one));
    const both = { ...record, emails: ["new@x"], phones: ["+1 202 555 0102", "+1 202 555 0101"] };
    expect(told(await upsert("/v1/people", ["emails", "emails", "urls"], both))[0]).toBe("created");
    expect(told(await upsert("/v1/people", ["id"], { id: two, jobTitle: "x" }))).toEqual(foundBy("id", two));
    const none = { emails: [], phones: ["n/a"], urls: ["https://"], fullName: "  " };
    const keys = ["emails", "phones", "urls", "fullName"];
    expect(issuesIn(await upsert("/v1/people", keys, none))).toEqual([422, ["custom", "record"]]);
  });

  it("tells the records that one key finds, at most ten, and writes nothing", async () => {
    const { api, upsert } = await setUp();
    const records = Array.from({ length: 12 }, () => ({ phones: ["+1 202 555 0103"] }));
    await api.post("/v1/people/batch/create", { records });
    const answer = await upsert("/v1/people", ["emails", "phones"], { emails: ["new@x"], phones: ["0012025550103"] });
    expect(issuesIn(answer)).toEqual([422, ["custom", "match", 1]]);
    const all = (await api.all("/v1/people")).map(({ id }) => id);
    expect(answer.issues[0]?.params).toEqual({ key: "phones", candidates: all.slice(0, 10) });
    expect(all).toHaveLength(12);
  });

  it("by an id finds the survivor of a merge, and makes no record under an id (docs/guides/upsert.md#match-keys)", async () => {
    const { api, upsert } = await setUp();
    const [one, two] = [(await api.post("/v1/people")).data.id, (await api.post("/v1/people")).data.id];
    await api.post(`/v1/people/${one}/merge`, { records: [{ id: two }] });
    expect(told(await upsert("/v1/people", ["id"], { id: two, jobTitle: "x" }))).toEqual(foundBy("id", one));
    const ghost = "per_00000000-0000-7000-8000-000000000000";
    for (const mode of ["upsert", "update", "create"])
      expect((await upsert("/v1/people", ["id", "emails"], { id: ghost, emails: ["a@x"] }, { mode })).status).toBe(404);
    await api.post("/v1/people", { emails: ["a@x"] });
    expect(told(await upsert("/v1/people", ["id", "emails"], { id: ghost, emails: ["a@x"] }))[1]).toBe("emails");
    expect(told(await upsert("/v1/people", ["id", "emails"], { id: null, emails: ["b@x"] }))[0]).toBe("created");
    const unnamed = await upsert("/v1/people", ["emails"], { id: one, emails: ["a@x"] });
    expect(issuesIn(unnamed)).toEqual([422, ["unrecognized_keys", "record"]]);
  });

  it("updates only, or creates only, as the mode says (docs/guides/upsert.md#modes)", async () => {
    const { api, upsert } = await setUp();
    const record = { emails: ["mode@x"] };
    expect((await upsert("/v1/people", ["emails"], record, { mode: "update" })).status).toBe(404);
    const created = await upsert("/v1/people", ["emails"], record, { mode: "create" });
    expect(told(created)[0]).toBe("created");
    const again = await upsert("/v1/people", ["emails"], record, { mode: "create" });
    expect(issuesIn(again)).toEqual([422, ["custom", "match", 0]]);
    expect(again.issues[0]?.params).toEqual({ key: "emails", candidates: [created.data.id] });
    expect(told(await upsert("/v1/people", ["emails"], record, { mode: "update" }))[0]).toBe("unchanged");
    expect(await api.all("/v1/people")).toHaveLength(1);
  });

  it("of a company patches the one that has the name when no key finds one", async () => {
    const { api, upsert } = await setUp();
    const { id } = (await api.post("/v1/companies", { name: "Acme" })).data;
    const other = (await api.post("/v1/companies", { name: "Other", emails: ["other@x"] })).data.id;
    const record = { name: " Acme", emails: ["acme@x"] };
    expect((await upsert("/v1/companies", ["emails"], record, { mode: "update" })).status).toBe(404);
    const refused = await upsert("/v1/companies", ["emails"], record, { mode: "create" });
    expect(issuesIn(refused)).toEqual([422, ["custom", "record", "name"]]);
    expect(refused.issues[0]?.params).toEqual({ key: "name", candidates: [id] });
    expect(told(await upsert("/v1/companies", ["emails"], record))).toEqual(foundBy("name", id));
    const renamed = await upsert("/v1/companies", ["emails"], { name: "Acme", emails: ["other@x"] });
    expect(issuesIn(renamed)).toEqual([422, ["custom", "record", "name"]]);
    expect(told(await upsert("/v1/companies", ["emails"], { name: "New", emails: ["OTHER@x"] }))[2]).toBe(other);
    expect(issuesIn(await upsert("/v1/companies", ["phones"], record))).toEqual([422, ["custom", "record"]]);
  });

  it("replaces lists, or adds to them by the equality of their entries (docs/guides/upsert.md#lists)", async () => {
    const { api, ada, group, groupId, deals, upsert, values } = await setUp();
    const more = (await group(ada, { name: "More" })).id;
    const [c, d] = [(await api.post("/v1/companies", { name: "C" })).data.id, "D"];
    const first = {
      emails: ["Ada@x"],
      phones: ["+44 20 7946 0000", "n/a"],
      urls: ["https://x.example/a/"],
      addresses: ["Here"],
      companies: [{ id: c }],
      ...values({ Tags: ["blue"], Contacts: [{ id: c }], Key: "k" }),
    };
    const { id } = (await api.post("/v1/people", first)).data;
    const sent = {
      emails: ["ada@X", "new@x", "NEW@x"],
      phones: ["+442079460000", "n/a", "7"],
      urls: ["x.example/a", "x.example/b"],
      addresses: ["There", "Here"],
      companies: [{ name: d }, { name: "C" }],
      groups: [{ id: more }],
      customFieldValues: { [groupId]: { Tags: ["red", "blue"], Contacts: [{ id }, { id: c }] } },
    };
    const added = await upsert("/v1/people", ["emails"], sent, { lists: "add" });
    expect(told(added)).toEqual(foundBy("emails", id));
    const { customFieldValues, ...person } = added.data as Item & Record<string, Item[]>;
    expect(person).toMatchObject({
      emails: ["Ada@x", "new@x"],
      phones: ["+44 20 7946 0000", "n/a", "7"],
      urls: ["https://x.example/a/", "x.example/b"],
      addresses: ["Here", "There"],
      companies: [{ name: "C" }, { name: "D" }],
      groups: [{ id: groupId }, { id: more }],
    });
    expect(customFieldValues).toMatchObject({
      [groupId]: { Tags: ["blue", "red"], Contacts: [{ id: c }, { id }], Key: "k" },
    });
    const none = { emails: ["ada@x"], companies: [], phones: [], customFieldValues: { [groupId]: { Tags: [] } } };
    expect(told(await upsert("/v1/people", ["emails"], none, { lists: "add" }))[0]).toBe("unchanged");
    const replaced = (await upsert("/v1/people", ["emails"], { emails: ["new@x"], groups: [{ id: more }] })).data;
    expect(replaced).toMatchObject({ emails: ["new@x"], groups: [{ id: more }], addresses: ["Here", "There"] });
    const emails = Array.from({ length: 20 }, (_, i) => `${i}@many`);
    const many = await upsert("/v1/people", ["id"], { id, emails }, { lists: "add" });
    expect(issuesIn(many)).toEqual([422, ["too_big", "record", "emails"]]);
    await api.patch(`/v1/companies/${c}`, { groups: [{ id: groupId }] });
    await api.post(deals, { name: "Deal", companies: [{ id: c }] });
    const e = (await api.post("/v1/companies", { name: "E", groups: [{ id: groupId }] })).data.id;
    const deal = await upsert(deals, ["name"], { name: "Deal", companies: [{ id: e }, { id: c }] }, { lists: "add" });
    expect(deal.data.companies).toMatchObject([{ name: "C" }, { name: "E" }]);
  });

  it("knows no keys of other fields, of hidden ones, or of other kinds, and does not save that answer", async () => {
    const { api, groupId, deals, user, upsert } = await setUp();
    const hidden = `customFieldValues.${groupId}.Key`;
    const stranger = scene.api(await user("Bob Stone"));
    const match = ["emails", hidden];
    const bob = await stranger.post("/v1/people/upsert", { match, record: { emails: ["a@x"] } });
    expect(issuesIn(bob)).toEqual([422, ["custom", "match", 1]]);
    const keys = ["name", "jobTitle", "", "__proto__", `customFieldValues.${groupId}.Tags`, "customFieldValues.Key"];
    for (const key of keys)
      expect(issuesIn(await upsert("/v1/people", [key], { emails: ["a@x"] }))).toEqual([422, ["custom", "match", 0]]);
    for (const key of ["emails", "fullName", hidden, "customFieldValues.Tags"])
      expect(issuesIn(await upsert(deals, [key], { name: "D" }))).toEqual([422, ["custom", "match", 0]]);
    const idem = { "Idempotency-Key": "later" };
    const later = { match: [`customFieldValues.${groupId}.Later`], record: { emails: ["a@x"] } };
    for (let i = 0; i < 2; i++)
      expect((await api.post("/v1/people/upsert", later, idem)).headers["idempotent-replayed"]).toBeUndefined();
  });

  it("needs the role of a write in the group of objects, even if nothing changes", async () => {
    const { api, ada, user, group, field } = await setUp();
    const bob = await user("Bob Stone");
    const sales = await group(ada, { members: [[bob, "reader"]] });
    await field(ada, sales, "company", { type: "objectField", name: "Deals" });
    const path = `/v1/groups/${sales.id}/Deals`;
    await api.post(path, { name: "Same" });
    const body = { match: ["name"], record: { name: "Same" } };
    expect((await scene.api(bob).post(`${path}/upsert`, body)).status).toBe(403);
    expect((await api.post(`${path}/upsert`, body)).body).toMatchObject({ operation: "unchanged" });
  });

  it("makes the events of what it did, none if nothing changed, and keeps its tag then", async () => {
    const { api, upsert } = await setUp();
    const since = new Date().toISOString();
    const record = { emails: ["event@x"], jobTitle: "a" };
    const first = await upsert("/v1/people", ["emails"], record);
    const second = await upsert("/v1/people", ["emails"], record);
    const third = await upsert("/v1/people", ["emails"], { ...record, jobTitle: "b" });
    expect([first, second, third].map((answer) => told(answer)[0])).toEqual(["created", "unchanged", "updated"]);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(third.headers.etag).not.toBe(first.headers.etag);
    const types = (await api.get(`/v1/events?since=${since}`)).items.map(({ type }) => type);
    expect(types).toEqual(["person.created", "person.updated"]);
  });

  it("can be previewed, and is replayed with its operation", async () => {
    const { api } = await setUp();
    const body = { match: ["emails"], record: { emails: ["dry@x"] } };
    const dry = await api.post("/v1/people/upsert", body, { "Dry-Run": "true" });
    expect(dry.body).toMatchObject({ operation: "created", matchedBy: null, changes: [{ type: "person.created" }] });
    expect(await api.all("/v1/people")).toEqual([]);
    const idem = { "Idempotency-Key": "once" };
    const first = await api.post("/v1/people/upsert", body, idem);
    const again = await api.post("/v1/people/upsert", body, idem);
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
  });
});
