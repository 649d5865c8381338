import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { ActionContext } from "../../../actions/caller.ts";
import type { ServiceContext } from "../../../actions/service-context.ts";
import type { User } from "../../../lib/catalog/catalog.ts";
import { findUser } from "../../../lib/catalog/users.ts";
import type { Caller } from "../../../lib/contract/caller.ts";
import { ApiError, unprocessable } from "../../../lib/contract/errors.ts";
import { custom } from "../../../lib/contract/issues.ts";
import { closed, idSchema, nullable, oneOf, type Static, Type } from "../../../lib/contract/schema.ts";
import { presentRow } from "../../../lib/resources/rows.ts";
import { hashOf, newKey } from "../../../lib/secrets/api-keys.ts";
import { storeOf } from "../../../lib/store/store.ts";
import { type Uuid, uuidOf } from "../../../lib/values/ids.ts";
import { tableMixin } from "../../../mixins/table.mixin.ts";
import { workspaceBySlug } from "../workspaces/workspaces.queries.ts";
import { keys } from "./keys.resource.ts";

/** A row of keys, as moleculer-db gives it: without the hash. */
interface KeyRow {
  uuid: Uuid;
  userId: Uuid;
  revokedAt: Date | null;
  [field: string]: unknown;
}

const SHOWN = ["userId", "access", "expiresAt", "revokedAt", "lastUsedAt"];

const createParams = closed({
  workspace: Type.String(),
  email: Type.String(),
  access: Type.Optional(oneOf(["full", "read"])),
  expiresAt: Type.Optional(nullable(Type.String({ format: "date-time" }))),
});

/**
 * API keys. The gateway calls `identify`, the command line the other actions. No route leads here.
 * docs/guides/access.md#api-keys
 */
export default function keysService(context: ServiceContext): ServiceSchema {
  const { query, catalogs } = storeOf(context.database);
  return {
    name: "keys",
    mixins: [tableMixin(context.database, keys, SHOWN)],
    actions: {
      /**
       * The user behind a key, or null for a key that is unknown, revoked or expired, or whose user was removed. It is told the
       * hash of the key in hexadecimal, since it may run in another process than the gateway, and a key goes no further than it
       * has to.
       */
      identify: {
        params: closed({ hash: Type.String() }),
        handler: async (ctx: ActionContext<{ hash: string }>): Promise<Caller | null> => {
          const [caller] = await query<Caller & { stale: boolean }>(IDENTIFY, [Buffer.from(ctx.params.hash, "hex")]);
          if (!caller) return null;
          const { stale, ...identity } = caller;
          if (stale) noteUse(context, ctx.broker, identity);
          return identity;
        },
      },
      /** Makes a key. Only this answer has its text. */
      create: {
        params: createParams,
        async handler(ctx: ActionContext<Static<typeof createParams>>) {
          const { email, access = "full", expiresAt = null } = ctx.params;
          const workspace = await workspaceBySlug(query, ctx.params.workspace);
          const user = findUser(await catalogs.current(workspace.id), { email });
          if (!user)
            throw unprocessable([
              custom(
                ["user"],
                `The workspace ${workspace.slug} has no user with the e-mail address ${email}. "users list" shows those there are`,
              ),
            ]);
          const expiry = expiryOf(expiresAt);
          const key = newKey();
          const row: KeyRow = await this._create(ctx, {
            workspaceId: workspace.id,
            userId: user.uuid,
            hash: hashOf(key),
            access,
            expiresAt: expiry,
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
          const { users } = await catalogs.current(workspace.id);
          const rows: KeyRow[] = await this._find(ctx, { query: { workspaceId: workspace.id } });
          return { keys: rows.map((row) => present(row, users.get(row.userId))) };
        },
      },
      /** Ends a key. It stops working within a second, since no gateway trusts a key longer without asking. */
      revoke: {
        params: closed({ keyId: idSchema("key") }),
        async handler(ctx: ActionContext<{ keyId: string }>) {
          const { keyId } = ctx.params;
          const uuid = uuidOf("key", keyId);
          const [known]: KeyRow[] = uuid === null ? [] : await this._find(ctx, { query: { uuid } });
          if (!known)
            throw new ApiError(
              "RESOURCE_NOT_FOUND",
              `There is no key with the id ${keyId}. "keys list" shows those there are.`,
            );
          const row: KeyRow = known.revokedAt ? known : await this._update(ctx, { uuid, revokedAt: new Date() });
          return { id: keyId, revokedAt: presentRow(keys, row).revokedAt };
        },
      },
    },
  };
}

/** A key as the command line lists it. docs/guides/running.md#keys-and-users */
function present(row: KeyRow, user: User | undefined) {
  const { id, ...rest } = presentRow(keys, row);
  return { id, user: { id: user?.id ?? null, email: user?.email ?? null }, ...rest };
}

/**
 * When a key expires. A time that has passed is a mistake, which would else show only when the key is used.
 * docs/guides/running.md#keys-and-users
 * @throws ApiError 422 for such a time
 */
function expiryOf(expiresAt: string | null): Date | null {
  if (expiresAt === null) return null;
  const expiry = new Date(expiresAt);
  if (expiry > new Date()) return expiry;
  throw unprocessable([
    custom(
      ["expiresAt"],
      `${expiry.toISOString()} has passed: the key would never work. Give a later time; a date alone means its start in UTC`,
    ),
  ]);
}

/** `stale` says that the use of the key has to be noted again, which is done at most once a minute. */
const IDENTIFY = `
select k.workspace_id as "workspaceId", k.user_id as "userId", k.id as "keyId", k.access,
  coalesce(k.last_used_at < now() - interval '1 minute', true) as stale
from api_keys k join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and u.removed_at is null`;

/**
 * Notes that a key was used. Nobody waits for it, and it takes a connection of the pool: on the one that reads share, all reads
 * behind it would wait for its commit.
 */
function noteUse({ database }: ServiceContext, broker: ServiceBroker, { workspaceId, keyId }: Caller): void {
  database
    .queryAlone("update api_keys set last_used_at = now() where workspace_id = $1 and id = $2", [workspaceId, keyId])
    .catch((error: Error) => broker.logger.warn("The use of a key was not noted:", error.message));
}
