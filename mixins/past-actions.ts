import type { Answer, Answered } from "../base/contract/answer.ts";
import { SOURCES } from "../base/contract/caller.ts";
import { refusedVersion } from "../base/contract/etag.ts";
import type { Page } from "../base/contract/page.ts";
import {
  closed,
  DRY_RUN,
  IF_MATCH,
  idSchema,
  nullable,
  oneOf,
  type TSchema,
  Type,
  timestampSchema,
} from "../base/contract/schema.ts";
import { type IdKind, type Uuid, uuidOf } from "../base/values/ids.ts";
import { jsonList } from "../base/values/json.ts";
import { PAGE_LIMIT_DEFAULT } from "../config/limits.ts";
import type { Query } from "../database/query.ts";
import { readHistory } from "../engine/changes/history.ts";
import type { Located } from "../engine/changes/located.ts";
import { type Deletion, type Kept, lastDeletions, type TrashKind } from "../engine/changes/log-reads.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import type { Store } from "../engine/store/store.ts";
import type { RequestBody } from "../model/fields/field.ts";
import type { Viewer } from "../model/resources/resource.ts";
import { type ActionContext, callerOf } from "./context.ts";
import { type PageParams, pageParams } from "./page.ts";
import { idIn, missingIn, type PathParams, withArticle } from "./path.ts";

/** Things with a past: what has happened to them, and their return when they were deleted. */
export interface Past {
  /** Kind of the thing in trash and history. */
  kind: TrashKind;
  kept: Kept;
  /** Schema of the members that a return may have in its body. */
  restoreBody?: TSchema;
  /**
   * The thing that is there under a uuid; null when the caller sees none.
   * @throws ApiError 404 for a path that leads nowhere
   */
  locate(query: Query, viewing: Viewer, params: PathParams, uuid: Uuid | null): Promise<Located | null>;
  /** Whether the caller could see a deleted one at this path. */
  sees(viewing: Viewer, params: PathParams, deletion: Deletion): boolean;
  /** The number of the version that a deleted one had. */
  versionOf(writing: WriteContext, deletion: Deletion): Promise<number>;
  /**
   * Brings a deleted one back, adds the events, and gives it.
   * @throws ApiError 403 for a role that could not have deleted it, 422 for what stands in its way
   */
  restore(writing: WriteContext, params: PathParams, deletion: Deletion, sent: RequestBody): Promise<Answered>;
}

interface Parts {
  resource: { kind: IdKind; title: string; schema: TSchema };
  store: Store;
  path: Record<string, TSchema>;
}

type RestoreParams = PathParams & { ifMatch?: readonly string[]; body?: RequestBody };

/** A thing that history names; one that is gone has no name any more. */
export const namedSchema = Type.Object(
  { id: Type.String(), fullName: Type.Optional(Type.String({ example: "Ada Lovelace" })) },
  { title: "Named" },
);
const value = Type.Unknown({
  description: "As answers show it; references as id and fullName, null for an unset field",
});
const change = Type.Object(
  { path: Type.Array(Type.String(), { example: ["jobTitle"] }), before: value, after: value },
  { title: "HistoryChange" },
);

/** An entry of a history. docs/guides/history-and-undo.md#history */
export const historyEntrySchema = Type.Object(
  {
    at: timestampSchema,
    action: oneOf(["created", "updated", "deleted", "merged", "restored"]),
    user: nullable(namedSchema),
    key: nullable(Type.Object({ id: idSchema("key"), name: nullable(Type.String()) }, { title: "NamedKey" })),
    source: oneOf(SOURCES),
    requestId: nullable(Type.String({ format: "uuid" })),
    changes: Type.Array(change),
    records: Type.Optional(Type.Array(namedSchema, { description: "In a merge: the records that were merged" })),
    recordId: Type.Optional(Type.String({ description: "In an entry of a record that was merged into this one" })),
  },
  { title: "HistoryEntry" },
);

/** The actions of things with a past. docs/guides/history-and-undo.md */
export function pastActions({ resource, store, path }: Parts, past: Past) {
  const { kind, title } = resource;
  const { historyDays, trashDays } = past.kept;
  const body = past.restoreBody;
  const wanted = (params: PathParams) => uuidOf(kind, idIn(resource, params));

  /** The thing that a history is about: one that is there, or lies in the trash. */
  async function subjectOf(query: Query, viewing: Viewer, params: PathParams): Promise<Located> {
    const uuid = wanted(params);
    const there = await past.locate(query, viewing, params, uuid);
    if (there) return there;
    const deletion =
      uuid && (await lastDeletions(query, viewing.caller.workspaceId, past.kind, [uuid], past.kept)).get(uuid);
    return deletion && past.sees(viewing, params, deletion) ? { uuid, aliases: [] } : missingIn(resource, params);
  }

  return {
    history: {
      summary: `Get the history of ${withArticle(title.toLowerCase())}`,
      description: `Who changed what, the newest entry first, for ${historyDays} days unless the server keeps it for another time. It is there while the record lies in the trash.`,
      params: closed({ ...path, ...pageParams }),
      returns: { list: historyEntrySchema },
      async handler(ctx: ActionContext<PathParams>): Promise<Page> {
        const caller = callerOf(ctx);
        const { limit = PAGE_LIMIT_DEFAULT, after } = ctx.params as unknown as PageParams;
        const viewing = { caller, definitions: await store.definitionsCache.current(caller.workspaceId) };
        return store.pageTurn(caller, { limit, table: "change_log" }, async (query) => {
          const subject = await subjectOf(query, viewing, ctx.params);
          const page = await readHistory(
            query,
            viewing,
            { kind: past.kind, ...subject },
            { limit, after, historyDays },
          );
          return { items: jsonList(page.items), next: page.next };
        });
      },
    },
    restore: {
      summary: `Restore ${withArticle(title.toLowerCase())}`,
      description: `Out of the trash, where it lies for ${trashDays} days unless the server keeps it for another time: with all that went with it.`,
      params: closed({ ...path, ...IF_MATCH, ...DRY_RUN, ...(body && { body: Type.Optional(body) }) }),
      returns: { data: resource.schema, hasTag: true },
      handler: (ctx: ActionContext<RestoreParams>): Promise<Answer> =>
        store.write(
          callerOf(ctx),
          async (writing) => {
            const { ifMatch, body: sent = {} } = ctx.params as { ifMatch?: readonly string[]; body?: RequestBody };
            const params = ctx.params as PathParams;
            const deletion = await deletionOf(past, writing, params, wanted(params));
            if (!deletion) return missingIn(resource, params);
            const version = ifMatch && (await past.versionOf(writing, deletion));
            const refused = refusedVersion(ifMatch, { uuid: deletion.recordId, version });
            if (refused) throw refused;
            return past.restore(writing, params, deletion, sent);
          },
          { serializeBy: idIn(resource, ctx.params as PathParams) },
        ),
    },
  };
}

/** The deletion of the thing that a path names; undefined when none lies in the trash that the caller could see. */
async function deletionOf(
  past: Past,
  writing: WriteContext,
  params: PathParams,
  uuid: Uuid | null,
): Promise<Deletion | undefined> {
  const { query, caller } = writing;
  const there = await past.locate(query, writing, params, uuid);
  if (!uuid || there) return undefined;
  const deletion = (await lastDeletions(query, caller.workspaceId, past.kind, [uuid], past.kept)).get(uuid);
  return deletion && past.sees(writing, params, deletion) ? deletion : undefined;
}
