import type { ServiceSchema } from "moleculer";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import { idSchema, plainText, Type } from "../../../base/contract/schema.ts";
import { firstUuidOf, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { instantOfTimeOrDate } from "../../../base/values/times.ts";
import { searchVector, wordSearch } from "../../../base/values/words.ts";
import { SEARCH_LENGTH_MAX } from "../../../config/limits.ts";
import type { Binder } from "../../../database/binder.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { findRow, type OtherColumns } from "../../../engine/rows/rows.ts";
import { type Store, storeOf } from "../../../engine/store/store.ts";
import { noteTelling } from "../../../engine/things/note-telling.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../../mixins/context.ts";
import type { PageParams } from "../../../mixins/page.ts";
import type { Narrowing } from "../../../mixins/resource-actions.ts";
import { resourceActions } from "../../../mixins/resource-actions.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import { type Entity, entityUuid } from "../../../model/resources/entity.ts";
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
      telling: noteTelling,
      kept: context.env,
      list: { params: noteListParams, narrow: narrowNotes },
      async judge(writing, sent, { entity, current }, issues) {
        const parent = current ? {} : await parentOf(writing, sent, entity, issues);
        const { content } = sent;
        return { ...parent, ...(typeof content === "string" && { search: searchVector(content) }) };
      },
    }),
  };
}

/**
 * The column of the note that a new note replies to. It has to be a note that the caller sees, about the same record,
 * and no reply itself. It is locked, so that it is still there when the reply is written. docs/guides/notes.md#threads
 */
async function parentOf(
  writing: WriteContext,
  { parentNote }: RequestBody,
  entity: Entity | undefined,
  issues: Issue[],
): Promise<OtherColumns> {
  if (parentNote === undefined) return { parent_id: null };
  const { id } = parentNote as { id: string };
  const uuid = uuidOf("note", id);
  const parent = uuid && (await findRow(writing.query, notes, writing, uuid, { lock: true }));
  const fault = !parent
    ? `There is no note with the id ${id}`
    : parent.parentId !== null
      ? "A reply cannot have replies: name the note at the start of the thread"
      : entity && parent.entityId !== entity.uuid
        ? "A reply is about the same record as the note it replies to"
        : null;
  if (fault !== null) issues.push(custom(["parentNote", "id"], fault));
  return { parent_id: uuid };
}
