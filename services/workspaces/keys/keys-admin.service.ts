import type { ServiceSchema } from "moleculer";
import { type ApiError, unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { closed, idSchema, type Static, Type } from "../../../base/contract/schema.ts";
import { toId, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { KEY_OVERLAP_DAYS_MAX } from "../../../config/limits.ts";
import { run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { hashOf, newKey, prefixOf } from "../../../engine/secrets/api-keys.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { ActionContext, ServiceContext } from "../../../mixins/context.ts";
import { workspaceBySlug } from "../workspaces/workspaces.queries.ts";
import { expiry, expiryOf, keyName, nameOf } from "./keys.judge.ts";
import { presentKey, stateOf } from "./keys.present.ts";
import { type FoundKey, findKeys, keyById, nameKey, namesOfKeys, replaceKey } from "./keys.queries.ts";

/** Maximum number of keys shown that one name or prefix means. */
const FOUND_MAX = 20;
/** Maximum number of names among which the nearest is looked for. */
const KNOWN_MAX = 500;

const findParams = closed({
  keyId: Type.Optional(Type.String()),
  hash: Type.Optional(Type.String()),
  prefix: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  workspace: Type.Optional(Type.String()),
});

const rotateParams = closed({
  keyId: idSchema("key"),
  overlapS: Type.Integer({ minimum: 0, maximum: KEY_OVERLAP_DAYS_MAX * 86_400 }),
  expiresAt: Type.Optional(expiry),
});

const renameParams = closed({ keyId: idSchema("key"), name: keyName });

/** Finding, naming and rotating API keys, as the command line does. docs/guides/keys.md */
export default function keysAdminService(context: ServiceContext): ServiceSchema {
  const { query, definitionsCache } = storeOf(context.database);
  const inTransaction = <Result>(work: (inside: Query) => Promise<Result>): Promise<Result> =>
    context.database.transaction((trx) => work((sql, values, form) => run(trx, sql, values, form)));
  return {
    name: "keys-admin",
    actions: {
      /**
       * The keys that have an id, a hash (in hexadecimal), a prefix or a name, in one workspace or in all, with the
       * slugs of their workspaces. A list, since several keys may share a name. When there is none, `known` has names
       * that there are.
       */
      find: {
        params: findParams,
        handler: async (ctx: ActionContext<Static<typeof findParams>>) => {
          const { keyId, hash, prefix, name, workspace } = ctx.params;
          const question = {
            uuid: keyId === undefined ? undefined : (uuidOf("key", keyId) ?? undefined),
            hash: hash === undefined ? undefined : Buffer.from(hash, "hex"),
            prefix,
            name: name?.trim(),
            workspaceId: workspace === undefined ? undefined : (await workspaceBySlug(query, workspace)).id,
          };
          const found = await findKeys(query, question, FOUND_MAX);
          const now = new Date();
          const present = async (row: FoundKey) => {
            const { users } = await definitionsCache.current(row.workspaceId);
            return { ...presentKey(row, users.get(row.userId), now), workspace: row.workspace };
          };
          const known = found.length > 0 ? [] : await namesOfKeys(query, question.workspaceId, KNOWN_MAX);
          return { keys: await Promise.all(found.map(present)), known };
        },
      },
      /** Gives a key a name, or none. */
      rename: {
        params: renameParams,
        handler: async (ctx: ActionContext<Static<typeof renameParams>>) => {
          const { workspaceId, uuid } = await keyById(query, ctx.params.keyId);
          const name = nameOf(ctx.params.name);
          await inTransaction((inside) => nameKey(inside, { workspaceId, ...ctx.meta.run }, uuid, name));
          return { id: ctx.params.keyId, name };
        },
      },
      /**
       * Makes a key of the same user, access and name in the place of another one, which goes on for the overlap. Only
       * this answer has the text of the new one. docs/guides/keys.md#rotating-a-key
       */
      rotate: {
        params: rotateParams,
        handler: async (ctx: ActionContext<Static<typeof rotateParams>>) => {
          const { keyId, overlapS, expiresAt = null } = ctx.params;
          const known = await keyById(query, keyId);
          const expires = expiryOf(expiresAt) ?? undefined;
          const key = newKey();
          const parts = { hash: hashOf(key), prefix: prefixOf(key), expiresAt: expires };
          const until = new Date(Date.now() + overlapS * 1000);
          const author = { workspaceId: known.workspaceId, ...ctx.meta.run };
          const made = await inTransaction((inside) => replaceKey(inside, author, known.uuid, parts, until));
          if (!made) throw notRotated(await keyById(query, keyId));
          const user = (await definitionsCache.current(known.workspaceId)).users.get(known.userId);
          return {
            id: toId("key", made.uuid),
            key,
            user: { id: user?.id ?? null, email: user?.email ?? null },
            access: known.access,
            name: known.name,
            prefix: parts.prefix,
            expiresAt: made.expiresAt?.toISOString() ?? null,
            replaces: { id: keyId, expiresAt: made.oldExpiresAt.toISOString() },
          };
        },
      },
    },
  };
}

/** Why a key was not rotated. */
function notRotated(row: FoundKey): ApiError {
  const id = toId("key", row.uuid);
  const successor = row.successorId ? toId("key", row.successorId as Uuid) : undefined;
  const state = stateOf(row, new Date());
  const message =
    successor === undefined
      ? `The key ${id} is ${state}, and cannot be rotated: make a new one with "keys create"`
      : `The key ${id} was rotated before: ${successor} is in its place. Rotate that one`;
  return unprocessable([custom(["keyId"], message)]);
}
