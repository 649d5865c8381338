import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import type { Answer, Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const DRY = { "Dry-Run": "true" };

interface Change {
  type: string;
  data: Item & { changes?: { path: string[] }[] };
}

const changesOf = ({ body }: Answer) => (body as { changes: Change[] }).changes;
const typesOf = (answer: Answer) => changesOf(answer).map(({ type }) => type);

// docs/guides/preview.md. Every operation is tried in test/contract/previews.slow.test.ts.
describeServer("A preview", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    return { ...workspace, api, made };
  }

  // docs/guides/preview.md#the-header
  it("is asked for by true in lower case, once; any other value is 400, and nothing is run", async () => {
    const { api } = await setUp();
    for (const value of ["", "True", "TRUE", "1", "false", "true, true", ["true", "true"], ["true", "false"]]) {
      const answer = await api.post("/v1/people", {}, { "Dry-Run": value });
      expect([value, answer.status, answer.error.code]).toEqual([value, 400, "INVALID_REQUEST"]);
      const webhook = await api.post("/v1/webhooks", {}, { "Dry-Run": value });
      expect([value, webhook.status]).toEqual([value, 400]);
    }
    expect(await api.all("/v1/people")).toEqual([]);
  });

  it("is ignored by reads, whatever its value", async () => {
    const { api, made } = await setUp();
    const { id } = await made("/v1/people", {});
    for (const value of ["true", "nonsense"]) {
      const header = { "Dry-Run": value };
      const answers = [
        await api.get(`/v1/people/${id}`, header),
        await api.get("/v1/people", header),
        await api.request("HEAD", "/v1/people", undefined, header),
        await api.post("/v1/people/search", {}, header),
      ];
      expect(answers.map(({ status, headers }) => [status, headers["dry-run"]])).toEqual(
        answers.map(() => [200, undefined]),
      );
    }
  });

  // docs/guides/preview.md#the-answer
  it("has the header also when it is refused, from the check of the key on", async () => {
    const { api, key, ada } = await setUp();
    const readOnly = scene.api((await key(ada, { access: "read" })).key);
    const send = (by: Client) => by.post("/v1/people", {}, DRY);
    const answers = [
      await send(readOnly),
      await api.post("/v1/people", { nothing: 1 }, DRY),
      await api.post("/v1/people", "{", DRY),
      await api.patch("/v1/people/per_01a00000-0000-7000-8000-000000000000", {}, DRY),
    ];
    expect(answers.map(({ status, headers }) => [status, headers["dry-run"]])).toEqual(
      [403, 422, 400, 404].map((status) => [status, "true"]),
    );
    for (const { body } of answers) expect(body).not.toHaveProperty("changes");
  });

  // docs/guides/preview.md#what-a-preview-does
  it("neither takes nor replays an Idempotency-Key, and refuses a malformed one", async () => {
    const { api } = await setUp();
    const once = { "Idempotency-Key": "once" };
    expect((await api.post("/v1/people", { firstName: "Other" }, { ...once, ...DRY })).status).toBe(200);
    const real = await api.post("/v1/people", { firstName: "A" }, once);
    expect([real.status, real.headers["idempotent-replayed"]]).toEqual([200, undefined]);
    const tried = await api.post("/v1/people", { firstName: "B" }, { ...once, ...DRY });
    expect([tried.data.firstName, tried.headers["idempotent-replayed"]]).toEqual(["B", undefined]);
    const malformed = await api.post("/v1/people", {}, { "Idempotency-Key": "a b", ...DRY });
    expect([malformed.status, malformed.error.code]).toEqual([400, "IDEMPOTENCY_KEY_INVALID"]);
    expect(await api.all("/v1/people")).toHaveLength(1);
  });

  it("takes If-Match, and is marked in the request log", async () => {
    const { api, made } = await setUp();
    const { id } = await made("/v1/people", {});
    const path = `/v1/people/${id}`;
    const { etag } = (await api.get(path)).headers;
    const tried = await api.patch(path, { jobTitle: "x" }, { ...DRY, "If-Match": etag });
    expect([tried.status, tried.data.jobTitle, tried.headers.etag]).toEqual([200, "x", undefined]);
    const stale = await api.patch(path, { jobTitle: "x" }, { ...DRY, "If-Match": '"stale"' });
    expect([stale.status, stale.headers.etag]).toEqual([412, etag]);
    expect((await api.get(path)).headers.etag).toBe(etag);
    const logged = async () => (await api.get("/v1/request-logs?limit=100")).items.filter(({ dryRun }) => dryRun);
    await until("both previews are logged", async () => (await logged()).length === 2);
    expect((await logged()).map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it("tells what a merge, a deletion and an undo would do, and each as the write does then", async () => {
    const { api, made } = await setUp();
    const company = await made("/v1/companies", { name: "Acme" });
    const other = await made("/v1/companies", { name: "Acme Ltd", industry: "Anvils" });
    const person = await made("/v1/people", { companies: [{ id: other.id }, { name: "Third" }] });
    for (const { id } of [other, person])
      await made("/v1/notes", { entity: { id }, visibility: "public", content: "x" });
    const events = async () => (await api.all("/v1/events?limit=100")) as unknown as Change[];
    async function expectSame(send: (headers?: object) => Promise<Answer>): Promise<Answer> {
      const before = await events();
      const tried = await send(DRY);
      expect(await events()).toEqual(before);
      const real = await send();
      expect([tried.status, tried.data]).toEqual([200, real.data]);
      const told = (await events()).slice(before.length).map(({ type, data }) => ({ type, data }));
      expect(changesOf(tried)).toEqual(told);
      return real;
    }
    const merge = await expectSame((headers = {}) =>
      api.post(`/v1/companies/${company.id}/merge`, { records: [{ id: other.id }] }, { ...headers }),
    );
    const requestId = String(merge.headers["x-request-id"]);
    await expectSame((headers = {}) => api.post("/v1/undo", { requestId }, { ...headers }));
    await expectSame((headers = {}) => api.delete(`/v1/people/${person.id}`, undefined, { ...headers }));
    await expectSame((headers = {}) => api.post(`/v1/people/${person.id}/restore`, {}, { ...headers }));
  });

  it("has only the changes that the caller may see", async () => {
    const { api, ada, made, user, group, field } = await setUp();
    const bob = scene.api(await user("Bob"));
    const hidden = await group(ada);
    await field(ada, hidden, "person", { type: "textField", name: "Text" });
    const { id } = await made("/v1/people", {
      groups: [{ id: hidden.id }],
      customFieldValues: { [hidden.id]: { Text: "secret" } },
    });
    const note = await made("/v1/notes", { entity: { id }, visibility: "private", content: "secret" });
    const tried = await bob.delete(`/v1/people/${id}`, undefined, DRY);
    expect(typesOf(tried)).toEqual(["person.deleted"]);
    expect(typesOf(await api.delete(`/v1/people/${id}`, undefined, DRY)).sort()).toEqual([
      "note.deleted",
      "person.deleted",
    ]);
    expect(tried.text).not.toMatch(new RegExp(`secret|${hidden.id}|${note.id}`));
    const created = await bob.post("/v1/people", { firstName: "A" }, DRY);
    expect(typesOf(created)).toEqual(["person.created"]);
    await api.delete(`/v1/people/${id}`);
    const restored = await bob.post(`/v1/people/${id}/restore`, {}, DRY);
    expect([restored.status, typesOf(restored)]).toEqual([200, ["person.created"]]);
    expect(restored.text).not.toMatch(new RegExp(`secret|${hidden.id}|${note.id}`));
  });

  it("of a batch has the results of all records, and the changes of those that succeed", async () => {
    const { api, made } = await setUp();
    await made("/v1/companies", { name: "Taken" });
    const records = [{ name: "A" }, { name: "Taken" }, { name: "B" }];
    const send = (headers = {}) => api.post("/v1/companies/batch/create", { records }, headers);
    const [tried, real] = [await send(DRY), await send()];
    const results = ({ data }: Answer) =>
      (data.results as { data?: Item; error?: { code: string } }[]).map((one) => one.data?.name ?? one.error?.code);
    expect(results(tried)).toEqual(results(real));
    expect(typesOf(tried)).toEqual(["company.created", "company.created"]);
  });
});
