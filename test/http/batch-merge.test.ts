import { beforeAll, expect, it } from "@jest/globals";
import type { TestGroup, TestWorkspace } from "../../lab/harness/world.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { outcomesOf, recordsOf, resultsOf } from "./batch-results.ts";

const ok = "succeeded";

// docs/guides/batches.md#several-records-for-one-id
describeServer("Records of one batch for the same record", (scene) => {
  let workspace: TestWorkspace;
  let api: Client;
  let group: TestGroup;
  let other: TestGroup;

  beforeAll(async () => {
    workspace = await scene.workspace();
    const { ada, group: makeGroup, field } = workspace;
    api = scene.api(ada);
    group = await makeGroup(ada);
    other = await makeGroup(ada);
    for (const home of [group, other]) {
      for (const name of ["A", "B", "é"]) await field(ada, home, "person", { type: "textField", name });
    }
  });

  const values = (home: TestGroup, sent: object) => ({ customFieldValues: { [home.id]: sent } });
  const person = async (more: object = {}) => (await api.post("/v1/people", more)).data;
  const update = (...records: object[]) => api.post("/v1/people/batch/update", { records });

  it("merge in request order: the last value of a field wins, and each entry holds the record as it ended", async () => {
    const [{ id }, { id: stranger }] = [await person({ firstName: "Ada", jobTitle: "Old" }), await person()];
    const answer = await update(
      { id, firstName: "One", emails: ["a@x", "b@x"] },
      { id: stranger, firstName: "Zoe" },
      { id, lastName: "Two", emails: ["c@x"] },
      { id, firstName: "Three" },
    );
    const results = resultsOf(answer);
    const ended = { id, firstName: "Three", lastName: "Two", fullName: "Three Two", emails: ["c@x"], jobTitle: "Old" };
    expect(results.map(({ data }) => data)).toMatchObject([ended, { id: stranger }, ended, ended]);
    expect(results[0]).toEqual(results[2]);
    expect((await api.get(`/v1/people/${id}`)).data).toEqual(results[3]?.data);
  });

  it("merge customFieldValues group by group and field by field", async () => {
    const groups = [{ id: group.id }, { id: other.id }];
    const { id } = await person({ groups, ...values(group, { A: "old", B: "old" }) });
    const answer = await update(
      { id, customFieldValues: { [group.id]: { A: "1" }, [other.id]: { A: "1" } } },
      { id, ...values(group, { B: "2" }) },
      { id, ...values(other, { A: null, B: "3" }) },
      { id, ...values(group, { A: "4" }) },
    );
    const expected = { [group.id]: { A: "4", B: "2", é: null }, [other.id]: { A: null, B: "3", é: null } };
    expect(recordsOf(answer).map(({ customFieldValues }) => customFieldValues)).toEqual(Array(4).fill(expected));
  });

  it("take the last groups, and tell removedGroups of the whole in each entry", async () => {
    const { id } = await person({ groups: [{ id: group.id }] });
    const answer = await update({ id, groups: [] }, { id, groups: [{ id: other.id }] }, { id });
    expect(resultsOf(answer).map(({ removedGroups }) => removedGroups)).toEqual(Array(3).fill([{ id: group.id }]));
    expect(recordsOf(answer)[0]?.groups).toMatchObject([{ id: other.id }]);
    // Values that one record sends for a group which another one adds are in the group afterwards.
    const values1 = values(group, { A: "1" });
    expect(outcomesOf(await update({ id, ...values1 }, { id, groups: [{ id: group.id }] }))).toEqual([ok, ok]);
  });

  it("all fail when the merged update is invalid, each with the same error at the record that sent the value; others are written", async () => {
    const [{ id }, { id: good }] = [await person({ firstName: "Ada" }), await person()];
    const answer = await update(
      { id, firstName: "New" },
      { id: good, firstName: "Good" },
      { id, companies: [{ id: `com_00000000-0000-7000-8000-000000000000` }] },
      { id, jobTitle: "x" },
    );
    const error = ["UNPROCESSABLE_ENTITY", ["records", 2, "companies", 0, "id"]];
    expect(outcomesOf(answer)).toEqual([error, ok, error, error]);
    expect((await api.get(`/v1/people/${id}`)).data).toMatchObject({ firstName: "Ada", jobTitle: "" });
  });

  it("all fail for a text that is no valid Unicode, unless a later record replaces it", async () => {
    const { id } = await person({ firstName: "Ada" });
    const error = ["UNPROCESSABLE_ENTITY", ["records", 1, "firstName"]];
    expect(outcomesOf(await update({ id, lastName: "x" }, { id, firstName: "\ud800" }))).toEqual([error, error]);
    expect(outcomesOf(await update({ id, firstName: "\ud800" }, { id, firstName: "Zoe" }))).toEqual([ok, ok]);
  });

  it("all fail when the last of them sends for a group what is no object: it replaces the values and does not merge", async () => {
    const { id } = await person({ groups: [{ id: group.id }] });
    for (const wrong of [null, "x", 5, [], ["A"]]) {
      const answer = await update(
        { id, ...values(group, { A: "1" }) },
        { id, customFieldValues: { [group.id]: wrong } },
      );
      const error = ["UNPROCESSABLE_ENTITY", ["records", 1, "customFieldValues", group.id]];
      expect([wrong, outcomesOf(answer)]).toEqual([wrong, [error, error]]);
    }
  });

  it("are told each fault at the record that sent it (docs/guides/batches.md#what-fails-one-record)", async () => {
    const { id } = await person({ groups: [{ id: group.id }] });
    const answer = await update(
      { id, ...values(group, { A: 5 }) },
      { id, ...values(group, { B: "fine", Nothing: "x" }) },
      { id, ...values(other, { A: "x" }), emails: ["fine", "\ud800"] },
    );
    const [first] = outcomesOf(answer);
    const at = (i: number, ...part: string[]) => ["records", i, "customFieldValues", ...part];
    // Faults are of several kinds here, of which only the first is told: a text that is no valid Unicode.
    expect(first).toEqual(["UNPROCESSABLE_ENTITY", ["records", 2, "emails", 1]]);
    const [ruled] = outcomesOf(
      await update(
        { id, ...values(group, { A: 5 }) },
        { id, ...values(group, { Nothing: "x" }) },
        { id, ...values(other, {}) },
      ),
    );
    expect(ruled).toEqual(["UNPROCESSABLE_ENTITY", at(0, group.id, "A"), at(1, group.id, "Nothing"), at(2, other.id)]);
  });

  it("may name it by the id of a record that was merged into it", async () => {
    const [survivor, merged] = [await person({ firstName: "Ada" }), await person({ firstName: "Old" })];
    await api.post(`/v1/people/${survivor.id}/merge`, { records: [{ id: merged.id }] });
    const answer = await update(
      { id: merged.id, jobTitle: "1" },
      { id: survivor.id, lastName: "L" },
      { id: merged.id, jobTitle: "2" },
    );
    const ended = { id: survivor.id, fullName: "Ada L", jobTitle: "2" };
    expect(recordsOf(answer)).toMatchObject([ended, ended, ended]);
    const deleted = await api.post("/v1/people/batch/delete", { records: [{ id: merged.id }, { id: survivor.id }] });
    expect(recordsOf(deleted)).toEqual([{ id: survivor.id }, { id: survivor.id }]);
  });

  it("of objects merge their values by name alone, and replace links (docs/guides/batches.md#update)", async () => {
    await api.post(`/v1/groups/${group.id}/custom-fields/person`, { type: "objectField", name: "Deals" });
    for (const name of ["A", "B"])
      await api.post(`/v1/groups/${group.id}/custom-fields/Deals`, { type: "textField", name });
    const path = `/v1/groups/${group.id}/Deals`;
    const [one, two] = [await person({ groups: [{ id: group.id }] }), await person({ groups: [{ id: group.id }] })];
    const { id } = (await api.post(path, { name: "Big", people: [{ id: one.id }, { id: two.id }] })).data;
    const answer = await api.post(`${path}/batch/update`, {
      records: [
        { id, customFieldValues: { A: "1", B: "1" } },
        { id, customFieldValues: { A: "2" }, people: [{ id: two.id }] },
      ],
    });
    const ended = { name: "Big", customFieldValues: { A: "2", B: "1" }, people: [{ id: two.id }] };
    expect(recordsOf(answer)).toMatchObject([ended, ended]);
    expect(resultsOf(answer)[0]).not.toHaveProperty("removedGroups");
  });

  it("may spell the name of one field in two ways: the last value counts (docs/guides/custom-fields.md#values-in-writes)", async () => {
    const { id } = await person({ groups: [{ id: group.id }] });
    const [composed, decomposed] = ["é".normalize("NFC"), "é".normalize("NFD")];
    const answer = await update(
      { id, ...values(group, { [composed]: "1" }) },
      { id, ...values(group, { [decomposed]: "2" }) },
    );
    expect(outcomesOf(answer)).toEqual([ok, ok]);
    const single = await api.patch(`/v1/people/${id}`, values(group, { [composed]: "3", [decomposed]: "4" }));
    expect(single.data.customFieldValues).toMatchObject({ [group.id]: { [composed]: "4" } });
    const filter = encodeURIComponent(`customFieldValues.${group.id}.${composed}`);
    expect((await api.get(`/v1/people?filter[${filter}][eq]=4`)).items).toHaveLength(1);
    expect((await api.get(`/v1/people?filter[${filter}][eq]=3`)).items).toEqual([]);
    const wrong = await update(
      { id, ...values(group, { [composed]: 5 }) },
      { id, ...values(group, { [decomposed]: "3" }) },
    );
    expect(outcomesOf(wrong)).toEqual([ok, ok]);
  });
});
