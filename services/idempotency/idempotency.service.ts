import type { ServiceSchema } from "moleculer";
import type { SavedResponse } from "../../base/contract/claim.ts";
import { closed, type Static, Type } from "../../base/contract/schema.ts";
import { together } from "../../base/jobs/together.ts";
import { responsePurpose } from "../../engine/secrets/purposes.ts";
import { sealingOf } from "../../engine/secrets/sealing.ts";
import { storeOf } from "../../engine/store/store.ts";
import type { ActionContext } from "../../mixins/caller.ts";
import type { ServiceContext } from "../../mixins/service-context.ts";
import { findSaved, type KeyOfUser } from "./saved.queries.ts";

const params = closed({ workspaceId: Type.String(), userId: Type.String(), key: Type.String() });

/**
 * The responses that are saved of writes with an Idempotency-Key. They are saved in the transaction of their effect
 * (engine/idempotency/settle.ts), so this service only finds them. Each write with a key asks it, so it runs in the
 * processes of the gateway. docs/guides/idempotency.md#replays
 */
export default function idempotencyService(context: ServiceContext): ServiceSchema {
  const { query } = storeOf(context.database);
  const find = together((keys: KeyOfUser[]) => findSaved(query, keys));

  /** The response that is saved under a key. Each is opened by itself, so one that cannot be opened fails no other. */
  async function findOpened(key: KeyOfUser): Promise<SavedResponse | null> {
    const stored = await find(key);
    if (!stored) return null;
    const { sealed, ...saved } = stored;
    if (!sealed) return saved;
    const sealing = await sealingOf(context.database);
    return { ...saved, body: sealing.open(sealed, responsePurpose(key)) };
  }

  return {
    name: "idempotency",
    actions: {
      /** The response that is saved under a key of a user, or null. */
      findSaved: {
        params,
        handler: (ctx: ActionContext<Static<typeof params>>): Promise<SavedResponse | null> => findOpened(ctx.params),
      },
    },
  };
}
