import { expect, it } from "@jest/globals";
import { type Assistant, assistant, type ToolAnswer } from "../support/assistant.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer, type Scene } from "../support/scene.ts";
import { toolWorkspace } from "./assistant-call.ts";

/** A workspace whose admin works by the REST API, and by an assistant with a key of its own. */
async function withOwnKey(scene: Scene) {
  const workspace = await toolWorkspace(scene);
  const own = await workspace.key(workspace.ada);
  const mcp = await assistant(scene.server, own.key);
  return { ...workspace, mcp, keyId: own.id };
}

const requestIdOf = ({ body }: ToolAnswer) => (body as { requestId?: string }).requestId;
const changesOf = ({ body }: ToolAnswer) => (body as { changes?: { type: string }[] }).changes;

/** Everything that a session of these tests can change. Times of changes and counts of interactions are left out. */
async function readAll(api: Client, { groupId }: { groupId: string }) {
  const paths = ["/v1/people", "/v1/companies", `/v1/groups/${groupId}/Deals`, "/v1/notes", "/v1/tasks"];
  const lists = await Promise.all([...paths, "/v1/interactions?timeframe=past"].map((path) => readList(api, path)));
  return Object.fromEntries(lists.flat().map((one) => [one.id, one]));
}

async function readList(api: Client, path: string): Promise<Item[]> {
  const items = await api.all(`${path}${path.includes("?") ? "&" : "?"}limit=100`);
  return items.map(({ updatedAt: _, interactionMetadata: __, ...item }) => item as Item);
}

// docs/guides/assistants.md#undo
describeServer("The undo of assistants", (scene) => {
  /** 50 people with notes and tasks, a company of theirs, and a deal that names them. */
  async function people({ rest, deals }: { rest: Client; deals: { groupId: string } }) {
    const company = (await rest.post("/v1/companies", { name: "Navy" })).data;
    const records = Array.from({ length: 50 }, (_, i) => ({
      fullName: `Person ${i}`,
      emails: [`person-${i}@example.com`],
      ...(i % 2 === 1 && { companies: [{ id: company.id }] }),
      ...(i < 10 && { groups: [{ id: deals.groupId }] }),
    }));
    const made = (await rest.post("/v1/people/batch/create", { records })).data.results as { data: Item }[];
    const ids = made.map(({ data }) => data.id);
    for (const id of ids)
      await rest.post("/v1/notes", { entity: { id }, content: `About ${id}`, visibility: "public" });
    for (const id of ids.slice(0, 5))
      await rest.post("/v1/tasks", { entity: { id }, title: "Call", dueAt: "2031-01-31" });
    const named = ids.slice(0, 10).map((id) => ({ id }));
    const deal = (await rest.post(`/v1/groups/${deals.groupId}/Deals`, { name: "Ship", people: named })).data;
    expect(deal.people).toHaveLength(10);
    return ids;
  }

  /** A session that creates 50 people, updates 50 and merges these in pairs, with a note and a call beside. */
  async function session(mcp: Assistant, ids: string[]) {
    const told = [
      await mcp.call("create_people", {
        records: Array.from({ length: 50 }, (_, i) => ({ fullName: `New ${i}`, companies: [{ name: "Made beside" }] })),
      }),
      await mcp.call("update_people", { records: ids.map((id) => ({ id, jobTitle: "Admiral" })) }),
      await mcp.call("upsert_people", {
        match: ["emails"],
        records: [
          { emails: ["PERSON-7@example.com"], phones: ["+1 202 555 0142"] },
          { fullName: "Unknown", emails: ["x@y.test"] },
        ],
      }),
      await mcp.call("create_note", { entity: { id: ids[3] }, content: "By the assistant", visibility: "public" }),
      await mcp.call("log_interaction", {
        ...{ entity: { id: ids[4] }, title: "Talk", content: "", activityType: "call" },
        dateTime: "2026-01-15T10:00:00.000Z",
      }),
    ];
    for (const answer of told) expect([answer.isError, requestIdOf(answer)]).toEqual([false, expect.any(String)]);
    for (let i = 0; i < ids.length; i += 2) {
      const merged = await mcp.call("merge_records", { id: ids[i], records: [{ id: ids[i + 1] }] });
      expect([merged.isError, merged.data.id]).toEqual([false, ids[i]]);
    }
  }

  it("takes back a session of creates, updates and merges of 50 records in one call, and nothing of other keys", async () => {
    const { mcp, rest, deals, keyId, ada } = await withOwnKey(scene);
    const ids = await people({ rest, deals });
    const before = await readAll(rest, deals);
    const since = new Date().toISOString();
    await session(mcp, ids);
    expect(await rest.all("/v1/people")).toHaveLength(76);

    // In the same time another key of the same user writes.
    const kept = (await rest.post("/v1/people", { fullName: "Of another key" })).data;
    await rest.patch(`/v1/people/${ids[0]}`, { description: "Of another key" });
    const entity = { id: ids[10] };
    const note = (await rest.post("/v1/notes", { entity, content: "Of another key", visibility: "public" })).data;

    const tried = await mcp.call("undo", { since, dryRun: true });
    expect([tried.isError, requestIdOf(tried), tried.data.skipped]).toEqual([false, undefined, []]);
    expect(changesOf(tried)?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["person.created", "person.updated", "person.deleted", "note.deleted"]),
    );
    expect(await rest.all("/v1/people")).toHaveLength(77 - 25 + 25);
    const undone = await mcp.call("undo", { since });
    expect(undone.data).toEqual({ undone: tried.data.undone, skipped: [] });

    const expected = structuredClone(before);
    expected[ids[0] ?? ""] = { ...before[ids[0] ?? ""], description: "Of another key" } as Item;
    const after = await readAll(rest, deals);
    expect(after[kept.id]).toMatchObject({ fullName: "Of another key" });
    expect(after[note.id]).toMatchObject({ entity });
    delete after[kept.id];
    delete after[note.id];
    expect(after).toEqual(expected);

    const [last] = (await rest.get(`/v1/people/${ids[1]}/history?limit=1`)).items;
    expect(last).toMatchObject({
      ...{ source: "undo", user: { id: ada.id }, key: { id: keyId }, requestId: requestIdOf(undone) },
    });
  });

  it("takes back one request by the id in its result, which a repetition has too", async () => {
    const { mcp, rest } = await withOwnKey(scene);
    const args = { fullName: "Once", idempotencyKey: "once" };
    const made = await mcp.call("create_person", args);
    const again = await mcp.call("create_person", args);
    expect(requestIdOf(again)).toBe(requestIdOf(made));
    expect((await mcp.call("create_person", { fullName: "Tried", dryRun: true })).body).not.toHaveProperty("requestId");
    const undone = await mcp.call("undo", { requestId: requestIdOf(made) });
    expect(undone.data).toEqual({ undone: 1, skipped: [] });
    expect(await rest.all("/v1/people")).toEqual([]);
    // An undo is a write like others, and can be taken back.
    expect((await mcp.call("undo", { requestId: requestIdOf(undone) })).data.undone).toBe(1);
    expect((await rest.all("/v1/people")).map(({ id }) => id)).toEqual([made.data.id]);
  });

  it("finds nothing in the requests of other keys, also of those of the same user", async () => {
    const { mcp, rest, ada, key, user } = await withOwnKey(scene);
    const bob = await user("Bob");
    for (const api of [rest, scene.api(bob), scene.api((await key(ada)).key)]) {
      const { headers } = await api.post("/v1/people", { fullName: "Stays" });
      const { data } = await mcp.call("undo", { requestId: String(headers["x-request-id"]) });
      expect(data).toEqual({ undone: 0, skipped: [] });
    }
    expect((await mcp.call("undo", { since: "2020-01-01" })).data.undone).toBe(0);
    expect((await mcp.call("undo", { requestId: "x".repeat(36) })).data.undone).toBe(0);
    expect(await rest.all("/v1/people")).toHaveLength(3);
  });

  it("leaves what the key has made and another key of the same user has worked on since", async () => {
    const { mcp, rest, deals } = await withOwnKey(scene);
    const names = ["Untouched", "Updated", "With a note", "With a task", "With a call", "In a deal", "Of the key"];
    const groups = [{ id: deals.groupId }];
    const made = await mcp.call("create_people", { records: names.map((fullName) => ({ fullName, groups })) });
    const [untouched, updated, noted, called, logged, linked, own] = made.results.map(({ id }) => ({ id: id ?? "" }));
    await rest.patch(`/v1/people/${updated?.id}`, { jobTitle: "Admiral" });
    await rest.post("/v1/notes", { entity: noted, content: "Stays", visibility: "public" });
    await rest.post("/v1/tasks", { entity: called, title: "Stays", dueAt: "2031-01-31" });
    const call = { dateTime: "2026-01-15T10:00:00.000Z", title: "Stays", content: "", activityType: "call" };
    await rest.post("/v1/interactions", { entity: logged, ...call });
    const deal = (await rest.post(`/v1/groups/${deals.groupId}/Deals`, { name: "Stays", people: [linked] })).data;
    await mcp.call("create_note", { entity: own, content: "Goes", visibility: "public" });
    await mcp.call("log_interaction", { entity: own, ...call });

    const { data } = await mcp.call("undo", { requestId: requestIdOf(made) });
    const kept = [updated, noted, called, logged, linked].map((one) => one?.id);
    expect(data.undone).toBe(2);
    expect((data.skipped as Item[]).map(({ id, reason }) => [id, reason]).toSorted()).toEqual(
      kept.map((id) => [id, "changedSince"]).toSorted(),
    );
    expect((await rest.all("/v1/people")).map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
    const there = (await rest.get(`/v1/groups/${deals.groupId}/Deals/${deal.id}`)).data;
    expect(there.people).toEqual([expect.objectContaining({ id: linked?.id })]);
    const trash = (await rest.get("/v1/trash?type=person")).items;
    expect(trash.map(({ id }) => id).toSorted()).toEqual([untouched?.id, own?.id].toSorted());
  });

  it.each([
    ["neither", {}, []],
    ["both", { requestId: "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70", since: "2026-01-01" }, []],
    ["a time beside a request", { requestId: "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70", until: "2026-01-01" }, ["until"]],
    ["another key", { since: "2026-01-01", keyId: "key_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70" }, []],
  ])("refuses %s", async (_, args, path) => {
    const { mcp } = await withOwnKey(scene);
    const { isError, error } = await mcp.call("undo", args);
    expect([isError, error.code, error.details?.issues?.map((one) => one.path)]).toEqual([
      ...[true, "UNPROCESSABLE_ENTITY", [path]],
    ]);
  });
});
