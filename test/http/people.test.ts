import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

describeServer("People", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    return { ...workspace, api: scene.api(workspace.ada) };
  }

  it("answer every field, also those that are unset (docs/guides/people.md#unset-fields)", async () => {
    const { api, ada } = await setUp();
    const { data } = await api.post("/v1/people", {});
    const none = { approximateCount: 0, lastInteractedAt: null };
    expect(data).toEqual({
      id: expect.stringMatching(/^per_[0-9a-f-]{36}$/),
      firstName: "",
      lastName: "",
      fullName: "",
      description: "",
      birthday: null,
      gender: "Unknown",
      jobTitle: "",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdBy: { id: ada.id, fullName: ada.fullName, email: ada.email },
      groups: [],
      companies: [],
      addresses: [],
      emails: [],
      phones: [],
      urls: [],
      customFieldValues: {},
      interactionMetadata: { user: none, workspace: { ...none, lastInteractedBy: [] } },
      strongestConnection: {},
    });
    expect((await api.get(`/v1/people/${data.id}`)).data).toEqual(data);
    expect((await api.get("/v1/people")).items).toEqual([data]);
  });

  // [sent, first, last, full]
  const CREATED: [object, string, string, string][] = [
    [{ firstName: "Ada", lastName: "Lovelace" }, "Ada", "Lovelace", "Ada Lovelace"],
    [{ firstName: "Ada" }, "Ada", "", "Ada"],
    [{ lastName: "Lovelace" }, "", "Lovelace", "Lovelace"],
    [{ firstName: "", lastName: "" }, "", "", ""],
    [{ fullName: "Ada King Lovelace" }, "Ada King", "Lovelace", "Ada King Lovelace"],
    [{ fullName: "Ada" }, "Ada", "", "Ada"],
    [{ fullName: "" }, "", "", ""],
    [{ fullName: " Ada " }, " Ada", "", " Ada "],
    [{ fullName: "Ada\tLovelace" }, "Ada\tLovelace", "", "Ada\tLovelace"],
    [{ firstName: "A", lastName: "L", fullName: "Countess of Lovelace" }, "A", "L", "Countess of Lovelace"],
  ];
  it.each(CREATED)(
    "created with %j are called %j, %j and %j (docs/guides/people.md#names)",
    async (sent, firstName, lastName, fullName) => {
      const { api } = await setUp();
      expect((await api.post("/v1/people", sent)).data).toMatchObject({ firstName, lastName, fullName });
    },
  );

  const CHANGED: [object, string, string, string][] = [
    [{ firstName: "Augusta" }, "Augusta", "Lovelace", "Augusta Lovelace"],
    [{ lastName: "" }, "Ada", "", "Ada"],
    [{ firstName: "", lastName: "" }, "", "", ""],
    [{ fullName: "Grace Brewster Hopper" }, "Grace Brewster", "Hopper", "Grace Brewster Hopper"],
    [{ fullName: "" }, "", "", ""],
    [{ fullName: "Countess", firstName: "Augusta" }, "Augusta", "Lovelace", "Countess"],
    [{ fullName: "Countess", lastName: "King" }, "Ada", "King", "Countess"],
    [{ jobTitle: "Analyst" }, "Ada", "Lovelace", "The Countess"],
  ];
  it.each(CHANGED)(
    "changed by %j are called %j, %j and %j (docs/guides/people.md#names)",
    async (sent, firstName, lastName, fullName) => {
      const { api } = await setUp();
      const { data } = await api.post("/v1/people", {
        firstName: "Ada",
        lastName: "Lovelace",
        fullName: "The Countess",
      });
      expect((await api.patch(`/v1/people/${data.id}`, sent)).data).toMatchObject({ firstName, lastName, fullName });
    },
  );

  it("may have derived names beyond the limits of sent ones (docs/guides/people.md#names)", async () => {
    const { api } = await setUp();
    const [first, last] = ["f".repeat(500), "l".repeat(500)];
    expect((await api.post("/v1/people", { firstName: first, lastName: last })).data.fullName).toBe(`${first} ${last}`);
    expect((await api.post("/v1/people", { fullName: "n".repeat(1000) })).data.firstName).toBe("n".repeat(1000));
  });

  const LIMITS: [name: string, max: number][] = [
    ["firstName", 500],
    ["lastName", 500],
    ["fullName", 1000],
    ["description", 5000],
    ["jobTitle", 500],
  ];
  const LISTS: [name: string, items: number, max: number][] = [
    ["addresses", 20, 500],
    ["emails", 20, 254],
    ["phones", 20, 30],
    ["urls", 20, 2048],
  ];
  it("have exactly the documented limits (docs/guides/people.md#fields)", async () => {
    const { api } = await setUp();
    const bound = (maximum: number, type: string, path: unknown[]) => [
      { code: "too_big", maximum, type, inclusive: true, exact: false, path },
    ];
    for (const [name, max] of LIMITS) {
      expect((await api.post("/v1/people", { [name]: "x".repeat(max) })).data[name]).toHaveLength(max);
      expect((await api.post("/v1/people", { [name]: "x".repeat(max + 1) })).issues).toEqual(
        bound(max, "string", [name]),
      );
    }
    for (const [name, items, max] of LISTS) {
      expect((await api.post("/v1/people", { [name]: Array(items).fill("x".repeat(max)) })).data[name]).toHaveLength(
        items,
      );
      expect((await api.post("/v1/people", { [name]: Array(items + 1).fill("x") })).issues).toEqual(
        bound(items, "array", [name]),
      );
      expect((await api.post("/v1/people", { [name]: ["x".repeat(max + 1)] })).issues).toEqual(
        bound(max, "string", [name, 0]),
      );
    }
    expect((await api.post("/v1/people", { groups: Array(101).fill({ id: `grp_${randomUUID()}` }) })).issues).toEqual(
      bound(100, "array", ["groups"]),
    );
    expect((await api.post("/v1/people", { companies: Array(21).fill({ name: "x" }) })).issues).toEqual(
      bound(20, "array", ["companies"]),
    );
    expect((await api.post("/v1/people", { companies: [{ name: "x".repeat(501) }] })).issues).toEqual(
      bound(500, "string", ["companies", 0, "name"]),
    );
  });

  it("are found by a part of a text in either case, whatever form a letter has there (docs/guides/filters.md#like)", async () => {
    const { api, ada, group, field } = await setUp();
    const home = await group(ada);
    await field(ada, home, "person", { type: "textField", name: "Word" });
    const words = ["ΟΔΥΣΣΕΑΣ ΠΑΠΠΑΣ", "Οδυσσεας Παππας", "οδυσ σεας, ODYſ J\u030c \u00b5"];
    for (const word of words) {
      const values = { groups: [{ id: home.id }], customFieldValues: { [home.id]: { Word: word } } };
      const { data } = await api.post("/v1/people", { fullName: word, emails: ["x", word], ...values });
      await api.post("/v1/notes", { entity: { id: data.id }, visibility: "public", content: word });
    }
    const PARTS: Record<string, number> = {
      ...{ ΟΔΥΣ: 3, οδυσ: 3, οδυς: 3, ΥΣ: 3, ΟΔΥΣΣΈΑΣ: 0 },
      ...{ ΠΑΠΠΑΣ: 2, παππας: 2, "σεας π": 2, "ΣΕΑΣ Π": 2 },
      ...{ ODYS: 1, odyſ: 1, "\u01f0": 1, "J\u030c": 1, "\u039c": 1, "\u00b5": 1 },
    };
    const found = async (path: string) => {
      const answers = Object.keys(PARTS).map((part) => api.get(`${path}${encodeURIComponent(part)}`));
      const counts = (await Promise.all(answers)).map(({ items }) => items.length);
      return Object.fromEntries(Object.keys(PARTS).map((part, i) => [part, counts[i]]));
    };
    for (const name of ["fullName", "emails", `customFieldValues.${home.id}.Word`])
      expect([name, await found(`/v1/people?filter[${name}][like]=`)]).toEqual([name, PARTS]);
    expect(await found("/v1/notes?query=")).toMatchObject({ ΟΔΥΣ: 3, οδυς: 3, ΠΑΠΠΑΣ: 2, παππας: 2, ODYS: 1 });
  });

  it("clear by PATCH with null or an empty text, replace lists, and leave what is not sent (docs/guides/values.md#updates)", async () => {
    const { api } = await setUp();
    const { data } = await api.post("/v1/people", {
      firstName: "Ada",
      birthday: "1815-12-10",
      gender: "Female",
      emails: ["a@x", "b@x"],
      phones: ["1", "1"],
    });
    expect(data.phones).toEqual(["1", "1"]);
    const path = `/v1/people/${data.id}`;
    expect((await api.patch(path, {})).data).toEqual(data);
    expect((await api.patch(path, { birthday: "", emails: ["b@x"] })).data).toMatchObject({
      firstName: "Ada",
      birthday: null,
      gender: "Female",
      emails: ["b@x"],
      phones: ["1", "1"],
    });
    expect((await api.patch(path, { birthday: "1815-12-10" })).data.birthday).toBe("1815-12-10");
    expect((await api.patch(path, { birthday: null, gender: null, phones: [] })).data).toMatchObject({
      birthday: null,
      gender: "Unknown",
      phones: [],
    });
    for (const name of ["firstName", "description", "emails", "groups", "companies"]) {
      expect((await api.patch(path, { [name]: null })).issues).toMatchObject([
        { code: "invalid_type", received: "null", path: [name] },
      ]);
    }
  });

  describe("companies of a person (docs/guides/people.md#companies-of-a-person)", () => {
    it("are named by id or by name, in order, once each; a name that nobody has makes the company", async () => {
      const { api } = await setUp();
      const acme = (await api.post("/v1/companies", { name: "Acme" })).data;
      const { data } = await api.post("/v1/people", {
        companies: [{ name: " New\n" }, { id: acme.id }, { name: "Acme" }, { name: "New" }],
      });
      const made = (await api.get("/v1/companies")).items.find(({ name }) => name === "New");
      expect(data.companies).toEqual([
        { id: made?.id, name: "New" },
        { id: acme.id, name: "Acme" },
      ]);
      const path = `/v1/people/${data.id}`;
      expect((await api.patch(path, { companies: [{ id: acme.id }, { name: "New" }] })).data.companies).toEqual([
        { id: acme.id, name: "Acme" },
        { id: made?.id, name: "New" },
      ]);
      expect((await api.patch(path, { companies: [] })).data.companies).toEqual([]);
      expect((await api.get("/v1/companies")).items).toHaveLength(2);
    });

    it("are the same after NFC and trimming, and differ by letter case (docs/guides/companies.md#unique-names)", async () => {
      const { api } = await setUp();
      const { data } = await api.post("/v1/companies", { name: "Café" });
      const person = await api.post("/v1/people", { companies: [{ name: " Cafe\u0301 " }, { name: "CAFÉ" }] });
      expect(person.data.companies).toEqual([
        { id: data.id, name: "Café" },
        { id: expect.not.stringMatching(data.id), name: "CAFÉ" },
      ]);
    });

    it("that do not exist, or are something else, are 422 at their place, and nothing is made", async () => {
      const { api } = await setUp();
      const other = (await api.post("/v1/people", {})).data.id;
      const companies = [{ name: "Made?" }, { id: `com_${randomUUID()}` }, { id: other }];
      const { issues } = await api.post("/v1/people", { companies });
      expect(issues).toEqual([1, 2].map((i) => ({ code: "custom", path: ["companies", i, "id"] })));
      for (const wrong of [{}, { id: `com_${randomUUID()}`, name: "x" }]) {
        expect((await api.post("/v1/people", { companies: [wrong] })).issues).toEqual([
          { code: "invalid_union", path: ["companies", 0] },
        ]);
      }
      expect([(await api.get("/v1/people")).items.length, (await api.get("/v1/companies")).items]).toEqual([1, []]);
    });
  });

  describe("groups of a person (docs/guides/access.md#groups-in-writes)", () => {
    it("are kept in the order given, once each, and replaced by PATCH together with their values", async () => {
      const { api, ada, group, field } = await setUp();
      const [a, b] = [await group(ada, { name: "A" }), await group(ada, { name: "B" })];
      for (const one of [a, b]) await field(ada, one, "person", { type: "textField", name: "Note" });
      const values = { [a.id]: { Note: "a" }, [b.id]: { Note: "b" } };
      const { data } = await api.post("/v1/people", {
        groups: [{ id: b.id }, { id: a.id }, { id: b.id }],
        customFieldValues: values,
      });
      expect(data.groups).toEqual([
        { id: b.id, name: "B" },
        { id: a.id, name: "A" },
      ]);
      expect(data.customFieldValues).toEqual(values);
      const path = `/v1/people/${data.id}`;
      const without = await api.patch(path, { groups: [{ id: a.id }] });
      expect([without.data.groups, without.data.customFieldValues]).toEqual([
        [{ id: a.id, name: "A" }],
        { [a.id]: { Note: "a" } },
      ]);
      const again = await api.patch(path, { groups: [{ id: a.id }, { id: b.id }] });
      expect(again.data.customFieldValues).toEqual({ [a.id]: { Note: "a" }, [b.id]: { Note: null } });
    });

    it("that the caller cannot see stay, with their values, whatever list is sent", async () => {
      const { api, ada, user, group, field } = await setUp();
      const bob = await user("Bob Stone");
      const own = await group(ada);
      const hidden = await group(bob, { name: "Hidden" });
      await field(bob, hidden, "person", { type: "textField", name: "Note" });
      const { data } = await api.post("/v1/people", { groups: [{ id: own.id }] });
      const path = `/v1/people/${data.id}`;
      // Bob does not see Ada's group either: neither of the two takes anything away from the other.
      const byBob = await scene
        .api(bob)
        .patch(path, { groups: [{ id: hidden.id }], customFieldValues: { [hidden.id]: { Note: "kept" } } });
      expect(byBob.data.groups).toEqual([{ id: hidden.id, name: "Hidden" }]);
      expect((await api.patch(path, { groups: [] })).data).toMatchObject({ groups: [], customFieldValues: {} });
      expect((await scene.api(bob).get(path)).data).toMatchObject({
        groups: [{ id: hidden.id }],
        customFieldValues: { [hidden.id]: { Note: "kept" } },
      });
    });
  });
});
