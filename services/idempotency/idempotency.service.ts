import type { ServiceSchema } from "moleculer";
import type { SavedResponse } from "../../base/contract/claim.ts";
import { closed, type Static, Type } from "../../base/contract/schema.ts";
import { batched } from "../../base/jobs/batched.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { byWorkspace } from "../../database/by-workspace.ts";
import type { Query } from "../../database/query.ts";
import { SEALED } from "../../engine/secrets/cipher.ts";
import { responsePurpose } from "../../engine/secrets/purposes.ts";
import { sealingOf } from "../../engine/secrets/sealing.ts";
import { storeOf } from "../../engine/store/store.ts";
import type { ActionContext, ServiceContext } from "../../mixins/context.ts";

interface KeyOfUser {
  workspaceId: Uuid;
  userId: string;
  key: string;
}

/** A response as it is stored: of one that is encrypted `body` is null and `sealed` has its bytes. */
interface StoredResponse extends SavedResponse {
  sealed: Buffer | null;
}

/** First byte of an encrypted body. PostgreSQL reads only the beginning of a long body for it. */
const IS_SEALED = `substring(body from 1 for 1) = '\\x${Buffer.of(SEALED).toString("hex")}'`;

/**
 * The responses that are saved under keys and have not expired, in the order of the keys; null where there is none. The
 * plan of this statement is made once, maybe while there are few rows. So that it serves later too, each key is looked
 * up by itself, the newest period first, since a join would read all rows. An expired response is deleted, so that
 * another one can be saved in its place.
 */
async function findSaved(query: Query, keys: readonly KeyOfUser[]): Promise<(StoredResponse | null)[]> {
  const numbered = keys.map((key, at) => ({ ...key, at }));
  const saved = await byWorkspace(numbered, (workspaceId, ofOne) => findIn(query, workspaceId, ofOne));
  const responses = new Map(saved.map(({ at, response }) => [at, response]));
  return numbered.map(({ at }) => responses.get(at) ?? null);
}

/** The responses that are saved under keys of a workspace, with the numbers of the keys. */
async function findIn(query: Query, workspaceId: Uuid, keys: readonly (KeyOfUser & { at: number })[]) {
  const asked = [workspaceId, keys.map(({ userId }) => userId), keys.map(({ key }) => key)];
  const rows = await query<StoredResponse & { at: number; isKept: boolean }>(
    `select asked.at, fingerprint, status, expires_at > now() as "isKept",
       case when not ${IS_SEALED} then convert_from(body, 'UTF8') end as body, case when ${IS_SEALED} then body end as sealed
     from unnest($2::uuid[], $3::text[]) with ordinality as asked (user_id, key, at)
     cross join lateral (
       select * from saved_responses saved
       where saved.workspace_id = $1 and saved.user_id = asked.user_id and saved.key = asked.key
       order by saved.period desc limit 1
     ) one`,
    asked,
  );
  if (rows.some(({ isKept }) => !isKept)) await query(DELETE_EXPIRED, asked);
  return rows.flatMap(({ at, isKept, ...response }) =>
    isKept ? [{ at: keys[at - 1]?.at, response: response satisfies StoredResponse }] : [],
  );
}

const DELETE_EXPIRED = `
delete from saved_responses saved using unnest($2::uuid[], $3::text[]) asked (user_id, key)
where saved.workspace_id = $1 and saved.user_id = asked.user_id and saved.key = asked.key and saved.expires_at <= now()`;

const params = closed({ workspaceId: Type.String(), userId: Type.String(), key: Type.String() });

/**
 * The responses that are saved of writes with an Idempotency-Key. They are saved in the transaction of their effect
 * (engine/idempotency/run-once.ts), so this service only finds them. Each write with a key asks it, so it runs in the
 * processes of the gateway. docs/guides/idempotency.md#replays
 */
export default function idempotencyService(context: ServiceContext): ServiceSchema {
  const { query } = storeOf(context.database);
  const find = batched((keys: KeyOfUser[]) => findSaved(query, keys));

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
        handler: (ctx: ActionContext<Static<typeof params>>): Promise<SavedResponse | null> =>
          findOpened(ctx.params as KeyOfUser),
      },
    },
  };
}
