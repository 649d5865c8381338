import { beforeAll, expect, it } from "@jest/globals";
import { newUuid } from "../../../../base/values/ids.ts";
import { run } from "../../../../database/database.ts";
import type { Query } from "../../../../database/query.ts";
import { DELIVERIES, makePeriod } from "../../../../engine/periods/periods.ts";
import { listRows } from "../../../../engine/rows/rows.ts";
import { deliveries } from "../../../../model/resources/deliveries.ts";
import { BY_CREATION } from "../../../../model/resources/list-order.ts";
import type { Viewer } from "../../../../model/resources/resource.ts";
import { claimQueues } from "../../../../services/webhooks/sending/claims.queries.ts";
import { writeResults } from "../../../../services/webhooks/sending/deliveries.queries.ts";
import type { Queue } from "../../../../services/webhooks/sending/queues.queries.ts";
import { cancelStopped } from "../../../../services/webhooks/sending/stops.queries.ts";
import { useHome } from "../../../support/home.ts";

const home = useHome();

// As many periods as there are after a month.
beforeAll(async () => {
  for (let i = 1; i <= 5; i += 1)
    await home.database.transaction((trx) => makePeriod((...statement) => run(trx, ...statement), DELIVERIES, i));
});

/** The plans of statements for tables of which PostgreSQL knows nothing, as in the first minute of a burst. */
async function plansOf(ask: (query: Query) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  await ask(async (sql, values) => {
    const rows = await home.database.queryPlanned<Record<string, string>>(`explain ${sql}`, values);
    lines.push(...rows.map((row) => row["QUERY PLAN"] ?? ""));
    return [];
  });
  return lines.join("\n");
}

function oneQueue(): Queue {
  return { workspaceId: newUuid(), webhookId: newUuid(), lease: newUuid() } as Queue;
}

it("Results find their deliveries by id, and not among all that are pending", async () => {
  const result = {
    queue: oneQueue(),
    uuid: newUuid(),
    period: 3,
    status: "pending",
    attempt: {},
    waitMs: 1,
    gone: null,
  } as const;
  const plan = await plansOf((query) => writeResults(query, [result]));
  expect(plan.match(/Index Scan using deliveries_3_pkey on deliveries_3 d/g)).toHaveLength(1);
  expect(plan).not.toMatch(/ on deliveries_[^3]|Seq Scan on deliveries|using deliveries_\w*(pending|status)/);
});

it("Cancelled deliveries are found by id, of which only the list of them reads those that are pending", async () => {
  const plan = await plansOf((query) => cancelStopped(query, oneQueue(), new AbortController().signal));
  expect(plan.match(/Index Scan using deliveries_\w+_pkey on deliveries_\w+ d_/g)).toHaveLength(6);
  expect(plan).not.toMatch(/Seq Scan on deliveries| on deliveries_\w+ d_.*(pending|status)/);
});

it("The webhooks that a process holds are counted once for a claim, and not for each queue that is due", async () => {
  const held = Array.from({ length: 400 }, oneQueue);
  const plan = await plansOf((query) => claimQueues(query, 1, 1000, 1, held));
  // Each of the plan's nodes that looks for queues names all leases, so a message would show none of the plan.
  expect({ isGrouped: plan.includes("HashAggregate"), isCountedForEach: plan.includes("SubPlan") }).toEqual({
    isGrouped: true,
    isCountedForEach: false,
  });
});

it("A page of deliveries is read from the primary key of each period, without sorting", async () => {
  const viewing = { caller: { workspaceId: newUuid() }, definitions: {} } as unknown as Viewer;
  const webhookId = newUuid();
  const plan = await plansOf((query) =>
    listRows(query, deliveries, viewing, {
      order: { ...BY_CREATION, direction: "desc" },
      limit: 26,
      where: (bind) => [`t.webhook_id = ${bind(webhookId)}`],
    }),
  );
  expect(plan).toContain("Merge Append");
  expect(plan.match(/Index Scan Backward using deliveries_\w+_pkey on/g)).toHaveLength(6);
  expect(plan).not.toContain("Sort  (");
});
