import type { ServiceSchema } from "moleculer";
import type { Decision, Policy } from "../../base/contract/rate-windows.ts";
import { closed, type Static, Type } from "../../base/contract/schema.ts";
import type { ActionContext, ServiceContext } from "../../mixins/context.ts";
import type { Limiter } from "./limiter.ts";
import { memoryLimiter } from "./memory-limiter.ts";
import { sharedLimiter } from "./shared-limiter.ts";

const user = { workspaceId: Type.String(), userId: Type.String() };
const params = closed(user);
const heldParams = closed({ ...user, count: Type.Integer() });

/**
 * The rate limits of users, for all keys of a user together: docs/guides/limits.md#rate-limits. Each request asks this
 * service, so it runs in the processes of the gateway. docs/decisions/0007-rate-limits.md
 */
export default function ratelimitService({ env, database }: ServiceContext): ServiceSchema {
  const policies: Policy[] =
    env.rateLimits === "off" ? [] : Object.entries(env.rateLimits).map(([name, policy]) => ({ name, ...policy }));
  let limiter: Limiter | undefined;

  return {
    name: "ratelimit",
    actions: {
      /**
       * Counts a request of a user under every policy, or under none when one of them refuses it; null when limits are
       * off.
       */
      countRequest: {
        params,
        handler: (ctx: ActionContext<Static<typeof params>>): Decision | Promise<Decision> | null =>
          limiter?.countRequest(ctx.params) ?? null,
      },
      /** Counts requests for another process, which knows from the database that this one holds the user. */
      countHeld: {
        params: heldParams,
        handler: async ({ params: { count, ...user } }: ActionContext<Static<typeof heldParams>>) =>
          limiter?.countHeld(user, count) ?? [],
      },
    },
    created() {
      const { broker } = this;
      if (policies.length === 0) return;
      limiter = env.natsUrls
        ? sharedLimiter({
            database,
            policies,
            nodeID: broker.nodeID,
            askNode: (nodeID, asked, count, timeout) =>
              broker.call("ratelimit.countHeld", { ...asked, count }, { nodeID, timeout }),
          })
        : memoryLimiter(database, policies);
    },
    async started() {
      await limiter?.open();
    },
    // The gateway of this process has stopped before (cli/process.ts), so no request of its own is counted any more.
    async stopped() {
      await limiter?.close().catch((error: Error) => {
        this.logger.warn("What still counts of the rate windows was not kept:", error.message);
      });
    },
  };
}
