import { beforeAll, expect, it } from "@jest/globals";
import { RECORD_VALUES_BYTES_MAX } from "../../config/limits.ts";
import type { TestGroup, TestWorkspace } from "../../lab/harness/world.ts";
import type { Answer, Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

/** As many fields of 5,000 characters fit into the bound, and half of them once more do not. */
const FIELDS = 50;
const LONG = "x".repeat(5000);

// docs/guides/limits.md#what-a-workspace-may-have
describeServer("The bytes of a record's custom values", (scene) => {
  let workspace: TestWorkspace;
  let api: Client;
  let groups: TestGroup[];

  beforeAll(async () => {
    workspace = await scene.workspace();
    api = scene.api(workspace.ada);
    groups = [await workspace.group(workspace.ada), await workspace.group(workspace.ada)];
    for (const group of groups)
      for (let i = 0; i < FIELDS; i++)
        await workspace.field(workspace.ada, group, "person", { type: "textField", name: `Field ${i}` });
  });

  const full = (text = LONG, count = FIELDS) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`Field ${i}`, text]));
  const body = (...values: object[]) => ({
    groups: values.map((_, i) => ({ id: groups[i]?.id })),
    customFieldValues: Object.fromEntries(values.map((ofGroup, i) => [groups[i]?.id, ofGroup])),
  });
  const expectRefused = ({ status, issues, error }: Answer) => {
    expect(status).toBe(422);
    expect(issues).toEqual([expect.objectContaining({ code: "custom", path: ["customFieldValues"] })]);
    expect(error.details?.issues?.[0]?.message).toMatch(/at most 262,144 bytes.*would take \d{3},\d{3}$/);
  };

  it("are those of all groups together: a create and an update that would exceed them are 422, and nothing is written", async () => {
    expectRefused(await api.post("/v1/people", body(full(), full())));
    const { data } = await api.post("/v1/people", body(full(), {}));
    const more = { customFieldValues: { [groups[1]?.id ?? ""]: full(LONG, 4) } };
    expectRefused(await api.patch(`/v1/people/${data.id}`, more));
    expect((await api.get(`/v1/people/${data.id}`)).data).toEqual(data);
    const few = { customFieldValues: { [groups[1]?.id ?? ""]: full(LONG, 1) } };
    expect((await api.patch(`/v1/people/${data.id}`, few)).status).toBe(200);
  });

  it("count as they are stored, in UTF-8", async () => {
    expectRefused(await api.post("/v1/people", body(full("漢".repeat(5000), 18))));
    expect((await api.post("/v1/people", body(full("漢".repeat(5000), 17)))).status).toBe(200);
  });

  it("fail their record of a batch alone", async () => {
    const records = [body(full()), body(full(), full())];
    const { status, body: answer } = await api.post("/v1/people/batch/create", { records });
    expect(status).toBe(200);
    const { results } = (answer as { data: { results: Record<string, unknown>[] } }).data;
    expect(results[0]).toMatchObject({ status: "succeeded" });
    expect(results[1]).toMatchObject({
      status: "failed",
      error: {
        code: "UNPROCESSABLE_ENTITY",
        details: { issues: [{ code: "custom", path: ["records", 1, "customFieldValues"] }] },
      },
    });
  });

  it("refuse a merge whose survivor would have more", async () => {
    const survivor = (await api.post("/v1/people", body(full()))).data;
    const merged = (await api.post("/v1/people", body({}, full()))).data;
    const answer = await api.post(`/v1/people/${survivor.id}/merge`, { records: [{ id: merged.id }] });
    expect(answer.status).toBe(422);
    expect(answer.issues).toMatchObject([{ code: "custom", path: ["records"] }]);
    expect((await api.get(`/v1/people/${merged.id}`)).data).toEqual(merged);
  });

  it("of a record that has more already may become fewer, and not more", async () => {
    const { data } = await api.post("/v1/people", body(full()));
    await scene.server.database.read(
      `update people set memberships = (select json_agg(json_build_object('groupId', m->'groupId', 'values',
         (select json_object_agg(key, repeat('y', 10000)) from json_each(m->'values')))) from json_array_elements(memberships) m)
       where workspace_id = $1 and id = $2`,
      [workspace.uuid, data.id.slice(4)],
    );
    const set = (value: string | null) =>
      api.patch(`/v1/people/${data.id}`, { customFieldValues: { [groups[0]?.id ?? ""]: { "Field 0": value } } });
    expect((await set(LONG)).status).toBe(200);
    expectRefused(await set(`${LONG.slice(1)}漢`));
    expect((await set(null)).status).toBe(200);
    expect(50 * 10_000).toBeGreaterThan(RECORD_VALUES_BYTES_MAX);
  });
});
