import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { Caller } from "../../../base/contract/caller.ts";
import { closed, idSchema, oneOf, type Static, Type } from "../../../base/contract/schema.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import type { Origin } from "../../../engine/events/append.ts";
import { presentRow } from "../../../engine/rows/rows.ts";
import { hashOf, newKey, prefixOf } from "../../../engine/secrets/api-keys.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ActionContext, ServiceContext } from "../../../mixins/context.ts";
import { tableMixin } from "../../../mixins/table.mixin.ts";
import { findUser } from "../../../model/definitions/users.ts";
import { keys } from "../../../model/resources/keys.ts";
import { noUser } from "../users/users.unknown.ts";
import { workspaceBySlug } from "../workspaces/workspaces.queries.ts";
import { createPlaces, insertHash } from "./key-places.ts";
import { expiry, expiryOf, keyName, nameOf } from "./keys.judge.ts";
import { type KeyRow, presentKey } from "./keys.present.ts";
import { callerByHash, isExpiredHash, keyById, tellOfKey } from "./keys.queries.ts";

const SHOWN = ["userId", "access", "expiresAt", "revokedAt", "lastUsedAt", "name", "prefix", "successorId"];

const createParams = closed({
  workspace: Type.String(),
  email: Type.String(),
  access: Type.Optional(oneOf(["full", "read"])),
  expiresAt: Type.Optional(expiry),
  name: Type.Optional(keyName),
});

/**
 * API keys. The gateway calls `identify`, the command line the other actions, and those of `keys-admin`. No route leads
 * here.
 * docs/guides/access.md#api-keys
 */
export default function keysService(context: ServiceContext): ServiceSchema {
  const { query, definitionsCache } = storeOf(context.database);
  const findPlace = createPlaces(query);

  return {
    name: "keys",
    mixins: [tableMixin(context.database, keys, SHOWN, writeBesideKey)],
    actions: {
      /**
       * The user behind a key, or null for a key that is unknown, revoked or expired, or whose user was removed. The
       * action gets the hash of the key in hexadecimal, because it may run in another process than the gateway, and a
       * key goes no further than it has to.
       */
      identify: {
        params: closed({ hash: Type.String() }),
        handler: async (ctx: ActionContext<{ hash: string }>): Promise<Caller | null> => {
          const caller = await callerByHash(query, findPlace, ctx.params.hash);
          if (!caller) return null;
          const { stale, ...identity } = caller;
          if (stale) noteUse(context, ctx.broker, identity);
          return identity;
        },
      },
      /** Whether a key has expired, as the 401 of a request with it says. Asked for keys that are not valid alone. */
      isExpired: {
        params: closed({ hash: Type.String() }),
        handler: (ctx: ActionContext<{ hash: string }>) => isExpiredHash(query, findPlace, ctx.params.hash),
      },
      /** Makes a key. Only this answer has its text. */
      create: {
        params: createParams,
        async handler(ctx: ActionContext<Static<typeof createParams>>) {
          const { email, access = "full", expiresAt = null, name = null } = ctx.params;
          const workspace = await workspaceBySlug(query, ctx.params.workspace);
          const definitions = await definitionsCache.current(workspace.id);
          const user = findUser(definitions, { email });
          if (!user) throw noUser(definitions, email, ["user"]);
          const [expires, named] = [expiryOf(expiresAt), nameOf(name)];
          const key = newKey();
          const row: KeyRow = await this._create(ctx, {
            workspaceId: workspace.id,
            userId: user.uuid,
            hash: hashOf(key),
            prefix: prefixOf(key),
            access,
            expiresAt: expires,
            name: named,
            author: { workspaceId: workspace.id, ...ctx.meta.run },
          });
          const { id, expiresAt: kept } = presentRow(keys, row);
          return { id, key, user: { id: user.id, email: user.email }, access, expiresAt: kept };
        },
      },
      /** All keys of a workspace in the order of their creation, those of removed users too. */
      list: {
        params: closed({ workspace: Type.String() }),
        async handler(ctx: ActionContext<{ workspace: string }>) {
          const workspace = await workspaceBySlug(query, ctx.params.workspace);
          const { users } = await definitionsCache.current(workspace.id);
          const rows: KeyRow[] = await this._find(ctx, { query: { workspaceId: workspace.id } });
          const now = new Date();
          return { keys: rows.map((row) => presentKey(row, users.get(row.userId), now)) };
        },
      },
      /** Ends a key. It stops working within a second, since no gateway trusts a key longer without asking. */
      revoke: {
        params: closed({ keyId: idSchema("key") }),
        async handler(ctx: ActionContext<{ keyId: string }>) {
          const { keyId } = ctx.params;
          const known = await keyById(query, keyId);
          const row: KeyRow = known.revokedAt
            ? known
            : await this._update(ctx, {
                uuid: known.uuid,
                revokedAt: new Date(),
                author: { workspaceId: known.workspaceId, ...ctx.meta.run },
              });
          return { id: keyId, revokedAt: presentRow(keys, row).revokedAt };
        },
      },
    },
  };
}

/** Puts the hash of a new key into the directory of hashes, and tells the log of a new or changed key. */
async function writeBesideKey(query: Query, { uuid, hash }: Record<string, unknown>, author: Origin): Promise<void> {
  const keyId = uuid as Uuid;
  await Promise.all([
    ...(hash ? [insertHash(query, { workspaceId: author.workspaceId, keyId }, hash as Buffer)] : []),
    tellOfKey(query, author, keyId),
  ]);
}

/**
 * Notes that a key was used. No request waits for it, and it takes a connection of the pool: on the one that reads
 * share, all reads behind it would wait for its commit.
 */
function noteUse({ database }: ServiceContext, broker: ServiceBroker, { workspaceId, keyId }: Caller): void {
  database
    .queryPlanned("update api_keys set last_used_at = now() where workspace_id = $1 and id = $2", [workspaceId, keyId])
    .catch((error: Error) => broker.logger.warn("The use of a key was not noted:", error.message));
}
