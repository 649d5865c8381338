import { expect, it } from "@jest/globals";
import { newUuid, toId } from "../../base/values/ids.ts";
import { describeServer } from "../support/scene.ts";
import { outcomesOf, recordsOf, resultsOf } from "./batch-results.ts";

const ok = "succeeded";

// docs/guides/batches.md#create, docs/guides/batches.md#unique-names
describeServer("Companies in a batch", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const create = (...records: object[]) => api.post("/v1/companies/batch/create", { records });
    const update = (...records: object[]) => api.post("/v1/companies/batch/update", { records });
    const named = async (...names: string[]) => recordsOf(await create(...names.map((name) => ({ name }))));
    const names = async () => (await api.all("/v1/companies?limit=100")).map(({ name }) => name);
    return { ...workspace, api, create, update, named, names };
  }

  it("update the company that has their name already; each entry says created or updated and holds the full company (docs/guides/batches.md#create)", async () => {
    const { api, create } = await setUp();
    const acme = (await api.post("/v1/companies", { name: "Acme", description: "Old", emails: ["a@x"] })).data;
    const answer = await create({ name: " Acme ", industry: "Steel" }, { name: "Brand new" }, { name: "acme" });
    expect(resultsOf(answer)).toEqual([
      { status: ok, operation: "updated", data: { ...acme, industry: "Steel" } },
      { status: ok, operation: "created", data: expect.objectContaining({ name: "Brand new", description: "" }) },
      { status: ok, operation: "created", data: expect.objectContaining({ name: "acme" }) },
    ]);
    expect((await api.get("/v1/companies")).items).toEqual(recordsOf(answer));
  });

  it("that share a name end as one: the first is created, the others updated, the last value of a field wins (docs/guides/batches.md#create)", async () => {
    const { api, create } = await setUp();
    const answer = await create(
      { name: "New", description: "1", emails: ["1@x"] },
      { name: "Other" },
      { name: "New ", description: "2" },
      { name: "New", industry: "3" },
    );
    const operations = resultsOf(answer).map(({ operation }) => operation);
    expect(operations).toEqual(["created", "created", "updated", "updated"]);
    const [one, , three, four] = recordsOf(answer);
    expect(one).toMatchObject({ name: "New", description: "2", emails: ["1@x"], industry: "3" });
    expect([three, four]).toEqual([one, one]);
    expect((await api.get("/v1/companies")).items).toHaveLength(2);
  });

  it("whose names are equal after NFC are one (docs/guides/values.md#text)", async () => {
    const { create, names } = await setUp();
    const answer = await create({ name: "Café" }, { name: "Cafe\u0301" }, { name: "CAFÉ" });
    expect(resultsOf(answer).map(({ operation }) => operation)).toEqual(["created", "updated", "created"]);
    expect(await names()).toHaveLength(2);
  });

  it("are only added to groups on create, to those of all records of their name (docs/guides/batches.md#create)", async () => {
    const { api, ada, group, create } = await setUp();
    const [one, two, three] = [await group(ada), await group(ada), await group(ada)];
    const refs = (...groups: { id: string }[]) => groups.map(({ id }) => ({ id }));
    await api.post("/v1/companies", { name: "Acme", groups: refs(one) });
    const answer = await create({ name: "Acme", groups: refs(two) }, { name: "Acme", groups: refs(three, two) });
    expect(recordsOf(answer)[1]?.groups).toMatchObject(refs(one, two, three));
    expect(resultsOf(answer)[0]).not.toHaveProperty("removedGroups");
    expect(recordsOf(await create({ name: "Acme", groups: [] }))[0]?.groups).toHaveLength(3);
  });

  it("fail together when they name more groups than a record may, each record fewer (docs/guides/limits.md#sizes)", async () => {
    const { create } = await setUp();
    const groups = () => Array.from({ length: 51 }, () => ({ id: toId("group", newUuid()) }));
    const answer = await create({ name: "Crowded", groups: groups() }, { name: "Crowded", groups: groups() });
    const error = ["UNPROCESSABLE_ENTITY", ["records", 1, "groups"]];
    expect(outcomesOf(answer)).toEqual([error, error]);
  });

  it("of one name may name the same groups again and again: a double counts once (docs/guides/values.md#lists-in-bodies)", async () => {
    const { ada, group, create } = await setUp();
    const groups = [await group(ada), await group(ada)].map(({ id }) => ({ id }));
    const answer = await create(...Array.from({ length: 51 }, () => ({ name: "Repeated", groups })));
    expect(outcomesOf(answer)).toEqual(Array(51).fill(ok));
    expect(resultsOf(answer)[50]?.data?.groups).toHaveLength(2);
  });

  it("of one name have the warnings of all their records, each at its own place (docs/guides/batches.md#warnings)", async () => {
    const { ada, group, user, create } = await setUp();
    const [own, hidden] = [await group(ada), await group(await user("Bob Stone"))];
    const answer = await create(
      { name: "New", groups: [{ id: own.id }, { id: hidden.id }] },
      { name: "New", groups: [{ id: hidden.id }] },
    );
    const paths = resultsOf(answer)[1]?.warnings?.map(({ path }) => path);
    expect(paths).toEqual([
      ["records", 0, "groups", 1],
      ["records", 1, "groups", 0],
    ]);
  });

  it("that share a new name all fail when the merged record is invalid (docs/guides/batches.md#create)", async () => {
    const { create, names } = await setUp();
    const answer = await create({ name: "Bad" }, { name: "Bad", industry: "\ud800" }, { name: "Good" });
    const error = ["UNPROCESSABLE_ENTITY", ["records", 1, "industry"]];
    expect(outcomesOf(answer)).toEqual([error, error, ok]);
    expect(await names()).toEqual(["Good"]);
  });

  it("fail alone for a name that is no valid Unicode; a record without a name refuses the whole batch (docs/guides/batches.md#what-fails-one-record, docs/guides/batches.md#what-refuses-the-whole-batch)", async () => {
    const { api, create, names } = await setUp();
    const answer = await create({ name: "a\u0000" }, { name: "\ud800" }, { name: "Good" });
    const error = (i: number) => ["UNPROCESSABLE_ENTITY", ["records", i, "name"]];
    expect(outcomesOf(answer)).toEqual([error(0), error(1), ok]);
    const refused = await create({ name: "Other" }, {}, { name: "  " }, { name: "x".repeat(1001) });
    expect(refused.issues.map(({ code, path }) => [code, ...path])).toEqual([
      ["invalid_type", "records", 1, "name"],
      ["too_small", "records", 2, "name"],
      ["too_big", "records", 3, "name"],
    ]);
    expect(await names()).toEqual(["Good"]);
    expect((await api.get("/v1/companies")).items).toHaveLength(1);
  });

  it("fail alone for a name that is no valid Unicode, also beside a name that holds the replacement character (docs/guides/batches.md#create)", async () => {
    const { create, names } = await setUp();
    const answer = await create({ name: "A\ufffd" }, { name: "A\ud800" }, { name: "A\udc00" });
    const error = (i: number) => ["UNPROCESSABLE_ENTITY", ["records", i, "name"]];
    expect(outcomesOf(answer)).toEqual([ok, error(1), error(2)]);
    expect(await names()).toEqual(["A\ufffd"]);
  });

  it("renamed to the name of another company fail, also when that one is renamed in the same batch (docs/guides/batches.md#unique-names)", async () => {
    const { named, update, names } = await setUp();
    const [a, b, c] = await named("A", "B", "C");
    const answer = await update(
      { id: a?.id, name: "B" },
      { id: b?.id, name: "X" },
      { id: c?.id, name: "A", industry: "y" },
    );
    const taken = (i: number) => ["UNPROCESSABLE_ENTITY", ["records", i, "name"]];
    expect(outcomesOf(answer)).toEqual([taken(0), ok, taken(2)]);
    expect(resultsOf(answer)[0]?.error).toMatchObject({ message: expect.stringContaining("B") });
    expect(resultsOf(answer)[0]?.error?.details?.issues).toMatchObject([{ code: "custom" }]);
    expect(await names()).toEqual(["A", "X", "C"]);
  });

  it("renamed in a circle all fail: each keeps its name while the batch is checked (docs/guides/batches.md#unique-names)", async () => {
    const { named, update, names } = await setUp();
    const [a, b] = await named("A", "B");
    const answer = await update({ id: a?.id, name: "B" }, { id: b?.id, name: "A" });
    expect(outcomesOf(answer).map((outcome) => [outcome].flat()[0])).toEqual(Array(2).fill("UNPROCESSABLE_ENTITY"));
    expect(await names()).toEqual(["A", "B"]);
  });

  it("renamed to the same new name all fail; several records of one company count as one (docs/guides/batches.md#unique-names)", async () => {
    const { named, update, names } = await setUp();
    const [a, b, c] = await named("A", "B", "C");
    const answer = await update(
      { id: a?.id, name: "Same" },
      { id: b?.id, name: " Same " },
      { id: c?.id, name: "Own" },
      { id: a?.id, industry: "x" },
    );
    const failed = (i: number) => ["UNPROCESSABLE_ENTITY", ["records", i, "name"]];
    expect(outcomesOf(answer)).toEqual([failed(0), failed(1), ok, failed(0)]);
    const both = await update({ id: a?.id, name: "Once" }, { id: a?.id, name: "Once" });
    expect(outcomesOf(both)).toEqual([ok, ok]);
    expect(await names()).toEqual(["Once", "B", "Own"]);
  });

  it("that change other fields, or send the name they have, succeed although another record wants that name (docs/guides/batches.md#unique-names)", async () => {
    const { named, update, names } = await setUp();
    const [a, b] = await named("A", "B");
    const taken = (i: number) => ["UNPROCESSABLE_ENTITY", ["records", i, "name"]];
    const changed = await update({ id: a?.id, industry: "x" }, { id: b?.id, name: "A" });
    expect(outcomesOf(changed)).toEqual([ok, taken(1)]);
    const sent = await update({ id: b?.id, name: " A" }, { id: a?.id, name: "A", industry: "y" });
    expect(outcomesOf(sent)).toEqual([taken(0), ok]);
    expect(await names()).toEqual(["A", "B"]);
  });

  it("take a name that differs from another's by letter case only, and the name they have (docs/guides/batches.md#unique-names)", async () => {
    const { named, update, names } = await setUp();
    const [a, b] = await named("Acme", "B");
    expect(outcomesOf(await update({ id: b?.id, name: "ACME" }, { id: a?.id, name: "Acme" }))).toEqual([ok, ok]);
    expect(outcomesOf(await update({ id: a?.id, name: " Acme " }))).toEqual([ok]);
    expect(await names()).toEqual(["Acme", "ACME"]);
  });

  it("that fail for another reason leave the name they wanted to others (docs/guides/batches.md#unique-names)", async () => {
    const { named, update, names } = await setUp();
    const [a, b] = await named("A", "B");
    const answer = await update({ id: a?.id, name: "Same", industry: "\ud800" }, { id: b?.id, name: "Same" });
    expect(outcomesOf(answer)).toEqual([["UNPROCESSABLE_ENTITY", ["records", 0, "industry"]], ok]);
    expect(await names()).toEqual(["A", "Same"]);
  });

  it("have no operation in their entries on update and delete (docs/guides/batches.md#entries)", async () => {
    const { api, named, update } = await setUp();
    const [a] = await named("A");
    expect(resultsOf(await update({ id: a?.id }))).toEqual([{ status: ok, data: a, removedGroups: [] }]);
    const deleted = await api.post("/v1/companies/batch/delete", { records: [{ id: a?.id }] });
    expect(resultsOf(deleted)).toEqual([{ status: ok, data: { id: a?.id } }]);
  });
});
