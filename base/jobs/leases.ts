import { type Polling, type PollingOptions, startPolling } from "./polling.ts";

interface Options<Held> extends Pick<PollingOptions, "everyMs" | "onFailure" | "pause"> {
  /** Leases that this process holds at the moment. */
  held(): Held[];
  /** Makes the leases of all of these last longer, and gives those that are still held. */
  renew(held: Held[]): Promise<Set<Held>>;
  /** Called for a lease that another process has taken. */
  onLost(held: Held): void;
}

/**
 * Keeps the leases of a process for as long as it works under them. They end soon after the process was killed. One
 * statement renews all of them. A failed renewal loses nothing by itself: while the database is away, no process can
 * take a lease. But when it is back, leases that have run out can be taken before they are renewed. So code that works
 * under a lease checks it whenever it reads its work and writes its results.
 */
export function keepLeases<Held>({ held, renew, onLost, ...polling }: Options<Held>): Polling {
  return startPolling({
    ...polling,
    laterFirst: true,
    async work() {
      const asked = held();
      if (asked.length === 0) return false;
      const kept = await renew(asked);
      for (const one of asked) if (!kept.has(one)) onLost(one);
      return false;
    },
  });
}
