import { isDeepStrictEqual } from "node:util";
import { customFieldTypes } from "../../lib/custom-fields/index.ts";
import type { CustomFieldTypeName, IndexedValue, StoredValue } from "../../lib/custom-fields/type.ts";
import type { Query } from "../../lib/database/query.ts";
import { RECORD_TABLES } from "../../lib/resources/record-type.ts";
import type { RecordKind } from "../../lib/values/ids.ts";
import type { Examine } from "./examine.ts";

const KINDS = Object.keys(RECORD_TABLES) as RecordKind[];
const PAGE_ROWS = 2_000;

interface Row {
  place: [workspaceId: string, recordId: string, groupId: string];
  values: Record<string, StoredValue>;
  /** Rows of the index, by field. */
  indexed: Record<string, IndexedValue[]> | null;
}

/**
 * Whether the index that filters read holds what the memberships hold: docs/decisions/0003-custom-values.md. All of it is read,
 * page by page, and compared with what the functions make that write it. Values of fields that were removed are passed over
 * on both sides.
 */
export const examineValues: Examine = async (query) => {
  const types = await query<{ id: string; type: CustomFieldTypeName }>("select id, type from custom_fields", []);
  const fields = new Map(types.map(({ id, type }) => [id, customFieldTypes[type]]));
  let memberships = 0;
  for (const kind of KINDS) {
    for await (const page of pages(query, kind)) {
      const wrong = page.find(({ values, indexed }) => {
        const wanted = Object.entries(values).flatMap(([id, stored]): [string, IndexedValue[]][] => {
          const type = fields.get(id);
          return type ? [[id, type.indexedAs(stored as never)]] : [];
        });
        const found = Object.entries(indexed ?? {}).filter(([id]) => fields.has(id));
        return !isDeepStrictEqual(Object.fromEntries(wanted), Object.fromEntries(found));
      });
      if (wrong)
        return {
          ok: false,
          message: `${kind}_values differs from the values of the ${kind} ${wrong.place[1]}: its filters are wrong until its values are written again`,
        };
      memberships += page.length;
    }
    const [left] = await query<{ id: string }>(leftSql(kind), []);
    if (left)
      return {
        ok: false,
        message: `${kind}_values has rows of the ${kind} ${left.id} for a group that it is not in: delete these rows, since filters may find it by them`,
      };
  }
  return { ok: true, message: `the values of ${memberships} memberships are indexed` };
};

async function* pages(query: Query, kind: RecordKind): AsyncGenerator<Row[]> {
  let after: string[] = [];
  for (;;) {
    const behind = after.length > 0 ? `where (m.workspace_id, m.${kind}_id, m.group_id) > ($2, $3, $4)` : "";
    const rows = await query<Row>(pageSql(kind, behind), [PAGE_ROWS, ...after]);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = last.place;
  }
}

/** A page of memberships, with their values and the index of these. Numbers are read as texts, as the jsonb has them. */
function pageSql(kind: RecordKind, behind: string): string {
  return `
select json_build_array(m.workspace_id, m.${kind}_id, m.group_id) as place, m."values" as values, (
  select json_object_agg(f.field_id, f.entries) from (
    select v.field_id, json_agg(json_strip_nulls(json_build_object(
      'item', v.item, 'number_value', v.number_value::text, 'date_value', v.date_value, 'folded_text', v.folded_text)) order by v.position) as entries
    from ${kind}_values v where v.workspace_id = m.workspace_id and v.${kind}_id = m.${kind}_id and v.group_id = m.group_id group by v.field_id) f) as indexed
from ${kind}_groups m ${behind} order by m.workspace_id, m.${kind}_id, m.group_id limit $1`;
}

/**
 * Finds rows of the index that have no membership. A trigger should have deleted them with it:
 * docs/decisions/0008-batches.md.
 */
function leftSql(kind: RecordKind): string {
  return `
select v.${kind}_id as id from ${kind}_values v left join ${kind}_groups m
  on m.workspace_id = v.workspace_id and m.${kind}_id = v.${kind}_id and m.group_id = v.group_id
where m.group_id is null limit 1`;
}
