import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TestWorkspace } from "../../../lab/harness/world.ts";
import { type ContactWorkspaceClient, ContactWorkspaceError, paginate, unwrap, unwrapAnswer } from "../src/index.ts";
import { type ClientWorld, startClientWorld } from "./client-world.ts";

let world: ClientWorld;
let workspace: TestWorkspace;
let client: ContactWorkspaceClient;

beforeAll(async () => {
  world = await startClientWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  workspace = await world.workspace();
  client = world.clientOf(workspace.ada);
  world.proxy.arrived.length = 0;
});

const makePerson = (fullName: string) => unwrapAnswer(client.POST("/v1/people", { body: { fullName } }));
const pathOf = ({ data }: { data: { id: string } }) => ({ path: { personId: data.id } });
const headersOfLast = () => world.proxy.arrived.at(-1)?.headers ?? {};

describe("A preview (docs/guides/preview.md)", () => {
  it("is asked for by dryRun, tells the changes and keeps nothing", async () => {
    const body = { fullName: "Grace Hopper" };
    const tried = await unwrapAnswer(client.POST("/v1/people", { dryRun: true, body }));
    expect([tried.data.fullName, tried.etag, tried.changes?.map(({ type }) => type)]).toEqual([
      ...["Grace Hopper", undefined, ["person.created"]],
    ]);
    expect((await unwrap(client.GET("/v1/people"))).items).toEqual([]);
    const made = await unwrapAnswer(client.POST("/v1/people", { dryRun: false, body }));
    expect(made).not.toHaveProperty("changes");
    expect(headersOfLast()).not.toHaveProperty("dry-run");
    expect((await unwrap(client.GET("/v1/people"))).items).toHaveLength(1);
  });

  it("leaves the headers of the call as they are", async () => {
    const header = { "Idempotency-Key": "once", "X-API-Version": "2025-05-26" } as const;
    await unwrap(client.POST("/v1/people", { dryRun: true, params: { header }, body: {} }));
    expect(headersOfLast()).toMatchObject({
      ...{ "dry-run": "true", "idempotency-key": "once", "x-api-version": "2025-05-26" },
    });
  });
});

describe("A version (docs/guides/versions.md)", () => {
  it("is the etag of each answer with one record, and of no list", async () => {
    const made = await makePerson("Ada");
    expect(made.etag).toMatch(/^".+"$/);
    const read = await client.GET("/v1/people/{personId}", { params: pathOf(made) });
    expect([read.etag, (await client.GET("/v1/people")).etag]).toEqual([made.etag, undefined]);
  });

  it("is the condition of a write with ifMatch, and a 412 tells the present one", async () => {
    const made = await makePerson("Ada");
    const params = pathOf(made);
    const change = (ifMatch: string | string[], jobTitle: string) =>
      unwrapAnswer(client.PATCH("/v1/people/{personId}", { params, ifMatch, body: { jobTitle } }));
    const changed = await change(made.etag ?? "", "Analyst");
    const refused = await change(made.etag ?? "", "Poet").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ContactWorkspaceError);
    expect(refused).toMatchObject({ status: 412, code: "PRECONDITION_FAILED", etag: changed.etag });
    expect((await change([made.etag ?? "", changed.etag ?? ""], "Poet")).data.jobTitle).toBe("Poet");
    expect(headersOfLast()["if-match"]).toBe(`${made.etag}, ${changed.etag}`);
    await unwrap(client.DELETE("/v1/people/{personId}", { params, ifMatch: "*" }));
  });

  it.each([
    ["undefined", undefined],
    ["empty", ""],
    ["an empty list", []],
  ])("that is %s is refused, since the write would have no condition", async (_, version) => {
    const params = { path: { personId: "per_1" } };
    await expect(client.DELETE("/v1/people/{personId}", { params, ifMatch: version })).rejects.toThrow(TypeError);
    expect(world.proxy.arrived).toEqual([]);
  });
});

describe("An upsert (docs/guides/upsert.md)", () => {
  it("tells beside the record what it did, and what has found the record", async () => {
    const upsert = (jobTitle: string) =>
      unwrapAnswer(
        client.POST("/v1/people/upsert", {
          body: { match: ["emails"], record: { emails: ["ada@example.test"], jobTitle }, lists: "add" },
        }),
      );
    const [made, changed] = [await upsert("Analyst"), await upsert("Poet")];
    expect([made.operation, made.matchedBy]).toEqual(["created", null]);
    expect([changed.operation, changed.matchedBy, changed.data.id]).toEqual(["updated", "emails", made.data.id]);
    expect(changed.etag).not.toBe(made.etag);
  });

  it("of many tells it of each", async () => {
    const records = [{ name: "Acme" }, { name: "Acme", industry: "Anvils" }];
    const { results } = await unwrap(client.POST("/v1/companies/batch/upsert", { body: { match: ["name"], records } }));
    expect(results.map((one) => one.status === "succeeded" && one.operation)).toEqual(["created", "updated"]);
  });
});

describe("A transaction (docs/guides/transactions.md)", () => {
  const operations = [
    { method: "POST" as const, path: "/v1/people", body: { fullName: "Ada" }, ref: "ada" },
    { method: "PATCH" as const, path: "/v1/people/$ada", body: { jobTitle: "Analyst" } },
  ];

  it("can be tried, and gives a result with a version for each operation", async () => {
    const tried = await unwrapAnswer(client.POST("/v1/transactions", { dryRun: true, body: { operations } }));
    expect(tried.changes?.map(({ type }) => type)).toEqual(["person.created", "person.updated"]);
    expect((await unwrap(client.GET("/v1/people"))).items).toEqual([]);
    const { data, requestId = "" } = await unwrapAnswer(
      client.POST("/v1/transactions", { body: { operations, etags: true } }),
    );
    const [made, changed] = data.results;
    expect([changed?.data.id, made?.etag === changed?.etag]).toEqual([made?.data.id, false]);
    expect((await unwrap(client.POST("/v1/undo", { body: { requestId } }))).undone).toBe(1);
    expect((await unwrap(client.GET("/v1/people"))).items).toEqual([]);
  });

  it("writes nothing when the version of one operation is another one", async () => {
    const made = await makePerson("Grace");
    const conditional = {
      ...{ method: "PATCH" as const, path: `/v1/people/${made.data.id}`, body: { jobTitle: "Poet" } },
      ifMatch: '"other"',
    };
    const body = { operations: [...operations, conditional] };
    const refused = await unwrap(client.POST("/v1/transactions", { body })).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 412, etag: made.etag });
    expect((await unwrap(client.GET("/v1/people"))).items).toHaveLength(1);
  });
});

describe("The past of a record (docs/guides/history-and-undo.md)", () => {
  it("is a list like others, and the trash is one too", async () => {
    const made = await makePerson("Ada");
    const params = pathOf(made);
    for (const jobTitle of ["Analyst", "Poet"])
      await unwrap(client.PATCH("/v1/people/{personId}", { params, body: { jobTitle } }));
    const history = paginate(client, "/v1/people/{personId}/history", { params: { ...params, query: { limit: 1 } } });
    const told: unknown[] = [];
    for await (const { action, source, user, changes } of history)
      told.push([action, source, user?.id, changes.map(({ path, after }) => [...path, after])]);
    expect(told).toEqual([
      ["updated", "api", workspace.ada.id, [["jobTitle", "Poet"]]],
      ["updated", "api", workspace.ada.id, [["jobTitle", "Analyst"]]],
      ["created", "api", workspace.ada.id, expect.any(Array)],
    ]);
    await unwrap(client.DELETE("/v1/people/{personId}", { params }));
    const lost: string[] = [];
    for await (const { id } of paginate(client, "/v1/trash", { params: { query: { type: ["person"] } } }))
      lost.push(id);
    expect(lost).toEqual([made.data.id]);
    const restored = await unwrapAnswer(client.POST("/v1/people/{personId}/restore", { params }));
    expect([restored.data.id, restored.data.jobTitle]).toEqual([made.data.id, "Poet"]);
    expect(restored.etag).toMatch(/^"/);
  });

  it("is taken back by the id of a request, or by a time", async () => {
    const made = await makePerson("Ada");
    const { requestId = "" } = made;
    const tried = await unwrapAnswer(client.POST("/v1/undo", { dryRun: true, body: { requestId } }));
    expect([tried.data.undone, tried.changes?.map(({ type }) => type)]).toEqual([1, ["person.deleted"]]);
    expect(await unwrap(client.POST("/v1/undo", { body: { requestId } }))).toEqual({ undone: 1, skipped: [] });
    const body = { since: "2020-01-01", userId: workspace.ada.id };
    expect((await unwrap(client.POST("/v1/undo", { body }))).skipped).toEqual([]);
    const { response } = await client.GET("/v1/people/{personId}", { params: pathOf(made) });
    expect(response.status).toBe(404);
  });
});
