import { beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { routes } from "../../services/gateway/operation/routes.ts";
import type { Answer, Client } from "../support/client.ts";
import { describeOwnServer } from "../support/scene.ts";
import { schemaTables } from "../support/schema-tables.ts";
import { fullBody, ID_PARAMETERS, isIdParameter, type Material, makeMaterial, pathOf, randomId } from "./material.ts";
import { isWrite, loadOperations, type Operation, titleOf } from "./operations.ts";
import { likeEachOther } from "./same-but-new.ts";
import { type WholeRequest, wholeRequest } from "./whole-requests.ts";

/** Writes without a preview. docs/guides/preview.md#writes-without-a-preview */
const WITHOUT_PREVIEW = [
  "POST /v1/people/{personId}/enrich",
  "POST /v1/webhooks",
  "PATCH /v1/webhooks/{webhookId}",
  "DELETE /v1/webhooks/{webhookId}",
  "POST /v1/webhooks/{webhookId}/rotate-secret",
  "POST /v1/webhooks/{webhookId}/test",
  "POST /v1/webhooks/{webhookId}/replay",
  "POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay",
];

/** Table → what a preview or the background writes there, as SQL: a whole row, or members of it. */
const NOT_COMPARED: Record<string, "row" | string[]> = {
  request_logs: "row",
  rate_windows: "row",
  // Sending goes on for webhooks that earlier tests have made.
  webhook_queues: "row",
  webhook_progress: "row",
  // They follow the log some seconds behind.
  duplicate_crowds: "row",
  duplicate_keys: "row",
  duplicate_marks: "row",
  duplicate_pairs: "row",
  duplicate_progress: "row",
  duplicate_queue: "row",
  deliveries: ["status", "attempts", "next_attempt_at"],
  api_keys: ["last_used_at"],
};

/** It comes from a later step, and is never among the changes. docs/guides/preview.md#the-answer */
const COUNTING = "person.workspace_interaction_metadata_updated";

const DRY = { "Dry-Run": "true" };

interface Event {
  type: string;
  data: unknown;
}

// docs/guides/preview.md. The writes come from the route table, so a new one is tried without a line here, and fails
// where it has no preview.
describeOwnServer("With Dry-Run", {}, (scene) => {
  let operations: Operation[];
  let dump: string;
  /** Refusals leave it as it is. */
  let standing: Material;

  beforeAll(async () => {
    standing = await makeMaterial(scene);
    operations = await loadOperations(scene.server.database);
    const tables = (await schemaTables(scene.server.database.read)).filter(({ name }) => NOT_COMPARED[name] !== "row");
    const rows = tables.map(({ name, columns }) => {
      const row = `(to_jsonb(t) - '{${NOT_COMPARED[name] ?? ""}}'::text[])::text`;
      const own = columns.some((column) => column.name === "workspace_id") ? "where workspace_id = $1" : "";
      return `select '${name} ' || ${row} as row from "${name}" t ${own}`;
    });
    dump = `${rows.join(" union all ")} order by 1`;
  });

  /** Every row of all tables, of this workspace where a table has one. */
  async function everything(workspaceId: string): Promise<string[]> {
    const due = `select 1 from enrichments where workspace_id = $1 and due_at is not null
      union all select 1 from webhook_progress p join change_log l using (workspace_id)
        where workspace_id = $1 and l.seq > p.through
      union all select 1 from interaction_uncounted where workspace_id = $1 and date_time <= now()
      union all select 1 from tasks where workspace_id = $1 and words is null`;
    const { read } = scene.server.database;
    await until("nothing is due", async () => (await read(due, [workspaceId])).length === 0);
    return (await read<{ row: string }>(dump, [workspaceId])).map(({ row }) => row);
  }

  const operationOf = (title: string): Operation => {
    const operation = operations.find((one) => titleOf(one) === title);
    if (!operation) throw new Error(`There is no operation ${title}.`);
    return operation;
  };

  const send = (api: Client, { method, path, body }: WholeRequest, headers = {}) =>
    api.request(method, path, body, headers);

  async function eventsOf(api: Client): Promise<Event[]> {
    const all = (await api.all("/v1/events?limit=100")) as unknown as Event[];
    return all.filter(({ type }) => type !== COUNTING).map(({ type, data }) => ({ type, data }));
  }

  /** Sends a request that is refused, first as a preview. */
  async function expectSameRefusal(request: WholeRequest, status: number): Promise<void> {
    const { ada, uuid } = standing.workspace;
    const api = scene.api(ada);
    const before = await everything(uuid);
    const tried = await send(api, request, DRY);
    expect(await everything(uuid)).toEqual(before);
    const real = await send(api, request);
    expect([request, real.status, tried.status]).toEqual([request, status, status]);
    expect([tried.headers["dry-run"], real.headers["dry-run"]]).toEqual(["true", undefined]);
    expect(refusalOf(tried)).toEqual(refusalOf(real));
    expect(tried.body).not.toHaveProperty("changes");
  }

  const writes = routes.filter(isWrite).map(titleOf);

  it("the writes without a preview are those", () => {
    const without = operations.filter((one) => isWrite(one) && !("dryRun" in one.params)).map(titleOf);
    expect(without.toSorted()).toEqual(WITHOUT_PREVIEW.toSorted());
  });

  describe.each(writes.filter((title) => !WITHOUT_PREVIEW.includes(title)))("%s", (title) => {
    it("answers as the write would, tells its events, and keeps nothing", async () => {
      const operation = operationOf(title);
      const material = await makeMaterial(scene);
      const { ada, uuid } = material.workspace;
      const api = scene.api(ada);
      const request = await wholeRequest(operation, api, material);

      const before = await everything(uuid);
      const told = await eventsOf(api);
      const tried = await send(api, request, DRY);
      expect({ status: tried.status, text: tried.text }).toMatchObject({ status: 200 });
      expect(await everything(uuid)).toEqual(before);
      expect([tried.headers["dry-run"], tried.headers.etag]).toEqual(["true", undefined]);

      const real = await send(api, request);
      expect([real.status, real.headers["dry-run"]]).toEqual([200, undefined]);
      const events = (await eventsOf(api)).slice(told.length);
      const { changes, ...answer } = tried.body as { changes: Event[] };
      const [preview, write] = likeEachOther([answer, changes], [real.body, events]);
      expect(preview).toEqual(write);
      expect(await everything(uuid)).not.toEqual(before);
    });

    it("refuses what the write refuses, in the same words", async () => {
      const operation = operationOf(title);
      const { names, ids } = standing;
      const { method, params, parameters } = operation;
      const body = params.body && fullBody(params.body, ids);
      const request = { method, path: pathOf(operation, names), body };
      if (body) await expectSameRefusal({ ...request, body: { ...body, nothing: 1 } }, 422);
      const id = parameters.findLast((name) => name in ID_PARAMETERS && isIdParameter(operation, name));
      if (id) await expectSameRefusal({ ...request, path: pathOf(operation, { ...names, [id]: randomId(id) }) }, 404);
    });
  });

  it.each(WITHOUT_PREVIEW)("%s is refused, and does nothing", async (title) => {
    const { ada, uuid } = standing.workspace;
    const api = scene.api(ada);
    const request = await wholeRequest(operationOf(title), api, standing);
    const before = await everything(uuid);
    const tried = await send(api, request, DRY);
    const issue = expect.objectContaining({ code: "custom", path: ["Dry-Run"] });
    expect([tried.status, tried.issues]).toEqual([422, [issue]]);
    expect(tried.headers["dry-run"]).toBe("true");
    expect(await everything(uuid)).toEqual(before);
  });
});

/** The body of an error, without the id and the time of its request. */
function refusalOf({ error }: Answer): object {
  const { requestId: _, timestamp: __, ...refusal } = error as Answer["error"] & Record<string, unknown>;
  return refusal;
}
