import { expect, it } from "@jest/globals";
import { firstUuidOf, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

// HISTORY_DAYS is 90 and TRASH_DAYS is 30 here. docs/guides/running.md#what-is-kept-how-long
describeServer("What history, trash and undo show of old changes", (scene) => {
  /** Makes the entries of a record older by these days. Their ids hold their times. */
  async function age(workspaceId: Uuid, recordId: string, days: number): Promise<void> {
    const { database } = scene.server;
    const record = uuidOf("person", recordId);
    const rows = await database.read<{ seq: string; at: string }>(
      `select seq::text, ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint::text as at
       from change_log where workspace_id = $1 and record_id = $2 order by seq`,
      [workspaceId, record],
    );
    expect(rows).not.toEqual([]);
    for (const [i, { seq, at }] of rows.entries())
      await database.read("update change_log set id = $3 where workspace_id = $1 and seq = $2", [
        workspaceId,
        seq,
        firstUuidOf(Number(at) - days * DAY_MS + i),
      ]);
  }

  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const person: Item = (await api.post("/v1/people", { fullName: "Grace Hopper" })).data;
    return { workspaceId: workspace.uuid as Uuid, api, id: person.id, path: `/v1/people/${person.id}` };
  }

  it("shows changes for 90 days, and takes them back for as long", async () => {
    const { workspaceId, api, id, path } = await setUp();
    const { headers } = await api.patch(path, { jobTitle: "Admiral" });
    await age(workspaceId, id, 89.9);
    expect(await api.all(`${path}/history`)).toHaveLength(2);
    await age(workspaceId, id, 0.2);
    expect(await api.all(`${path}/history`)).toEqual([]);
    const { data } = await api.post("/v1/undo", { requestId: headers["x-request-id"] });
    expect(data).toEqual({ undone: 0, skipped: [] });
    expect((await api.get(path)).data).toMatchObject({ jobTitle: "Admiral" });
  });

  it("gives back what was deleted for 30 days, and tells then that it is gone", async () => {
    const { workspaceId, api, id, path } = await setUp();
    const { headers } = await api.delete(path);
    await age(workspaceId, id, 29.9);
    expect(await api.all("/v1/trash")).toMatchObject([{ id }]);
    await age(workspaceId, id, 0.2);
    expect(await api.all("/v1/trash")).toEqual([]);
    expect(await api.get(`${path}/history`)).toMatchObject({ status: 404 });
    expect(await api.post(`${path}/restore`, {})).toMatchObject({ status: 404 });
    const { data } = await api.post("/v1/undo", { requestId: headers["x-request-id"] });
    expect(data).toEqual({ undone: 0, skipped: [{ id, entityType: "person", reason: "gone", changes: [] }] });
  });
});
