import type { ServiceSchema } from "moleculer";
import { idSchema, plainText, Type } from "../../../base/contract/schema.ts";
import { firstUuidOf, type Uuid } from "../../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import { wordSearch } from "../../../base/values/words.ts";
import { SEARCH_LENGTH_MAX } from "../../../config/limits.ts";
import type { Binder } from "../../../database/binder.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import { type Store, storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import type { PageParams } from "../../../mixins/page.ts";
import type { Narrowing } from "../../../mixins/resource-actions.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import { noteRules } from "../../../mixins/works/notes.ts";
import { entityUuid } from "../../../model/resources/entity.ts";
import { notes } from "../../../model/resources/notes.ts";

const time = (description: string) => Type.Optional(Type.String({ format: "timestamp-or-date", description }));

/** Parameters of the list of notes. docs/guides/notes.md#lists */
const noteListParams = {
  "entity.id": Type.Optional(idSchema("record")),
  query: Type.Optional(plainText(SEARCH_LENGTH_MAX, { description: "Words that the note has, each as a beginning" })),
  createdAfter: time("Only notes created after this time"),
  createdBefore: time("Only notes created before this time"),
};

interface Params {
  "entity.id"?: string;
  query?: string;
  createdAfter?: string;
  createdBefore?: string;
}

/**
 * Maximum number of notes that are sorted by themselves. With more the list walks through all notes, and soon meets
 * enough of them.
 */
const RARE_MAX = 2000;

async function narrowNotes(
  params: Params,
  { store, ctx }: { store: Store; ctx: ActionContext<PageParams> },
): Promise<Narrowing | null> {
  const { "entity.id": entityId, query = "", createdAfter, createdBefore } = params;
  const { workspaceId } = callerOf(ctx);
  const search = query.trim() === "" ? undefined : wordSearch(query);
  if (search?.query === null) return null;
  const entity = entityId === undefined ? undefined : await entityUuid(store.query, workspaceId, entityId);
  if (entity === null) return null;
  const ids = search && entity === undefined ? await findRare(store, workspaceId, search.query ?? "") : undefined;
  const where = (bind: Binder): string[] => [
    ...(entity === undefined ? [] : [`t.entity_id = ${bind(entity)}`]),
    // `createdAt` is the time in the id. docs/guides/values.md#dates-times-and-time-zones
    ...(createdAfter === undefined ? [] : [`t.id >= ${bind(firstUuidOf(msOf(createdAfter) + 1))}`]),
    ...(createdBefore === undefined ? [] : [`t.id < ${bind(firstUuidOf(msOf(createdBefore)))}`]),
    ...(ids ? [`t.id = any(${bind(printUuids(ids), "uuid[]")})`] : []),
    ...(search ? [`t.search @@ ${bind(search.query, "tsquery")}`] : []),
    ...(search?.substrings ?? []).map((text) => `strpos(normalize(t.content, NFC), ${bind(text, "text")}) > 0`),
  ];
  return { where, planned: search !== undefined };
}

/** The notes with these words; undefined when there are many. */
async function findRare(store: Store, workspaceId: Uuid, words: string): Promise<Uuid[] | undefined> {
  const rows = await store.queryPlanned<{ id: Uuid }>("select id from notes_with_words($1, $2::tsquery, $3) id", [
    workspaceId,
    words,
    RARE_MAX + 1,
  ]);
  return rows.length > RARE_MAX ? undefined : rows.map(({ id }) => id);
}

function msOf(time: string): number {
  return instantOfTimeOrDate(time) ?? 0;
}

/** Notes on people, companies and objects. docs/guides/notes.md */
export default function notesService(context: ServiceContext): ServiceSchema {
  const store = storeOf(context.database, "notes");
  return {
    name: "notes",
    actions: resourceActions(notes, store, {
      ...noteRules,
      kept: context.env,
      list: { params: noteListParams, narrow: narrowNotes },
    }),
  };
}
