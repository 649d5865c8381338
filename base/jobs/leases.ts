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
 * Keeps what a process holds for as long as it works on it, under leases that end soon after the process was killed.
 * One statement renews all of them. A renewal that fails loses nothing by itself: while the database is away nobody can
 * take anything. But when it is back, leases that have run out meanwhile may be taken before they are renewed. So
 * whoever works under a lease asks for it whenever it reads what to do and writes what was done.
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
