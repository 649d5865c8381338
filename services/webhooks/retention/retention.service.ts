import type { ServiceSchema } from "moleculer";
import { startPolling } from "../../../base/jobs/polling.ts";
import { databaseTime } from "../../../database/clock.ts";
import { fewAtOnce } from "../../../database/few-at-once.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { SWEEPS, type Sweep, sweep } from "./sweeps.ts";

const EVERY_MS = 60_000;
/** Connections that all sweeps of a process may hold at once, so that the others are left to requests. */
const CONNECTIONS = 2;

/**
 * Deletes what is kept for a time only, for all folders. Each process of this one does so.
 * docs/guides/running.md#what-is-kept-how-long
 */
export default function retentionService(context: ServiceContext): ServiceSchema {
  const database = fewAtOnce(context.database, CONNECTIONS);

  const sweeping = ([what, one]: [string, Sweep]) =>
    pollingMixin({
      start: (logger) =>
        startPolling({
          everyMs: one.everyMs ?? EVERY_MS,
          laterFirst: true,
          async work(signal) {
            const now = await databaseTime(database.queryAlone);
            await sweep(database, one, new Date(now.getTime() - one.keptMs), signal);
            return false;
          },
          onFailure: ({ message }) => logger.warn(`Old ${what} were not deleted:`, message),
        }),
    });

  return { name: "retention", mixins: Object.entries(SWEEPS).map(sweeping) };
}
