import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { BY_ID, readerOf } from "../../engine/records/select.ts";
import type { RecordType } from "../../model/resources/record-type.ts";

/** Which records are exported: of the workspace all, or those in a group, or of a type of objects. */
export interface ExportScope {
  workspaceId: Uuid;
  resource: RecordType;
  groupId?: Uuid | undefined;
  objectTypeId?: Uuid | undefined;
}

/** Records in one page: few enough for memory, many enough that the round trips cost little. */
const PAGE = 500;

/** All records of the scope as `rowOfTexts` takes them, by their creation. The transaction is the caller's. */
export function recordPages(query: Query, scope: ExportScope): AsyncGenerator<TextRow[]> {
  const bind = createBinder();
  const select = `${readerOf(scope.resource).select}${conditionsOf(scope, bind)} ${BY_ID}`;
  return pagesOf<TextRow>(query, select, bind.values, { rows: PAGE, form: "texts" });
}

/** Length of the longest list of each field, by the name of the field: of lists of texts, and of links. */
export async function longestLists(query: Query, scope: ExportScope): Promise<Map<string, number>> {
  const { resource } = scope;
  const lists = [
    ...resource.columns.flatMap(({ name, storage }) =>
      storage.type === "json" ? [{ name, sql: `json_array_length(r.${storage.column})` }] : [],
    ),
    ...resource.links.map(({ name, storage }) => ({ name, sql: `cardinality(r.${storage.column})` })),
  ];
  if (lists.length === 0) return new Map();
  const bind = createBinder();
  const conditions = conditionsOf(scope, bind);
  const [row] = await query<TextRow>(
    `select ${lists.map(({ sql }) => `max(${sql})`).join(", ")} from ${resource.table} r where r.workspace_id = $1${conditions}`,
    bind.values,
    "texts",
  );
  return new Map(lists.map(({ name }, i) => [name, Number(row?.[i] ?? 0)]));
}

/** SQL of the conditions on `r` beyond its workspace, which is $1. */
function conditionsOf(
  { workspaceId, resource, groupId, objectTypeId }: ExportScope,
  bind: ReturnType<typeof createBinder>,
): string {
  bind(workspaceId);
  const { groupsTable, recordIdColumn } = resource;
  const inGroup =
    groupId === undefined
      ? ""
      : ` and exists (select from ${groupsTable} g where g.workspace_id = $1 and g.${recordIdColumn} = r.id and g.group_id = ${bind(groupId, "uuid")})`;
  return `${objectTypeId === undefined ? "" : ` and r.object_type_id = ${bind(objectTypeId, "uuid")}`}${inGroup}`;
}
