import type { CallingOptions, ServiceBroker } from "moleculer";
import { isAway } from "./away.ts";
import { NOT_ON } from "./fitting-node.ts";

/** Share of all calls that may be repetitions. While everything is away, repetitions would only add to the load. */
const SHARE = 0.2;
/** Number of repetitions that may come at once. */
const AT_ONCE_MAX = 20;

/** Repetitions of calls that may run twice, on another node than the one that has failed. */
export interface Repeats {
  /** Makes a call, which may run twice, and once more on another node when its node is away. */
  call<Result>(action: string, params: object, options?: CallingOptions): Promise<Result>;
  /**
   * The node that a repetition of a failed call has to avoid (`NOT_ON`); undefined when the call is not to be repeated:
   * its error does not say that something is away, no other node offers the action, or too many were repeated already.
   */
  avoid(action: string, error: unknown): string | undefined;
  /** Notes a call, of which a share may be repeated. */
  noted(): void;
}

/** docs/decisions/0020-nodes-that-hang.md */
export function createRepeats(broker: ServiceBroker): Repeats {
  let left = AT_ONCE_MAX;

  function noted(): void {
    left = Math.min(AT_ONCE_MAX, left + SHARE);
  }

  function avoid(action: string, error: unknown): string | undefined {
    if (left < 1 || !isAway(error)) return undefined;
    const failed = nodeOf(error) ?? broker.nodeID;
    const offers: { id: string; isAvailable: boolean }[] = broker.registry.actions.get(action)?.endpoints ?? [];
    if (!offers.some(({ id, isAvailable }) => isAvailable && id !== failed)) return undefined;
    left -= 1;
    return failed;
  }

  return {
    noted,
    avoid,
    async call<Result>(action: string, params: object, options: CallingOptions = {}) {
      noted();
      try {
        return await broker.call<Result, object>(action, params, options);
      } catch (error) {
        const notOn = avoid(action, error);
        if (notOn === undefined) throw error;
        const elsewhere = { ...options, [NOT_ON]: notOn };
        return broker.call<Result, object>(action, params, elsewhere);
      }
    },
  };
}

/** The node that an error comes from; undefined for one of this process. */
function nodeOf(error: unknown): string | undefined {
  const { nodeID, data } = error as { nodeID?: string; data?: { nodeID?: string } };
  return nodeID ?? data?.nodeID;
}
