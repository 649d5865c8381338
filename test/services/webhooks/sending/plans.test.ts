import { expect, it } from "@jest/globals";
import { newUuid } from "../../../../base/values/ids.ts";
import type { Query } from "../../../../database/query.ts";
import { writeResults } from "../../../../services/webhooks/sending/deliveries.queries.ts";
import { claimQueues, type Queue } from "../../../../services/webhooks/sending/queues.queries.ts";
import { cancelStopped } from "../../../../services/webhooks/sending/stops.queries.ts";
import { useHome } from "../../../support/home.ts";

const home = useHome();

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
  const result = { queue: oneQueue(), uuid: newUuid(), status: "pending", attempt: {}, waitMs: 1, gone: null } as const;
  const plan = await plansOf((query) => writeResults(query, [result]));
  expect(plan).toContain("using deliveries_pkey");
  expect(plan).not.toContain("using deliveries_pending");
});

it("Cancelled deliveries are found by id, of which only the list of them reads those that are pending", async () => {
  const plan = await plansOf((query) => cancelStopped(query, oneQueue(), new AbortController().signal));
  expect(plan).toContain("using deliveries_pkey on deliveries d");
  expect(plan).not.toContain("using deliveries_pending on deliveries d");
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
