import type { Knex } from "knex";
import { type Sample, showSamples } from "../base/budgets/gauges.ts";
import { countsOf, type PoolCounts } from "./knex-connections.ts";
import type { Reader } from "./reader.ts";

/**
 * Shows the connections of a process in its metrics: for each pool those in use, idle and being opened, and the
 * requests that wait for one; and for each shared connection the number of statements on their way.
 * @param readers by the names of their lanes, which may become more
 * @returns ends it
 */
export function showConnections(pools: Record<string, Knex>, readers: ReadonlyMap<string, Reader>): () => void {
  const all = Object.entries(pools).map(([pool, knex]) => ({ pool, counts: countsOf(knex) }));
  const ends = [
    showSamples("contact_workspace_database_connections", () => all.flatMap(statesOf)),
    showSamples("contact_workspace_database_connections_max", () =>
      all.map(({ pool, counts }) => ({ labels: { pool }, value: counts.max })),
    ),
    showSamples("contact_workspace_database_waiting", () =>
      all.map(({ pool, counts }) => ({ labels: { pool }, value: counts.numPendingAcquires() })),
    ),
    showSamples("contact_workspace_database_statements", () =>
      [...readers].map(([lane, reader]) => ({ labels: { lane }, value: reader.unanswered() })),
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function statesOf({ pool, counts }: { pool: string; counts: PoolCounts }): Sample[] {
  const states = { busy: counts.numUsed(), idle: counts.numFree(), opening: counts.numPendingCreates() };
  return Object.entries(states).map(([state, value]) => ({ labels: { pool, state }, value }));
}
