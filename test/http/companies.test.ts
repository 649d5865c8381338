import { describe, expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

describeServer("Companies", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    return { ...workspace, api: scene.api(workspace.ada) };
  }

  it("answer every field, also those that are unset (docs/guides/companies.md#fields)", async () => {
    const { api, ada } = await setUp();
    const { data } = await api.post("/v1/companies", { name: "Acme" });
    expect(data).toEqual({
      id: expect.stringMatching(/^com_[0-9a-f-]{36}$/),
      name: "Acme",
      description: "",
      fundingRaised: null,
      lastFundingDate: null,
      industry: null,
      foundationYear: null,
      employeeRange: null,
      groups: [],
      addresses: [],
      emails: [],
      phones: [],
      urls: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      createdBy: { id: ada.id, fullName: ada.fullName, email: ada.email },
      customFieldValues: {},
    });
    expect((await api.get(`/v1/companies/${data.id}`)).data).toEqual(data);
  });

  it("take numbers as numbers or texts, answer texts, and clear by null (docs/guides/companies.md#fields)", async () => {
    const { api } = await setUp();
    const full = {
      name: "Acme",
      fundingRaised: 1500000.5,
      lastFundingDate: "2024-02-29",
      industry: "",
      foundationYear: 1999,
      employeeRange: "10000+",
    };
    const { data } = await api.post("/v1/companies", full);
    expect(data).toMatchObject({ ...full, fundingRaised: "1500000.5", foundationYear: "1999" });
    const path = `/v1/companies/${data.id}`;
    expect((await api.patch(path, { fundingRaised: "0100.50", foundationYear: "2100" })).data).toMatchObject({
      fundingRaised: "100.5",
      foundationYear: "2100",
      industry: "",
    });
    const cleared = {
      fundingRaised: null,
      lastFundingDate: null,
      industry: null,
      foundationYear: null,
      employeeRange: null,
    };
    expect((await api.patch(path, cleared)).data).toMatchObject({ name: "Acme", ...cleared });
  });

  it("have exactly the documented limits (docs/guides/companies.md#fields)", async () => {
    const { api } = await setUp();
    const LIMITS: [name: string, max: number][] = [
      ["name", 1000],
      ["description", 5000],
      ["industry", 1000],
    ];
    for (const [name, max] of LIMITS) {
      expect((await api.post("/v1/companies", { name: "Acme", [name]: "x".repeat(max) })).data[name]).toHaveLength(max);
      expect((await api.post("/v1/companies", { name: "Acme", [name]: "x".repeat(max + 1) })).issues).toMatchObject([
        { code: "too_big", maximum: max, path: [name] },
      ]);
    }
    const wrong: [object, object][] = [
      [{ fundingRaised: -0.01 }, { code: "too_small", minimum: 0, type: "number" }],
      [{ fundingRaised: "1".repeat(21) }, { code: "too_big", maximum: 20, type: "string" }],
      [{ fundingRaised: "" }, { path: ["fundingRaised"] }],
      [{ foundationYear: 999 }, { code: "too_small", minimum: 1000 }],
      [{ foundationYear: "2101" }, { code: "too_big", maximum: 2100 }],
      [{ foundationYear: "1999.5" }, { path: ["foundationYear"] }],
      [{ employeeRange: "1 - 10" }, { code: "invalid_enum_value" }],
      [{ lastFundingDate: "" }, { code: "invalid_string", validation: "date" }],
      [{ name: " \n" }, { code: "too_small", minimum: 1 }],
    ];
    for (const [body, issue] of wrong)
      expect([body, (await api.post("/v1/companies", { name: "Acme", ...body })).issues]).toMatchObject([
        body,
        [issue],
      ]);
    expect((await api.post("/v1/companies", {})).issues).toEqual([
      { code: "invalid_type", expected: "string", received: "undefined", path: ["name"] },
    ]);
    for (const range of ["1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10000+"]) {
      expect((await api.post("/v1/companies", { name: "Acme", employeeRange: range })).data.employeeRange).toBe(range);
    }
  });

  describe("names (docs/guides/companies.md#unique-names)", () => {
    it("that another company has make POST an update of it, in which groups only add (docs/guides/companies.md#creating-by-name)", async () => {
      const { api, ada, group } = await setUp();
      const [a, b] = [await group(ada, { name: "A" }), await group(ada, { name: "B" })];
      const { data } = await api.post("/v1/companies", {
        name: "Acme",
        industry: "Rockets",
        emails: ["a@x"],
        groups: [{ id: a.id }],
      });
      const again = await api.post("/v1/companies", { name: "  Acme ", emails: ["b@x"], groups: [{ id: b.id }] });
      expect(again.data).toEqual({
        ...data,
        emails: ["b@x"],
        groups: [
          { id: a.id, name: "A" },
          { id: b.id, name: "B" },
        ],
        customFieldValues: { [a.id]: {}, [b.id]: {} },
      });
      expect((await api.post("/v1/companies", { name: "Acme", groups: [] })).data.groups).toHaveLength(2);
      expect((await api.get("/v1/companies")).items).toHaveLength(1);
    });

    it("are the same after NFC and trimming, and differ by letter case, width and zero-width characters", async () => {
      const { api } = await setUp();
      const first = await api.post("/v1/companies", { name: "Café" });
      expect((await api.post("/v1/companies", { name: "\u00a0Cafe\u0301\n" })).data.id).toBe(first.data.id);
      const others = ["CAFÉ", "Cafe", "Ｃafé", "Ca\u200bfé", "Ca fé"];
      for (const name of others) expect((await api.post("/v1/companies", { name })).data.name).toBe(name);
      expect((await api.get("/v1/companies")).items).toHaveLength(1 + others.length);
    });

    it("that another company has are 422 on PATCH; a company's own name in another spelling is not (docs/guides/conventions.md#400-or-422)", async () => {
      const { api } = await setUp();
      const acme = (await api.post("/v1/companies", { name: "Acme" })).data.id;
      const cafe = (await api.post("/v1/companies", { name: "Café" })).data.id;
      for (const name of ["Acme", " Acme\n"]) {
        expect((await api.patch(`/v1/companies/${cafe}`, { name, industry: "x" })).issues).toEqual([
          { code: "custom", path: ["name"] },
        ]);
      }
      expect((await api.get(`/v1/companies/${cafe}`)).data).toMatchObject({ name: "Café", industry: null });
      expect((await api.patch(`/v1/companies/${cafe}`, { name: "Cafe\u0301" })).data.name).toBe("Cafe\u0301");
      expect((await api.patch(`/v1/companies/${cafe}`, { name: "ACME" })).data.name).toBe("ACME");
      expect((await api.patch(`/v1/companies/${acme}`, { name: "Café" })).data.name).toBe("Café");
    });

    it("are free again when their company is deleted", async () => {
      const { api } = await setUp();
      const { id } = (await api.post("/v1/companies", { name: "Acme" })).data;
      await api.delete(`/v1/companies/${id}`);
      expect((await api.post("/v1/companies", { name: "Acme" })).data.id).not.toBe(id);
    });

    it("go out with the people who work there, as they are now", async () => {
      const { api } = await setUp();
      const { id } = (await api.post("/v1/companies", { name: "Acme" })).data;
      const person = await api.post("/v1/people", { companies: [{ id }] });
      await api.patch(`/v1/companies/${id}`, { name: "Globex" });
      expect((await api.get(`/v1/people/${person.data.id}`)).data.companies).toEqual([{ id, name: "Globex" }]);
    });
  });
});
