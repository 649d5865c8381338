import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { routes } from "../../services/gateway/operation/routes.ts";
import { describeServer } from "../support/scene.ts";
import { schemaTables } from "../support/schema-tables.ts";
import { makeMaterial } from "./material.ts";
import { isWrite, loadOperations, type Operation, titleOf } from "./operations.ts";
import { wholeRequest } from "./whole-requests.ts";

/** What a request leaves there for other reasons than what it asks for. */
const NOT_EFFECTS = [
  "saved_responses",
  "api_keys",
  "webhook_queues",
  "webhook_progress",
  ...["duplicate_crowds", "duplicate_keys", "duplicate_marks", "duplicate_pairs", "duplicate_progress"],
  "duplicate_queue",
  "rate_windows",
  "request_logs",
];

/**
 * Table → what of its rows is an effect, where it is not all: deliveries are tried again and again in the background.
 */
const EFFECTS: Record<string, string> = { deliveries: "t.id" };

// Every write takes an Idempotency-Key (docs/guides/idempotency.md#keys). The writes come from the route table, so a
// new one is tried without a line here.
describeServer("With an Idempotency-Key", (scene) => {
  let operations: Operation[];
  let tables: string[];

  beforeAll(async () => {
    operations = await loadOperations(scene.server.database);
    tables = (await schemaTables(scene.server.database.read))
      .filter(({ columns }) => columns.some(({ name }) => name === "workspace_id"))
      .map(({ name }) => name)
      .filter((name) => !NOT_EFFECTS.includes(name));
  });

  /** Waits until what the writes of a workspace have begun in the background has ended. */
  async function quiet(workspaceId: string): Promise<void> {
    const due = `select 1 from enrichments where workspace_id = $1 and due_at is not null
      union all select 1 from webhook_progress p join change_log l using (workspace_id)
        where workspace_id = $1 and l.seq > p.through
      union all select 1 from interaction_uncounted where workspace_id = $1 and date_time <= now()
      union all select 1 from tasks where workspace_id = $1 and words is null`;
    await until("nothing is due", async () => (await scene.server.database.read(due, [workspaceId])).length === 0);
  }

  /** All that there is of a workspace: table → a hash of its rows. */
  async function state(workspaceId: string): Promise<object> {
    await quiet(workspaceId);
    const hashes = tables.map(
      (name) =>
        `(select md5(string_agg((${EFFECTS[name] ?? "t"})::text, ',' order by (${EFFECTS[name] ?? "t"})::text)) from ${name} t where workspace_id = $1) as ${name}`,
    );
    const [row] = await scene.server.database.read<object>(`select ${hashes.join(", ")}`, [workspaceId]);
    return row ?? {};
  }

  describe.each(routes.filter(isWrite).map(titleOf))("%s", (title) => {
    it("changes something once, and is answered with the same bytes again", async () => {
      const operation = operations.find((one) => titleOf(one) === title);
      if (!operation) throw new Error(`There is no operation ${title}.`);
      const material = await makeMaterial(scene);
      const { workspace } = material;
      const api = scene.api(workspace.ada);
      const headers = { "Idempotency-Key": randomUUID() };
      const { method, path, body } = await wholeRequest(operation, api, material);
      const send = () => api.request(method, path, body, headers);

      const before = await state(workspace.uuid);
      const first = await send();
      expect({ status: first.status, text: first.text }).toMatchObject({ status: 200 });
      expect(first.headers["idempotent-replayed"]).toBeUndefined();
      const after = await state(workspace.uuid);
      expect(after).not.toEqual(before);

      const again = await send();
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(await state(workspace.uuid)).toEqual(after);
    });
  });
});
