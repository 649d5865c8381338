import { expect, it } from "@jest/globals";
import { claimQueues } from "../../../../services/webhooks/sending/claims.queries.ts";
import { createHealthNotes, type Endpoint } from "../../../../services/webhooks/sending/endpoint.ts";
import type { Queue } from "../../../../services/webhooks/sending/queues.queries.ts";
import { createQueueRelease } from "../../../../services/webhooks/sending/release-queues.ts";
import { useHome } from "../../../support/home.ts";
import { endWaits, insertWebhook, queueOf } from "./stock.ts";

const home = useHome();

/** Fails some turns of the event loop later. */
async function failLater(): Promise<never> {
  for (let i = 0; i < 5; i += 1) await new Promise(setImmediate);
  throw new Error("away");
}

/**
 * A webhook that has failed before and whose success is noted, and is to be given back over a database that fails at
 * times.
 */
async function noted(failures: { transaction?: number; queryPlanned?: number }) {
  const { uuid: workspaceId, ada } = await home.workspace();
  const of = { workspaceId, createdBy: ada.uuid, targetUrl: "https://receiver.invalid/", failingSince: new Date() };
  const webhook = await insertWebhook(home.database, of);
  await endWaits(home.database, webhook);
  const [queue] = await claimQueues(home.database.queryPlanned, 1, 20_000, 1, []);
  if (!queue) throw new Error("Nothing was claimed");
  const health = createHealthNotes();
  health.note(true);
  const endpoint = { queue, health } as Endpoint;
  const { transaction, queryPlanned } = home.database;
  let [transactions, queries] = [failures.transaction ?? 0, failures.queryPlanned ?? 0];
  const failing = {
    transaction: ((...args: Parameters<typeof transaction>) =>
      transactions-- > 0 ? Promise.reject(new Error("away")) : transaction(...args)) as typeof transaction,
    queryPlanned: ((...args: Parameters<typeof queryPlanned>) =>
      queries-- > 0 ? failLater() : queryPlanned(...args)) as typeof queryPlanned,
  };
  const giving = createQueueRelease(failing, new Map<Queue, Endpoint>([[queue, endpoint]]));
  return { giving, endpoint, standing: () => queueOf(home.database, webhook) };
}

it("A success is written with the next try when an endpoint cannot be given back", async () => {
  const { giving, endpoint, standing } = await noted({ transaction: 1 });
  await giving.giveBack(endpoint);
  expect(await standing()).toMatchObject({ lease: null, failing_since: null });
});

it("A success is not lost when its endpoint is given back while it is being written, which fails", async () => {
  const { giving, endpoint, standing } = await noted({ queryPlanned: 1 });
  const writing = giving.writeHealth().catch(({ message }: Error) => message);
  await giving.giveBack(endpoint);
  expect([await writing, await standing()]).toEqual(["away", expect.objectContaining({ failing_since: null })]);
});
