import { describe, expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

const PALETTE = ["#5738ff", "#20cea9", "#f54e50", "#f2b934", "#879aab", "#de4a96", "#4a90e2", "#f5a623"];

describeServer("Custom fields", (scene) => {
  async function setUp(entity = "person") {
    const workspace = await scene.workspace();
    const group = await workspace.group(workspace.ada);
    const base = `/v1/groups/${group.id}/custom-fields`;
    return { ...workspace, group, api: scene.api(workspace.ada), base, path: `${base}/${entity}` };
  }

  describe("definitions (docs/guides/custom-fields.md#definitions)", () => {
    it("answer name and type, options of selects with ids and colours from the palette, and the config of numbers", async () => {
      const { api, path } = await setUp();
      const labels = Array.from({ length: 10 }, (_, i) => ({ label: ` Option ${i} ` }));
      const select = await api.post(path, {
        type: "singleSelect",
        name: " Status ",
        options: [{ label: "Own", color: "#0a0B0c" }, ...labels],
      });
      expect(select.data).toEqual({
        name: "Status",
        type: "singleSelect",
        options: [
          { id: expect.stringMatching(/^gcfo_/), label: "Own", color: "#0a0B0c" },
          ...labels.map((_, i) => ({
            id: expect.stringMatching(/^gcfo_/),
            label: `Option ${i}`,
            color: PALETTE[(i + 1) % PALETTE.length],
          })),
        ],
      });
      const number = await api.post(path, { type: "numericField", name: "Amount" });
      expect(number.data).toEqual({ name: "Amount", type: "numericField", config: { format: "default" } });
      const money = { format: "currency", currency: "EUR", decimals: 2 };
      expect((await api.post(path, { type: "numericField", name: "Money", config: money })).data.config).toEqual(money);
      expect((await api.post(path, { type: "textField", name: "Note" })).data).toEqual({
        name: "Note",
        type: "textField",
      });
      expect((await api.get(path)).items.map(({ name }) => name)).toEqual(["Status", "Amount", "Money", "Note"]);
      expect((await api.get(`${path}/Status`)).data).toEqual(select.data);
    });

    it("take options for selects only, config for numbers only, currency for the format currency only", async () => {
      const { api, path } = await setUp();
      const keys = async (body: object) => (await api.post(path, { name: "Field", ...body })).issues;
      expect(await keys({ type: "textField", options: [{ label: "A" }] })).toEqual([
        { code: "unrecognized_keys", keys: ["options"], path: [] },
      ]);
      expect(await keys({ type: "singleSelect", options: [{ label: "A" }], config: {} })).toEqual([
        { code: "unrecognized_keys", keys: ["config"], path: [] },
      ]);
      expect(await keys({ type: "multipleSelect" })).toMatchObject([
        { code: "invalid_type", path: ["options"], received: "undefined" },
      ]);
      expect(await keys({ type: "numericField", config: { format: "percent", currency: "EUR" } })).toEqual([
        { code: "unrecognized_keys", keys: ["currency"], path: ["config"] },
      ]);
      expect(await keys({ type: "numericField", config: { format: "currency" } })).toMatchObject([
        { code: "invalid_type", path: ["config", "currency"] },
      ]);
      expect(await keys({ type: "numericField", config: {} })).toMatchObject([
        { code: "invalid_type", path: ["config", "format"] },
      ]);
    });

    it("have names that are unique in group and entity after trimming and NFC, with letter case", async () => {
      const { api, base, path } = await setUp();
      const make = (name: string, at = path) => api.post(at, { type: "textField", name });
      expect((await make("Café")).status).toBe(200);
      for (const same of ["Café", "  Café ", "Cafe\u0301"])
        expect((await make(same)).issues).toEqual([{ code: "custom", path: ["name"] }]);
      expect((await make("café")).status).toBe(200);
      expect((await make("Café", `${base}/company`)).status).toBe(200);
      expect((await api.get(`${path}/${encodeURIComponent("Cafe\u0301")}`)).data.name).toBe("Café");
      expect((await api.patch(`${path}/Caf%C3%A9`, { name: "café" })).issues).toEqual([
        { code: "custom", path: ["name"] },
      ]);
      const two = {
        type: "singleSelect",
        name: "S",
        options: [{ label: "A" }, { label: "B" }, { label: " A " }, { label: "a" }],
      };
      expect((await api.post(path, two)).issues).toEqual([{ code: "custom", path: ["options", 2, "label"] }]);
    });

    it.each([
      "__proto__",
      "constructor",
      "a.b",
      "a[b]",
      "a]",
      "100%",
      "👩‍👩‍👧",
      "firstName",
      "id",
      "n".repeat(255),
      "a/b?c#d",
      "\"'\\",
    ])("may be named %j, and are read, written and shown by that name", async (name) => {
      const { api, path, group } = await setUp();
      expect((await api.post(path, { type: "textField", name })).data.name).toBe(name);
      expect((await api.get(`${path}/${encodeURIComponent(name)}`)).data.name).toBe(name);
      const values = `{"${group.id}":{${JSON.stringify(name)}:"x"}}`;
      const person = await api.request(
        "POST",
        "/v1/people",
        `{"groups":[{"id":"${group.id}"}],"customFieldValues":${values}}`,
      );
      expect(JSON.stringify(person.data.customFieldValues)).toBe(values);
      expect(JSON.stringify((await api.get(`/v1/people/${person.data.id}`)).data.customFieldValues)).toBe(values);
    });

    it("keep their values when they are renamed; the old name is then 404", async () => {
      const { api, path, group } = await setUp();
      await api.post(path, { type: "textField", name: "Old" });
      const { data } = await api.post("/v1/people", {
        groups: [{ id: group.id }],
        customFieldValues: { [group.id]: { Old: "kept" } },
      });
      expect((await api.patch(`${path}/Old`, { name: "New" })).data.name).toBe("New");
      expect((await api.get(`${path}/Old`)).status).toBe(404);
      expect((await api.get(`/v1/people/${data.id}`)).data.customFieldValues).toEqual({ [group.id]: { New: "kept" } });
    });

    it("change options as remove, update, add, with labels checked after all three; what is removed leaves the values (docs/guides/custom-fields.md#changing-a-field)", async () => {
      const { api, path, group } = await setUp();
      const { data } = await api.post(path, {
        type: "multipleSelect",
        name: "Tags",
        options: ["A", "B", "C"].map((label) => ({ label })),
      });
      const [a, b, c] = (data.options as { id: string }[]).map(({ id }) => id);
      const person = await api.post("/v1/people", {
        groups: [{ id: group.id }],
        customFieldValues: { [group.id]: { Tags: ["C", "A", "B"] } },
      });
      const changed = await api.patch(`${path}/Tags`, {
        addOptions: [{ label: "B" }],
        updateOptions: [{ id: b, label: "A", color: "#000000" }],
        removeOptions: [a],
      });
      expect(changed.data.options).toMatchObject([
        { id: b, label: "A", color: "#000000" },
        { id: c, label: "C" },
        { label: "B" },
      ]);
      const shown = async () => (await api.get(`/v1/people/${person.data.id}`)).data.customFieldValues;
      expect(await shown()).toEqual({ [group.id]: { Tags: ["C", "A"] } });
      const [first, second] = [
        await api.patch(`${path}/Tags`, { updateOptions: [{ id: b, label: "C" }] }),
        await api.patch(`${path}/Tags`, { addOptions: [{ label: "C" }] }),
      ];
      expect(first.issues).toEqual([{ code: "custom", path: ["updateOptions", 0, "label"] }]);
      expect(second.issues).toEqual([{ code: "custom", path: ["addOptions", 0, "label"] }]);
      const gone = await api.patch(`${path}/Tags`, { removeOptions: [a], updateOptions: [{ id: a, label: "X" }] });
      expect(gone.issues.map(({ path: at }) => at)).toEqual([
        ["removeOptions", 0],
        ["updateOptions", 0, "id"],
      ]);
      expect((await api.patch(`${path}/Tags`, { removeOptions: [b, c] })).status).toBe(200);
      expect(await shown()).toEqual({ [group.id]: { Tags: null } });
    });

    it("put added options last, also when options in front were removed before (docs/guides/custom-fields.md#changing-a-field)", async () => {
      const { api, path } = await setUp();
      const { data } = await api.post(path, {
        type: "singleSelect",
        name: "Stage",
        options: ["A", "B", "C", "D"].map((label) => ({ label })),
      });
      const ids = (data.options as { id: string }[]).map(({ id }) => id);
      await api.patch(`${path}/Stage`, { removeOptions: ids.slice(0, 3) });
      await api.patch(`${path}/Stage`, { addOptions: [{ label: "E" }, { label: "F" }] });
      const { options } = (await api.patch(`${path}/Stage`, { addOptions: [{ label: "G" }] })).data;
      expect(options).toMatchObject(["D", "E", "F", "G"].map((label) => ({ label })));
    });

    it("cannot change their type, nor take options or a config that go with another", async () => {
      const { api, path } = await setUp();
      await api.post(path, { type: "textField", name: "Note" });
      expect((await api.patch(`${path}/Note`, { type: "dateField" })).issues).toEqual([
        { code: "unrecognized_keys", keys: ["type"], path: [] },
      ]);
      expect((await api.patch(`${path}/Note`, { addOptions: [{ label: "A" }] })).issues).toMatchObject([
        { code: "unrecognized_keys", keys: ["addOptions"] },
      ]);
      expect((await api.patch(`${path}/Note`, { config: { format: "none" } })).issues).toMatchObject([
        { code: "unrecognized_keys", keys: ["config"] },
      ]);
    });
  });

  describe("object types (docs/guides/custom-fields.md#object-types)", () => {
    it("come from an objectField on person or company, in order of creation, and keep their name when it is renamed", async () => {
      const { api, base } = await setUp();
      for (const [entity, name] of [
        ["person", "Deals"],
        ["company", "Projects"],
        ["company", "Deals"],
      ]) {
        expect((await api.post(`${base}/${entity}`, { type: "objectField", name })).status).toBe(200);
      }
      expect((await api.post(`${base}/Deals`, { type: "objectField", name: "Parts" })).status).toBe(200);
      await api.patch(`${base}/person/Deals`, { name: "Renamed" });
      const { status, error } = await api.get(`${base}/Parts`);
      expect(status).toBe(404);
      expect(error.message).toMatch(/Available entity types are: "person", "company", "Deals", "Projects"$/);
      expect((await api.get(`${base}/deals`)).status).toBe(404);
    });

    it.each(["members", "Custom-Fields", "PERSON", " company ", "Members", "object-types", "Object-Types"])(
      "may not be named %j, in any letter case",
      async (name) => {
        const { api, base } = await setUp();
        expect((await api.post(`${base}/person`, { type: "objectField", name })).issues).toEqual([
          { code: "custom", path: ["name"] },
        ]);
        expect((await api.post(`${base}/person`, { type: "textField", name })).status).toBe(200);
      },
    );
  });
});
