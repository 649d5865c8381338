import { expect, it } from "@jest/globals";
import type { Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { outcomesOf, recordsOf, resultsOf } from "./batch-results.ts";

// docs/guides/upsert.md#batches
describeServer("A batch of upserts", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const upsert = (path: string, match: string[], records: object[], more: object = {}) =>
      api.post(`${path}/batch/upsert`, { match, records, ...more });
    return { ...workspace, api, upsert };
  }

  it("has an entry for each record, with its operation and key, and the record as it is at its turn", async () => {
    const { api, upsert } = await setUp();
    const old = (await api.post("/v1/people", { emails: ["old@x"], jobTitle: "a" })).data;
    const answer = await upsert(
      "/v1/people",
      ["emails"],
      [
        { emails: ["new@x"], jobTitle: "1" },
        { emails: ["old@x"], jobTitle: "a" },
        { emails: ["NEW@x"], jobTitle: "2" },
        { emails: ["new@x"] },
      ],
    );
    expect(resultsOf(answer).map(({ operation, matchedBy }) => [operation, matchedBy])).toEqual([
      ["created", null],
      ["unchanged", "emails"],
      ["updated", "emails"],
      ["updated", "emails"],
    ]);
    const [first, second, third, fourth] = recordsOf(answer);
    expect([first?.id, second?.id, third?.id, fourth?.id]).toEqual([first?.id, old.id, first?.id, first?.id]);
    expect([first, third, fourth].map((one) => [one?.emails, one?.jobTitle])).toEqual([
      [["new@x"], "1"],
      [["NEW@x"], "2"],
      [["new@x"], "2"],
    ]);
    expect(await api.all("/v1/people")).toHaveLength(2);
  });

  it("sees through a chain of different keys, and what earlier records have taken away", async () => {
    const { api, upsert } = await setUp();
    const { id } = (await api.post("/v1/people", { emails: ["gone@x"], phones: ["1"] })).data;
    const answer = await upsert(
      "/v1/people",
      ["emails", "phones"],
      [
        { phones: ["1"], emails: ["kept@x"] },
        { emails: ["gone@x"] },
        { emails: ["kept@x"], phones: ["2"] },
        { phones: ["2"], jobTitle: "x" },
        { phones: ["1"], emails: ["other@x"] },
      ],
    );
    const ids = recordsOf(answer).map((one) => one.id === id);
    expect(resultsOf(answer).map(({ matchedBy }) => matchedBy)).toEqual(["phones", null, "emails", "phones", null]);
    expect(ids).toEqual([true, false, true, true, false]);
  });

  it("ends as the records one after the other would, whatever they have in common", async () => {
    const { api, upsert, user } = await setUp();
    const other = await scene.workspace();
    const alone = scene.api(other.ada);
    await user("Bob Stone");
    const pick = (seed: number, of: string[]) => of[seed % of.length] ?? "";
    const records = Array.from({ length: 60 }, (_, i) => ({
      emails: [pick(i * 7, ["a@x", "b@x", "C@x", "d@x"]), ...(i % 3 === 0 ? [pick(i * 5, ["b@x", "c@x"])] : [])],
      phones: i % 4 === 0 ? [] : [pick(i * 11, ["+1 202 555 0101", "0012025550101", "7", "8"])],
      jobTitle: String(i % 5),
    }));
    const more = { lists: "replace" };
    const together = resultsOf(await upsert("/v1/people", ["phones", "emails"], records, more));
    const shape = new Map<string, number>();
    const numbered = (id: string | undefined) => {
      if (id === undefined) return null;
      if (!shape.has(id)) shape.set(id, shape.size);
      return shape.get(id);
    };
    const seen = together.map(({ status, operation, matchedBy, data }) => [
      status,
      operation,
      matchedBy,
      numbered(data?.id),
      data?.emails,
      data?.phones,
    ]);
    shape.clear();
    for (const [i, record] of records.entries()) {
      const answer = await alone.post("/v1/people/upsert", { match: ["phones", "emails"], record, ...more });
      const { operation, matchedBy } = answer.body as { operation?: string; matchedBy?: string };
      const { id, emails, phones }: Partial<Item> = answer.status === 200 ? answer.data : {};
      const status = answer.status === 200 ? "succeeded" : "failed";
      expect([i, seen[i]]).toEqual([i, [status, operation, matchedBy, numbered(id as string), emails, phones]]);
    }
    expect(await api.all("/v1/people?limit=100")).toHaveLength((await alone.all("/v1/people?limit=100")).length);
  });

  it("makes the events in the order of its records, those of each as alone, and ids in that order", async () => {
    const { api, upsert } = await setUp();
    const since = new Date().toISOString();
    const answer = await upsert(
      "/v1/people",
      ["emails"],
      [
        { emails: ["1@x"] },
        { emails: ["1@x"], jobTitle: "x" },
        { emails: ["2@x"], companies: [{ name: "Acme" }] },
        { emails: ["1@x"], jobTitle: "x" },
        { emails: ["3@x"], companies: [{ name: "Acme" }] },
      ],
    );
    const [one, , two, , three] = recordsOf(answer).map(({ id }) => id);
    const events = (await api.get(`/v1/events?since=${since}`)).items as unknown as { type: string; data: Item }[];
    expect(events.filter(({ type }) => type !== "company.created").map(({ type, data }) => [type, data.id])).toEqual([
      ["person.created", one],
      ["person.updated", one],
      ["person.created", two],
      ["person.created", three],
    ]);
    expect((await api.all("/v1/people")).map(({ id }) => id)).toEqual([one, two, three]);
  });

  it("fails a record alone: several candidates, no value, a rule, invalid Unicode, none found", async () => {
    const { api, upsert } = await setUp();
    const twins = recordsOf(
      await api.post("/v1/people/batch/create", { records: [{ phones: ["1"] }, { phones: ["1"] }] }),
    );
    const answer = await upsert(
      "/v1/people",
      ["emails", "phones"],
      [
        { emails: ["new@x"], phones: ["1"] },
        { firstName: "No key" },
        { emails: ["ok@x"], companies: [{ id: "com_00000000-0000-7000-8000-000000000000" }] },
        { emails: ["\ud800@x"] },
        { emails: ["ok@x"] },
      ],
    );
    expect(outcomesOf(answer)).toEqual([
      ["UNPROCESSABLE_ENTITY", ["records", 0]],
      ["UNPROCESSABLE_ENTITY", ["records", 1]],
      ["UNPROCESSABLE_ENTITY", ["records", 2, "companies", 0, "id"]],
      ["UNPROCESSABLE_ENTITY", ["records", 3, "emails", 0]],
      "succeeded",
    ]);
    const [issue] = resultsOf(answer)[0]?.error?.details?.issues ?? [];
    expect(issue?.params).toEqual({ key: "phones", candidates: twins.map(({ id }) => id) });
    const update = await upsert("/v1/people", ["emails"], [{ emails: ["none@x"] }], { mode: "update" });
    expect(outcomesOf(update)).toEqual([["NOT_FOUND"]]);
    const create = await upsert("/v1/people", ["emails"], [{ emails: ["ok@x"] }], { mode: "create" });
    expect(outcomesOf(create)).toEqual([["UNPROCESSABLE_ENTITY", ["records", 0]]]);
  });

  it("warns of groups that the caller cannot see, and fails values that do not fit their field", async () => {
    const { ada, user, group, field, upsert } = await setUp();
    const hidden = await group(await user("Bob Stone"));
    const sales = await group(ada);
    await field(ada, sales, "person", { type: "numericField", name: "Number" });
    const key = `customFieldValues.${sales.id}.Number`;
    const values = (number: unknown) => ({
      groups: [{ id: sales.id }, { id: hidden.id }],
      customFieldValues: { [sales.id]: { Number: number } },
    });
    const answer = await upsert("/v1/people", [key], [values("x"), values("1.0"), values(1)]);
    expect(outcomesOf(answer)).toEqual([
      ["UNPROCESSABLE_ENTITY", ["records", 0, "customFieldValues", sales.id, "Number"]],
      "succeeded",
      "succeeded",
    ]);
    expect(resultsOf(answer)[1]?.warnings).toMatchObject([{ path: ["records", 1, "groups", 1] }]);
    expect(resultsOf(answer).map(({ operation }) => operation)).toEqual([undefined, "created", "unchanged"]);
  });

  it("finds companies of one name, and refuses a name that an earlier record has taken", async () => {
    const { upsert } = await setUp();
    const answer = await upsert(
      "/v1/companies",
      ["emails"],
      [
        { name: "Acme", emails: ["a@x"] },
        { name: " Acme", emails: ["b@x"] },
        { name: "Globex", emails: ["c@x"] },
        { name: "Acme", emails: ["c@x"] },
      ],
    );
    expect(resultsOf(answer).map(({ operation, matchedBy }) => [operation, matchedBy])).toEqual([
      ["created", null],
      ["updated", "name"],
      ["created", null],
      [undefined, undefined],
    ]);
    expect(outcomesOf(answer)[3]).toEqual(["UNPROCESSABLE_ENTITY", ["records", 3, "name"]]);
  });

  it("finds a record that other keys of more than ten records lead to", async () => {
    const { api, upsert } = await setUp();
    const records = Array.from({ length: 12 }, () => ({ phones: ["1"] }));
    const all = recordsOf(await api.post("/v1/people/batch/create", { records })).map(({ id }) => id);
    const away = all.slice(1).map((id) => ({ id, phones: [] }));
    const answer = await upsert("/v1/people", ["id", "phones"], [{ phones: ["1"] }, ...away, { phones: ["1"] }]);
    expect(outcomesOf(answer)[0]).toEqual(["UNPROCESSABLE_ENTITY", ["records", 0]]);
    expect(resultsOf(answer).at(-1)).toMatchObject({
      operation: "unchanged",
      matchedBy: "phones",
      data: { id: all[0] },
    });
  });
});
