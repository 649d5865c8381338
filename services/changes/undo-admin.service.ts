import type { ServiceSchema } from "moleculer";
import { answered } from "../../base/contract/answer.ts";
import type { Source } from "../../base/contract/caller.ts";
import { closed, idSchema, type Static, Type } from "../../base/contract/schema.ts";
import { isUuid, NIL_UUID, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../base/values/times.ts";
import type { Kept } from "../../engine/changes/log-reads.ts";
import { undoChanges } from "../../engine/changes/undo/undo.ts";
import { countChanges, readChanges, readSeqs, type Wanted } from "../../engine/changes/undo/undo-reads.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import { storeOf } from "../../engine/store/store.ts";
import { type ActionContext, callerOf, type ServiceContext } from "../../mixins/context.ts";
import { type ShownSkipped, shownSkipped } from "./undo.present.ts";

/** Number of changes that one transaction takes back. */
const AT_ONCE = 500;
/** Greater than all numbers of changes. */
const FIRST = "9223372036854775807";

const time = Type.Optional(Type.String({ format: "timestamp-or-date" }));
const which = {
  requestId: Type.Optional(Type.String()),
  since: time,
  until: time,
  userId: Type.Optional(idSchema("user")),
  keyId: Type.Optional(idSchema("key")),
  source: Type.Optional(Type.String()),
};
const countParams = closed(which);
const runParams = closed({ ...which, before: Type.Optional(Type.String()), dryRun: Type.Boolean() });

type Which = Static<typeof countParams>;

/** Result of a part of an undo. */
interface UndonePart {
  /** The uuids of things of which something was taken back. */
  undone: Uuid[];
  skipped: ShownSkipped[];
  /** The number of the last change; null when no older ones are left. */
  next: string | null;
}

/**
 * Undo for the command line, of any number of changes, in the name of an admin of the workspace. No route leads here.
 * docs/guides/history-and-undo.md#at-the-command-line
 */
export default function undoAdminService({ database, env }: ServiceContext): ServiceSchema {
  const store = storeOf(database);
  return {
    name: "undo-admin",
    actions: {
      /** The number of things whose changes would be taken back. */
      count: {
        params: countParams,
        async handler(ctx: ActionContext<Which>): Promise<{ records: number }> {
          const { workspaceId } = callerOf(ctx);
          const { records } = await countChanges(store.queryPlanned, workspaceId, wantedOf(ctx.params), env);
          return { records };
        },
      },
      /** Takes the newest changes back, or those before a number. A dry run tries all of them at once. */
      run: {
        params: runParams,
        async handler(ctx: ActionContext<Static<typeof runParams>>): Promise<UndonePart> {
          const { before = FIRST, dryRun, ...asked } = ctx.params;
          const caller = { ...callerOf(ctx), source: "undo" as const };
          const wanted = wantedOf(asked);
          const done = await store.writeMany(caller, async (writing) => {
            const parts = [await undoPart(writing, wanted, env, before)];
            for (let next = parts[0]?.next; dryRun && next; next = parts.at(-1)?.next)
              parts.push(await undoPart(writing, wanted, env, next));
            return JSON.stringify({
              undone: parts.flatMap(({ undone }) => undone),
              skipped: parts.flatMap(({ skipped }) => skipped),
              next: parts.at(-1)?.next ?? null,
            });
          });
          return JSON.parse(answered(done).data);
        },
      },
    },
  };
}

function wantedOf({ requestId, since, until, userId, keyId, source }: Which): Wanted {
  if (requestId !== undefined) return { requestId: isUuid(requestId) ? requestId : NIL_UUID };
  const instantOf = (text = "") => instantOfTimeOrDate(text) ?? Number.NaN;
  return {
    since: instantOf(since),
    until: until === undefined ? undefined : instantOf(until),
    userId: userId === undefined ? undefined : (uuidOf("user", userId) ?? NIL_UUID),
    keyId: keyId === undefined ? undefined : (uuidOf("key", keyId) ?? NIL_UUID),
    source: source as Source | undefined,
  };
}

async function undoPart(writing: WriteContext, wanted: Wanted, kept: Kept, before: string): Promise<UndonePart> {
  const { query, caller } = writing;
  const entries = await readChanges(query, caller.workspaceId, wanted, kept, { before, limit: AT_ONCE });
  const last = entries.at(-1)?.seq;
  if (last === undefined) return { undone: [], skipped: [], next: null };
  // Changes of one user are not changed by others, whatever part they are in.
  const isOfOne = "requestId" in wanted || wanted.userId !== undefined || wanted.keyId !== undefined;
  const seqs = isOfOne ? undefined : await readSeqs(query, caller.workspaceId, wanted, kept, last);
  const { undone, skipped } = await undoChanges(writing, entries, kept, seqs ? { seqs } : {});
  return {
    undone: [...undone],
    skipped: await shownSkipped(writing, skipped),
    next: entries.length < AT_ONCE ? null : last,
  };
}
