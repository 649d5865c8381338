import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { Caller } from "../../lib/caller.ts";
import { findUser } from "../../lib/catalog.ts";
import { ApiError, unprocessable } from "../../lib/errors.ts";
import { madeAt, newUuid, toId, uuidOf } from "../../lib/ids.ts";
import { custom } from "../../lib/issues.ts";
import { closed, idSchema, nullable, oneOf, type Static, Type } from "../../lib/schema.ts";
import type { ActionContext } from "../../mixins/caller.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { databaseMixin } from "../../mixins/database.mixin.ts";
import { storeOf } from "../../mixins/store.ts";
import { hashOf, isKey, newKey } from "./api-keys.ts";
import { KEY_COLUMNS, type KeyRow, presentKey } from "./keys.queries.ts";
import { workspaceBySlug } from "./workspaces.queries.ts";

const createParams = closed({
  workspace: Type.String(),
  email: Type.String(),
  access: Type.Optional(oneOf(["full", "read"])),
  expiresAt: Type.Optional(nullable(Type.String({ format: "date-time" }))),
});

/** API keys: gaps 3. Only the gateway (identify) and the command line call these; no route leads here. */
export default function keysService(context: ServiceContext): ServiceSchema {
  const { query, catalogs } = storeOf(context.database);
  return {
    name: "keys",
    mixins: [databaseMixin(context, "api_keys")],
    actions: {
      /** The caller behind a key, or null for a key that is unknown, revoked or expired, or whose user is removed. */
      identify: {
        params: closed({ key: Type.String() }),
        handler: async (ctx: ActionContext<{ key: string }>): Promise<Caller | null> => {
          if (!isKey(ctx.params.key)) return null;
          const [caller] = await query<Caller & { stale: boolean }>(IDENTIFY, [hashOf(ctx.params.key)]);
          if (!caller) return null;
          const { stale, ...identity } = caller;
          if (stale) noteUse(context, ctx.broker, identity);
          return identity;
        },
      },
      /** A new key; its text is in no later answer. */
      create: {
        params: createParams,
        handler: async (ctx: ActionContext<Static<typeof createParams>>) => {
          const { email, access = "full", expiresAt = null } = ctx.params;
          const workspace = await workspaceBySlug(query, ctx.params.workspace);
          const user = findUser(await catalogs.current(workspace.id), { email });
          if (!user)
            throw unprocessable([
              custom(["user"], `The workspace ${workspace.slug} has no user with the e-mail address ${email}`),
            ]);
          const uuid = newUuid();
          const key = newKey();
          await query(
            "insert into api_keys (workspace_id, id, user_id, hash, access, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)",
            [workspace.id, uuid, user.uuid, hashOf(key), access, madeAt(uuid), expiresAt],
          );
          const expiry = expiresAt === null ? null : new Date(expiresAt).toISOString();
          return { id: toId("key", uuid), key, user: { id: user.id, email: user.email }, access, expiresAt: expiry };
        },
      },
      list: {
        params: closed({ workspace: Type.String() }),
        handler: async (ctx: ActionContext<{ workspace: string }>) => {
          const workspace = await workspaceBySlug(query, ctx.params.workspace);
          const rows = await query<KeyRow>(
            `select ${KEY_COLUMNS} from api_keys k join users u on u.workspace_id = k.workspace_id and u.id = k.user_id where k.workspace_id = $1 order by k.id`,
            [workspace.id],
          );
          return { keys: rows.map(presentKey) };
        },
      },
      /** Takes effect on every gateway within a second: none trusts a key longer without asking. */
      revoke: {
        params: closed({ keyId: idSchema("key") }),
        handler: async (ctx: ActionContext<{ keyId: string }>) => {
          const { keyId } = ctx.params;
          const [row] = await query<{ revokedAt: Date }>(
            `update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning revoked_at as "revokedAt"`,
            [uuidOf("key", keyId)],
          );
          if (!row) throw new ApiError("RESOURCE_NOT_FOUND", `There is no key with the id ${keyId}.`);
          return { id: keyId, revokedAt: row.revokedAt.toISOString() };
        },
      },
    },
  };
}

/** `stale`: a key's last use is noted at most once a minute. */
const IDENTIFY = `
select k.workspace_id as "workspaceId", k.user_id as "userId", k.id as "keyId", k.access,
  coalesce(k.last_used_at < now() - interval '1 minute', true) as stale
from api_keys k join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and u.removed_at is null`;

/** On the pool, and nobody waits for it: its commit would hold up every read behind it. */
function noteUse({ database }: ServiceContext, broker: ServiceBroker, { workspaceId, keyId }: Caller): void {
  database
    .ask("update api_keys set last_used_at = now() where workspace_id = $1 and id = $2", [workspaceId, keyId])
    .catch((error: Error) => broker.logger.warn("The use of a key was not noted:", error.message));
}
