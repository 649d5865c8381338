import { LRUCache } from "lru-cache";
import type { ServiceSchema } from "moleculer";
import { closed, type Static, Type } from "../../lib/schema.ts";
import type { ActionContext } from "../../mixins/caller.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { type Decision, type Log, type Policy, take } from "./windows.ts";

/** Users whose requests are remembered at once; whoever is idle longest goes first. */
const USERS_KEPT = 100_000;

const params = closed({ workspaceId: Type.String(), userId: Type.String() });

/**
 * Rate limits per user, all keys of a user together. gaps 2, "429". The windows are in the memory of the process, so it
 * runs where the gateway runs (preferLocal).
 */
export default function ratelimitService({ env }: ServiceContext): ServiceSchema {
  const policies: Policy[] =
    env.rateLimits === "off" ? [] : Object.entries(env.rateLimits).map(([name, policy]) => ({ name, ...policy }));
  const longestMs = Math.max(1, ...policies.map(({ windowS }) => windowS * 1000));
  const logs = new LRUCache<string, Log>({ max: USERS_KEPT, ttl: longestMs, updateAgeOnGet: true });
  return {
    name: "ratelimit",
    actions: {
      /** Takes one request of a user from the windows, or says why not; null when limits are off. */
      take: {
        params,
        handler: (ctx: ActionContext<Static<typeof params>>): Decision | null => {
          if (policies.length === 0) return null;
          const user = `${ctx.params.workspaceId} ${ctx.params.userId}`;
          let log = logs.get(user);
          if (!log) {
            log = [];
            logs.set(user, log);
          }
          // Monotonic: a wall clock that is set back or forth neither locks anyone out nor lets anyone in.
          return take(log, policies, performance.now());
        },
      },
    },
  };
}
