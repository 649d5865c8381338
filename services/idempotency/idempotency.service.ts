import type { Service, ServiceSchema } from "moleculer";
import type { ActionContext } from "../../actions/caller.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import type { SavedResponse } from "../../lib/contract/claim.ts";
import { closed, type Static, Type } from "../../lib/contract/schema.ts";
import { storeOf } from "../../lib/store/store.ts";
import { purgeExpired } from "./purge.queries.ts";
import { type Asked, findSaved } from "./saved.queries.ts";
import { together } from "./together.ts";

const PURGE_EVERY_MS = 30_000;

const params = closed({ workspaceId: Type.String(), userId: Type.String(), key: Type.String() });

/**
 * Saved responses of writes with an Idempotency-Key. They are written in the transaction of their effect
 * (lib/idempotency/settle.ts), so there is nothing to do here but to look and to purge. It runs where the gateway runs.
 */
export default function idempotencyService(context: ServiceContext): ServiceSchema {
  const { query } = storeOf(context.database);
  const look = together((asked: Asked[]) => findSaved(query, asked));
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  /** One purge after the other, however long one takes. */
  function purgeLater(logger: Service["logger"]): void {
    timer = setTimeout(() => {
      purgeExpired(context.database, stopping.signal)
        .catch((error: Error) => logger.warn("Expired keys were not purged:", error.message))
        .finally(() => {
          if (!stopping.signal.aborted) purgeLater(logger);
        });
    }, PURGE_EVERY_MS);
    timer.unref();
  }

  return {
    name: "idempotency",
    actions: {
      /** The response saved under a key of a user, or null. */
      look: {
        params,
        handler: (ctx: ActionContext<Static<typeof params>>): Promise<SavedResponse | null> => look(ctx.params),
      },
    },
    started() {
      purgeLater(this.logger);
    },
    stopped() {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
