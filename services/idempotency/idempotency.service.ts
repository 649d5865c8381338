import type { Service, ServiceSchema } from "moleculer";
import type { ActionContext } from "../../actions/caller.ts";
import type { ServiceContext } from "../../actions/service-context.ts";
import type { SavedResponse } from "../../lib/contract/claim.ts";
import { closed, type Static, Type } from "../../lib/contract/schema.ts";
import { storeOf } from "../../lib/store/store.ts";
import { purgeExpired } from "./purge.queries.ts";
import { findSaved, type KeyOfUser } from "./saved.queries.ts";
import { together } from "./together.ts";

const PURGE_EVERY_MS = 30_000;

const params = closed({ workspaceId: Type.String(), userId: Type.String(), key: Type.String() });

/**
 * The responses that are saved of writes with an Idempotency-Key. They are saved in the transaction of their effect
 * (lib/idempotency/settle.ts), so this service only finds them and deletes those that have expired. Each write with a key asks
 * it, so it runs in the processes of the gateway. docs/guides/idempotency.md#replays
 */
export default function idempotencyService(context: ServiceContext): ServiceSchema {
  const { query } = storeOf(context.database);
  const find = together((keys: KeyOfUser[]) => findSaved(query, keys));
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  /** Deletes expired keys after a while, and then again and again. The next time begins when the last one has ended. */
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
      /** The response that is saved under a key of a user, or null. */
      findSaved: {
        params,
        handler: (ctx: ActionContext<Static<typeof params>>): Promise<SavedResponse | null> => find(ctx.params),
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
