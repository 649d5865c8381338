import { expect, it } from "@jest/globals";
import type { Answer, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

interface Operation {
  method: string;
  path: string;
  body?: unknown;
  ref?: string;
  ifMatch?: string;
}

const PLACEHOLDER = "00000000-0000-0000-0000-000000000000";

const op = (method: string, path: string, body?: unknown, more: object = {}): Operation => ({
  method,
  path,
  ...(body !== undefined && { body }),
  ...more,
});

const resultsOf = ({ status, text, data }: Answer) => {
  if (status !== 200) throw new Error(text);
  return data.results as { status: number; data: Item; etag?: string; operation?: string; matchedBy?: string | null }[];
};

const operationOf = ({ error }: Answer) => (error.details as { operation?: number } | undefined)?.operation;

/** The issues of a 422, as code and path. */
const issuesIn = (answer: Answer) => answer.issues.map(({ code, path }) => [code, path.slice(2)]);

describeServer("A transaction", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "company", { type: "objectField", name: "Deals" });
    await workspace.field(workspace.ada, group, "Deals", { type: "contactField", name: "Contacts" });
    await workspace.field(workspace.ada, group, "Deals", { type: "textField", name: "id" });
    const run = (operations: unknown[], headers?: Record<string, string>) =>
      api.post("/v1/transactions", { operations, etags: true }, headers);
    const deals = `/v1/groups/${group.id}/Deals`;
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    const note = (id: string, more: object = {}) => ({ entity: { id }, content: "x", visibility: "public", ...more });
    const call = (id: string) => ({
      entity: { id },
      title: "x",
      content: "y",
      dateTime: "2026-01-01T00:00:00.000Z",
      activityType: "call",
    });
    return { ...workspace, api, run, group, deals, made, note, call };
  }

  // docs/guides/transactions.md#operations
  it("runs every operation that it may have, each answered as alone", async () => {
    const { api, run, deals, made, note, call } = await setUp();
    const person = await made("/v1/people", { emails: ["ada@x"] });
    const twin = await made("/v1/people", { phones: ["123"] });
    const task = { entity: { id: person.id }, title: "x", dueAt: "2030-01-01" };
    const [gone, goneTask] = [await made("/v1/notes", note(person.id)), await made("/v1/tasks", task)];
    const results = resultsOf(
      await run([
        op("POST", "/v1/companies", { name: "Acme" }),
        op("POST", "/v1/companies", { name: "Acme", industry: "x" }),
        op("POST", deals, { name: "Deal" }, { ref: "deal" }),
        op("PATCH", `${deals}/$deal`, { name: "Other" }),
        op("POST", `/v1/people/${person.id}/merge`, { records: [{ id: twin.id }] }),
        op("PATCH", `/v1/people/${twin.id}`, { jobTitle: "Engineer" }),
        op("POST", "/v1/people/upsert", { match: ["emails"], record: { emails: ["ada@x"], jobTitle: "Engineer" } }),
        op("POST", "/v1/tasks", task, { ref: "task" }),
        op("PATCH", "/v1/tasks/$task", { title: "z" }),
        op("POST", "/v1/tasks/$task/mark-as-done", { completedAt: "2026-01-01T00:00:00.000Z" }),
        op("POST", "/v1/tasks/$task/mark-as-todo"),
        op("POST", "/v1/tasks/$task/mark-as-to-do", {}),
        op("POST", "/v1/notes", note(person.id), { ref: "note" }),
        op("PATCH", "/v1/notes/%24note", { content: "z" }),
        op("POST", "/v1/interactions", call(person.id), { ref: "call" }),
        op("PATCH", "/v1/interactions/$call", { entity: { id: person.id }, title: "z" }),
        op("DELETE", `/v1/interactions/$call?entity.id=${person.id}`),
        op("DELETE", `/v1/notes/${gone.id}`),
        op("DELETE", `/v1/tasks/${goneTask.id}`),
        op("DELETE", `${deals}/$deal`),
      ]),
    );
    expect(results.every(({ status }) => status === 200)).toBe(true);
    expect(results[1]?.data).toMatchObject({ id: results[0]?.data.id, industry: "x" });
    expect(results[6]).toMatchObject({ operation: "unchanged", matchedBy: "emails", data: { id: person.id } });
    const alone = [
      await api.get(`/v1/companies/${results[1]?.data.id}`),
      await api.get(`/v1/people/${person.id}`),
      await api.get(`/v1/tasks/${results[11]?.data.id}`),
      await api.get(`/v1/notes/${results[13]?.data.id}`),
    ];
    const shown = [1, 6, 11, 13].map((i) => ({ ...results[i]?.data, tag: results[i]?.etag }));
    const counted = { interactionMetadata: expect.anything() };
    expect(shown).toEqual(
      alone.map(({ data, headers }) => ({
        ...data,
        ...("interactionMetadata" in data && counted),
        tag: headers.etag,
      })),
    );
    expect(results.slice(16).map(({ data, etag }) => [data, etag])).toEqual([
      [{ id: results[14]?.data.id }, undefined],
      [{ id: gone.id }, undefined],
      [{ id: goneTask.id }, undefined],
      [{ id: results[2]?.data.id }, undefined],
    ]);
  });

  // docs/guides/transactions.md#refs
  it("puts the ids of earlier results where refs stand, and leaves other texts alone", async () => {
    const { run, deals, note } = await setUp();
    const results = resultsOf(
      await run([
        op("POST", "/v1/companies", { name: "$co" }, { ref: "co" }),
        op("POST", "/v1/people", { firstName: "$co", companies: [{ id: "$co" }] }, { ref: "A-1_b" }),
        op("POST", deals, { name: "x", customFieldValues: { Contacts: [{ id: "$A-1_b" }, { id: "$co" }], id: "$co" } }),
        op("POST", "/v1/notes", note("$co", { content: "$co" }), { ref: "note" }),
        op("POST", "/v1/notes", note("$co", { parentNote: { id: "$note" } })),
        op("DELETE", "/v1/notes/$note", undefined, { ref: "gone" }),
      ]),
    );
    const [co, person, deal, first, reply] = results.map(({ data }) => data);
    expect(co?.name).toBe("$co");
    expect(person).toMatchObject({ firstName: "$co", companies: [{ id: co?.id }] });
    expect(deal?.customFieldValues).toMatchObject({ Contacts: [{ id: person?.id }, { id: co?.id }], id: "$co" });
    expect([first?.content, reply?.parentNote]).toEqual(["$co", expect.objectContaining({ id: first?.id })]);
    expect(results[5]?.data).toEqual({ id: first?.id });
  });

  it("refuses refs of no earlier operation, refs used twice, and other forms of refs", async () => {
    const { api, run, note, deals } = await setUp();
    const maker = op("POST", "/v1/people", {}, { ref: "p" });
    const cases: [Operation, string, (string | number)[]][] = [
      [op("POST", "/v1/notes", note("$q")), "custom", ["body", "entity", "id"]],
      [op("POST", "/v1/notes", note("$P")), "custom", ["body", "entity", "id"]],
      [op("POST", "/v1/notes", note("$p "), { ref: "n" }), "custom", ["body", "entity", "id"]],
      [
        op("POST", "/v1/people", { companies: [{ id: "$own" }] }, { ref: "own" }),
        "custom",
        ["body", "companies", 0, "id"],
      ],
      [op("PATCH", "/v1/people/$q", {}), "custom", ["path"]],
      [op("DELETE", "/v1/interactions/x?entity.id=$q"), "custom", ["path"]],
      [op("POST", "/v1/people", {}, { ref: "p" }), "custom", ["ref"]],
      [op("POST", "/v1/people", {}, { ref: "" }), "too_small", ["ref"]],
      [op("POST", "/v1/people", {}, { ref: "x".repeat(65) }), "too_big", ["ref"]],
      [op("POST", "/v1/people", {}, { ref: "a b" }), "invalid_string", ["ref"]],
    ];
    for (const [operation, code, path] of cases) {
      const answer = await run([maker, operation]);
      expect([operation, answer.status, issuesIn(answer), operationOf(answer)]).toEqual([
        operation,
        422,
        [[code, path]],
        1,
      ]);
    }
    const later = await run([op("POST", "/v1/notes", note("$p")), maker]);
    expect([issuesIn(later), operationOf(later)]).toEqual([[["custom", ["body", "entity", "id"]]], 0]);
    // A type of objects may have such a name.
    expect((await run([maker, op("POST", deals.replace("Deals", "$p"), { name: "x" })])).status).toBe(404);
    expect(await api.all("/v1/people")).toEqual([]);
  });

  // docs/guides/transactions.md#what-refuses-a-transaction
  it("tells all faults of form at once, and the place of the first operation that has one", async () => {
    const { run } = await setUp();
    const id = `per_${PLACEHOLDER}`;
    const answer = await run([
      op("POST", "/v1/people", {}),
      op("POST", "/v1/people", { gender: "X", surprise: 1 }),
      { path: "/v1/people", surprise: 1 },
      "x",
      op("POST", "/v1/people", "x"),
      op("PATCH", "/v1/people/abc", {}),
      op("DELETE", `/v1/people/${id}`, { a: 1 }),
      op("POST", "/v1/companies"),
      op("DELETE", "/v1/interactions/x"),
    ]);
    expect([answer.status, operationOf(answer)]).toEqual([422, 1]);
    const places = answer.issues.map(({ code, path }) => [code, ...path.slice(1)]);
    expect(places.sort((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      ["invalid_enum_value", 1, "body", "gender"],
      ["unrecognized_keys", 1, "body"],
      ["invalid_type", 2, "method"],
      ["unrecognized_keys", 2],
      ["invalid_type", 3],
      ["invalid_type", 4, "body"],
      ["too_small", 5, "path"],
      ["unrecognized_keys", 6, "body"],
      ["invalid_type", 7, "body", "name"],
      ["invalid_type", 8, "path"],
    ]);
    for (const [operations, code] of [
      [[], "too_small"],
      [Array(101).fill(op("POST", "/v1/people", {})), "too_big"],
    ] as const) {
      const bounded = await run([...operations]);
      expect([bounded.status, bounded.issues]).toEqual([
        422,
        [expect.objectContaining({ code, path: ["operations"] })],
      ]);
    }
    expect(resultsOf(await run(Array(100).fill(op("POST", "/v1/people", {}))))).toHaveLength(100);
  });

  // docs/guides/transactions.md#operations
  it("refuses all other operations at their paths", async () => {
    const { run, deals, group } = await setUp();
    const id = `per_${PLACEHOLDER}`;
    const others = [
      op("GET", `/v1/people/${id}`),
      op("PUT", `/v1/people/${id}`, {}),
      op("post", "/v1/people", {}),
      op("POST", "/v1/people/batch/create", { records: [] }),
      op("POST", "/v1/people/search", {}),
      op("POST", `/v1/people/${id}/restore`),
      op("POST", "/v1/reminders", {}),
      op("POST", `/v1/groups/${group.id}/members`, {}),
      op("DELETE", `/v1/groups/${group.id}/members/usr_${PLACEHOLDER}`),
      op("POST", `/v1/groups/${group.id}/custom-fields/person`, {}),
      op("PATCH", `/v1/groups/${group.id}`, {}),
      op("DELETE", `${deals}/upsert`),
      op("DELETE", "/v1/interactions/past?entity.id=x"),
      op("POST", "/v1/transactions", { operations: [] }),
      op("POST", "/v1/undo", {}),
      op("POST", "/v1/people/", {}),
      op("POST", "/v1//people", {}),
      op("POST", "v1/people", {}),
      op("POST", "/v1/people?limit=1", {}),
      op("DELETE", "/v1/interactions/x?entity.id=a&entity.id=b"),
      op("PATCH", "/v1/people/%E0%A4%A", {}),
      op("DELETE", "/v1/interactions/x?entity.id=%E0%A4%A"),
    ];
    const answer = await run(others);
    expect(issuesIn(answer)).toEqual(others.map(() => ["custom", ["path"]]));
  });

  // docs/guides/transactions.md#errors
  it("leaves nothing when one fails, and answers as that one would, with its place", async () => {
    const { api, run, made, note } = await setUp();
    const person = await made("/v1/people", { jobTitle: "before" });
    const taken = await made("/v1/companies", { name: "Taken" });
    const free = await made("/v1/companies", { name: "Free" });
    const since = new Date().toISOString();
    const before = [
      op("POST", "/v1/people", { firstName: "Lost" }, { ref: "p" }),
      op("PATCH", `/v1/people/${person.id}`, { jobTitle: "after", companies: [{ name: "New" }] }),
      op("POST", "/v1/notes", note("$p")),
      op("DELETE", `/v1/companies/${taken.id}`),
      op("POST", "/v1/companies", { name: "Mine" }),
    ];
    const cases: [Operation, number, unknown[] | undefined][] = [
      [op("PATCH", `/v1/companies/${free.id}`, { name: "Mine" }), 422, ["body", "name"]],
      [op("POST", "/v1/people", { companies: [{ id: taken.id }] }), 422, ["body", "companies", 0, "id"]],
      [
        op("POST", `/v1/people/${person.id}/merge`, { records: [{ id: "$p" }, { id: "$p" }] }),
        422,
        ["body", "records", 1, "id"],
      ],
      [op("PATCH", `/v1/companies/${taken.id}`, {}), 404, undefined],
      [
        op("POST", "/v1/people/upsert", { match: ["emails"], mode: "update", record: { emails: ["x@x"] } }),
        404,
        undefined,
      ],
      [op("POST", "/v1/people/upsert", { match: ["emails"], record: {} }), 422, ["body", "record"]],
      [op("POST", "/v1/people/upsert", { match: ["nothing"], record: {} }), 422, ["body", "match", 0]],
    ];
    for (const [operation, status, path] of cases) {
      const answer = await run([...before, operation, op("POST", "/v1/people", {})]);
      expect([operation, answer.status, operationOf(answer)]).toEqual([operation, status, 5]);
      if (path) expect(answer.issues.map((issue) => issue.path)).toEqual([["operations", 5, ...path]]);
    }
    expect((await api.all("/v1/people")).map(({ jobTitle }) => jobTitle)).toEqual(["before"]);
    expect((await api.all("/v1/companies")).map(({ name }) => name)).toEqual(["Taken", "Free"]);
    expect((await api.get(`/v1/events?since=${since}`)).items).toEqual([]);
  });

  it("needs the role of each operation, and shows nothing that the caller cannot see", async () => {
    const { ada, user, group } = await scene.workspace();
    const reader = await user("Alan");
    const seen = await group(ada, { members: [[reader, "reader"]] });
    const hidden = await group(ada);
    const operations = (id: string) => [op("POST", "/v1/people", {}), op("POST", "/v1/people", { groups: [{ id }] })];
    const api = scene.api(reader);
    const [refused, missing] = [
      await api.post("/v1/transactions", { operations: operations(seen.id) }),
      await api.post("/v1/transactions", { operations: operations(hidden.id) }),
    ];
    expect([refused.status, operationOf(refused)]).toEqual([403, 1]);
    expect([missing.status, operationOf(missing), issuesIn(missing)]).toEqual([
      422,
      1,
      [["custom", ["body", "groups", 0, "id"]]],
    ]);
    expect(await api.all("/v1/people")).toEqual([]);
  });

  // docs/guides/transactions.md#conditions
  it("takes the condition of each operation, and answers 412 with the present tag, which is not saved", async () => {
    const { api, run, made } = await setUp();
    const { id } = await made("/v1/people", { jobTitle: "a" });
    const tag = String((await api.get(`/v1/people/${id}`)).headers.etag);
    const patch = (jobTitle: string, ifMatch: string) => op("PATCH", `/v1/people/${id}`, { jobTitle }, { ifMatch });
    const once = { "Idempotency-Key": "conditional" };
    const refused = await run([op("POST", "/v1/people", {}), patch("b", '"other"')], once);
    expect([refused.status, refused.headers.etag, operationOf(refused)]).toEqual([412, tag, 1]);
    const [first] = resultsOf(await run([patch("b", `"other", ${tag}`)], once));
    expect((await run([patch("c", tag)])).headers.etag).toBe(first?.etag);
    const [plain] = resultsOf(await api.post("/v1/transactions", { operations: [patch("d", "*")] }));
    expect(Object.keys(plain ?? {})).toEqual(["status", "data"]);
    resultsOf(await run([patch("c", "*")], { "If-Match": '"ignored"' }));
    const faults = await run([
      patch("d", "none"),
      op("POST", "/v1/people", {}, { ifMatch: "*" }),
      op("POST", "/v1/people/upsert", { match: ["emails"], record: { emails: ["a"] } }, { ifMatch: "*" }),
      op("DELETE", `/v1/interactions/x?entity.id=${id}`, undefined, { ifMatch: "*" }),
    ]);
    expect(issuesIn(faults)).toEqual(Array(4).fill(["custom", ["ifMatch"]]));
    expect((await api.get(`/v1/people/${id}`)).data.jobTitle).toBe("c");
  });

  it("can be previewed, and is replayed as a whole", async () => {
    const { api, run, note } = await setUp();
    const operations = [
      op("POST", "/v1/people", { firstName: "A" }, { ref: "p" }),
      op("POST", "/v1/notes", note("$p")),
    ];
    const since = new Date().toISOString();
    const dry = await run(operations, { "Dry-Run": "true" });
    const { data, changes } = dry.body as { data: { results: object[] }; changes: { type: string }[] };
    expect(changes.map(({ type }) => type)).toEqual(["person.created", "note.created"]);
    expect(data.results.map((result) => Object.keys(result))).toEqual(Array(2).fill(["status", "data"]));
    expect(await api.all("/v1/people")).toEqual([]);
    const once = { "Idempotency-Key": "whole" };
    const first = await run(operations, once);
    const again = await run(operations, once);
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
    const events = (await api.get(`/v1/events?since=${since}`)).items;
    expect(events.map(({ type }) => type)).toEqual(["person.created", "note.created"]);
  });

  it("makes the events of its operations in their order", async () => {
    const { api, run } = await setUp();
    const since = new Date().toISOString();
    const results = resultsOf(
      await run([
        op("POST", "/v1/people", { firstName: "A" }, { ref: "a" }),
        op("POST", "/v1/companies", { name: "Acme" }),
        op("PATCH", "/v1/people/$a", { jobTitle: "x", companies: [{ name: "Other" }] }),
        op("PATCH", "/v1/people/$a", { jobTitle: "y" }),
        op("DELETE", "/v1/people/$a"),
      ]),
    );
    const events = (await api.get(`/v1/events?since=${since}`)).items as unknown as { type: string; data: Item }[];
    expect(events.map(({ type }) => type)).toEqual([
      "person.created",
      "company.created",
      "company.created",
      "person.updated",
      "person.updated",
      "person.deleted",
    ]);
    expect(events[4]?.data.changes).toMatchObject([{ path: ["jobTitle"], value: "y" }]);
    expect(results[2]?.data.companies).toMatchObject([{ name: "Other" }]);
  });

  it("takes large bodies, and numbers exactly as they are written", async () => {
    const { ada, field, group, deals, note } = await setUp();
    const api = scene.patientApi(ada);
    await field(ada, group, "Deals", { type: "numericField", name: "Number" });
    const number = "12345678901234567890.5";
    const operations = [
      op("POST", deals, { name: "x", customFieldValues: { Number: "N" } }, { ref: "deal" }),
      ...Array.from({ length: 30 }, () => op("POST", "/v1/notes", note("$deal", { content: "x".repeat(100_000) }))),
    ];
    const body = JSON.stringify({ operations }).replace('"N"', number);
    const results = resultsOf(await api.post("/v1/transactions", body));
    expect(results[0]?.data.customFieldValues).toMatchObject({ Number: number });
    const tooLong = [...operations.slice(1, 15), ...operations.slice(1), ...operations.slice(1, 15)];
    const answer = await api.post("/v1/transactions", {
      operations: [op("POST", deals, { name: "y" }, { ref: "deal" }), ...tooLong],
    });
    expect([answer.status, answer.issues]).toEqual([422, [expect.objectContaining({ path: ["operations"] })]]);
    expect(await api.all(deals)).toHaveLength(1);
  });

  it("shows the names that the operations before it have given", async () => {
    const { run } = await setUp();
    const results = resultsOf(
      await run([
        op("POST", "/v1/companies", { name: "Old" }, { ref: "co" }),
        op("POST", "/v1/people", { firstName: "A", companies: [{ id: "$co" }] }, { ref: "p" }),
        op("PATCH", "/v1/companies/$co", { name: "New" }),
        op("PATCH", "/v1/people/$p", { jobTitle: "x" }),
      ]),
    );
    expect(results[3]?.data.companies).toMatchObject([{ name: "New" }]);
  });
});

// docs/guides/transactions.md#at-the-same-time
describeServer("Transactions at the same moment", (scene) => {
  const CROSSING = 8;

  it("never fail each other, whatever the order of their operations", async () => {
    const workspace = await scene.workspace();
    const api = scene.patientApi(workspace.ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data.id;
    const people = [await made("/v1/people", {}), await made("/v1/people", {})];
    const companies = [await made("/v1/companies", { name: "A" }), await made("/v1/companies", { name: "B" })];
    const operationsOf = (i: number): Operation[] => [
      ...people.map((id) => op("PATCH", `/v1/people/${id}`, { jobTitle: `${i}` })),
      ...companies.map((id) => op("POST", "/v1/people", { companies: [{ id }] })),
      ...companies.map((id) => op("PATCH", `/v1/companies/${id}`, { industry: `${i}` })),
      ...["x@x", "y@x"].map((email) =>
        op("POST", "/v1/people/upsert", { match: ["emails"], record: { emails: [email] } }),
      ),
      ...["New", "Newer"].map((name) => op("POST", "/v1/companies", { name })),
    ];
    const answers = await Promise.all(
      Array.from({ length: CROSSING }, (_, i) => {
        const operations = operationsOf(i);
        return api.post("/v1/transactions", { operations: i % 2 === 0 ? operations : operations.reverse() });
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(CROSSING).fill(200));
    const all = await api.all("/v1/people");
    expect(all.flatMap(({ emails }) => emails as string[]).sort()).toEqual(["x@x", "y@x"]);
    expect(await api.all("/v1/companies")).toHaveLength(4);
    const titles = (await Promise.all(people.map((id) => api.get(`/v1/people/${id}`)))).map(
      ({ data }) => data.jobTitle,
    );
    expect(new Set(titles).size).toBe(1);
  });
});
