import type { ServiceSchema } from "moleculer";
import type { Answer } from "../../base/contract/answer.ts";
import { type Caller, SOURCES, type Source } from "../../base/contract/caller.ts";
import { ApiError, unprocessable } from "../../base/contract/errors.ts";
import { custom, type Issue } from "../../base/contract/issues.ts";
import { closed, DRY_RUN, idSchema, oneOf, Type } from "../../base/contract/schema.ts";
import { isUuid, NIL_UUID, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../base/values/times.ts";
import { undoChanges } from "../../engine/changes/undo/undo.ts";
import { countChanges, readChanges, type Wanted } from "../../engine/changes/undo/undo-reads.ts";
import { REASONS, UNDO_KINDS } from "../../engine/changes/undo/undoing.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import { storeOf } from "../../engine/store/store.ts";
import { type ActionContext, callerOf, type ServiceContext } from "../../mixins/context.ts";
import { shownSkipped } from "./undo.present.ts";

/** Most records that one request takes changes of back. docs/guides/history-and-undo.md#undo */
const RECORDS_MAX = 1000;

const time = (description: string) => Type.Optional(Type.String({ format: "timestamp-or-date", description }));
const requestId = Type.String({
  minLength: 36,
  maxLength: 36,
  description: "The X-Request-Id of the answer to a write",
});

const undoBody = closed(
  {
    requestId: Type.Optional(requestId),
    since: time("Changes at this time or later"),
    until: time("Changes before this time"),
    userId: Type.Optional(idSchema("user")),
    keyId: Type.Optional(idSchema("key")),
    source: Type.Optional(oneOf(SOURCES)),
  },
  { title: "UndoRequest", eitherMember: ["requestId", "since"] },
);

const undoOfKeyBody = closed(
  {
    requestId: Type.Optional(Type.String({ minLength: 36, maxLength: 36 })),
    since: time("Writes at this time or later"),
    until: time("Writes before this time"),
  },
  { exactlyOneOf: ["requestId", "since"] },
);

const undoneSchema = Type.Object(
  {
    undone: Type.Integer({ description: "Records of which something was taken back" }),
    skipped: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          entityType: oneOf(UNDO_KINDS),
          reason: oneOf(REASONS),
          changes: Type.Array(
            Type.Object(
              {
                path: Type.Array(Type.String()),
                before: Type.Unknown(),
                after: Type.Unknown(),
                now: Type.Unknown(),
              },
              { title: "LeftChange" },
            ),
            { description: "The fields that were left alone; empty for whole records" },
          ),
        },
        { title: "Skipped" },
      ),
    ),
  },
  { title: "Undone" },
);

interface Sent {
  requestId?: string;
  since?: string | undefined;
  until?: string | undefined;
  userId?: string;
  keyId?: string;
  source?: Source;
}

type SentOfKey = Pick<Sent, "requestId" | "since" | "until">;

/** An undo that is asked for. */
interface Asked {
  sent: Sent;
  /** Null for a request that cannot exist. */
  wanted: Wanted | null;
  /** The key that it is bound to; null for an undo of users. */
  ownKey: Uuid | null;
}

/** Takes changes back. docs/guides/history-and-undo.md#undo */
export default function undoService({ database, env }: ServiceContext): ServiceSchema {
  const store = storeOf(database);
  return {
    name: "undo",
    actions: {
      create: {
        summary: "Undo changes",
        description:
          "Of one request, or of a user, a key or a source in a time: the newest first, all in one transaction. Fields that have changed since stay, and are told.",
        params: closed({ ...DRY_RUN, body: undoBody }),
        returns: { data: undoneSchema },
        handler: (ctx: ActionContext<{ body: Sent }>) =>
          undo(callerOf(ctx), { sent: ctx.params.body, wanted: wantedOf(ctx.params.body), ownKey: null }),
      },
      // No route leads here: assistants ask for it. docs/guides/assistants.md#undo
      createOfKey: {
        summary: "Undo changes of this key",
        description: "Of one request, or of a time. Changes of other keys stay, also those of the same user.",
        params: closed({ ...DRY_RUN, body: undoOfKeyBody }),
        returns: { data: undoneSchema },
        handler: (ctx: ActionContext<{ body: SentOfKey }>) => {
          const caller = callerOf(ctx);
          const { body } = ctx.params;
          return undo(caller, { sent: body, wanted: ofKey(caller, body), ownKey: caller.keyId ?? NIL_UUID });
        },
      },
    },
  };

  function undo(asking: Caller, { sent, wanted, ownKey }: Asked): Promise<Answer> {
    const caller = { ...asking, source: "undo" as const };
    return store.writeMany(caller, async (writing) => {
      await needRight(writing, sent);
      if (!wanted) return JSON.stringify({ undone: 0, skipped: [] });
      const { query } = writing;
      const { records, users } = await countChanges(query, caller.workspaceId, wanted, env);
      needOwn(writing, users);
      if (records > RECORDS_MAX) throw tooMany(sent, records);
      const entries = await readChanges(query, caller.workspaceId, wanted, env);
      const { undone, skipped } = await undoChanges(writing, entries, env, { ownKey });
      return JSON.stringify({ undone: undone.size, skipped: await shownSkipped(writing, skipped) });
    });
  }
}

/**
 * The changes that an assistant asks for, as far as its key has made them; null for a request that cannot exist.
 * @throws ApiError 422 for members that do not go together
 */
function ofKey({ keyId }: Caller, { requestId: id, since, until }: SentOfKey): Wanted | null {
  const key = keyId ?? NIL_UUID;
  if (id === undefined) return timeOf({ since, until, keyId: toId("key", key) });
  if (until !== undefined) throw unprocessable([custom(["until"], NAMES_ALL)]);
  return isUuid(id) ? { requestId: id, keyId: key } : null;
}

const NAMES_ALL = "A requestId names all changes by itself";

/**
 * The changes that a body asks for; null for a request that cannot exist.
 * @throws ApiError 422 for members that do not go together
 */
function wantedOf(sent: Sent): Wanted | null {
  const { requestId: id, ...others } = sent;
  if (id === undefined) return timeOf(others);
  const issues = Object.keys(others).map((name): Issue => custom([name], NAMES_ALL));
  if (issues.length > 0) throw unprocessable(issues);
  return isUuid(id) ? { requestId: id } : null;
}

function timeOf({ since = "", until, userId, keyId, source }: Sent): Wanted {
  if (userId === undefined && keyId === undefined && source === undefined)
    throw unprocessable([custom([], 'With "since" send at least one of "userId", "keyId" and "source"')]);
  const instantOf = (time: string) => instantOfTimeOrDate(time) ?? Number.NaN;
  return {
    since: instantOf(since),
    until: until === undefined ? undefined : instantOf(until),
    userId: userId === undefined ? undefined : (uuidOf("user", userId) ?? NIL_UUID),
    keyId: keyId === undefined ? undefined : (uuidOf("key", keyId) ?? NIL_UUID),
    source,
  };
}

const REFUSED = "Only admins of the workspace take back the changes of others.";

function isAdmin({ definitions, caller }: WriteContext): boolean {
  return definitions.users.get(caller.userId)?.role === "admin";
}

/**
 * @throws ApiError 403 for another user or their key, unless the caller is an admin of the workspace.
 *   docs/guides/history-and-undo.md#who-may-undo
 */
async function needRight(writing: WriteContext, { userId, keyId }: Sent): Promise<void> {
  if (isAdmin(writing)) return;
  const { query, caller } = writing;
  if (userId !== undefined && uuidOf("user", userId) !== caller.userId) throw new ApiError("FORBIDDEN", REFUSED);
  if (keyId === undefined) return;
  const uuid = uuidOf("key", keyId) ?? NIL_UUID;
  const own = await query("select from api_keys where workspace_id = $1 and id = $2 and user_id = $3", [
    caller.workspaceId,
    uuid,
    caller.userId,
  ]);
  if (own.length === 0) throw new ApiError("FORBIDDEN", REFUSED);
}

/** @throws ApiError 403 for changes of others, unless the caller is an admin of the workspace */
function needOwn(writing: WriteContext, users: readonly (Uuid | null)[]): void {
  if (!isAdmin(writing) && users.some((uuid) => uuid !== writing.caller.userId))
    throw new ApiError("FORBIDDEN", REFUSED);
}

function tooMany({ requestId: id }: Sent, records: number): ApiError {
  const message = `${records} records were changed, and one request takes the changes of ${RECORDS_MAX} back. Name a shorter time, or use the command undo`;
  return unprocessable([custom([id === undefined ? "since" : "requestId"], message, { records })]);
}
