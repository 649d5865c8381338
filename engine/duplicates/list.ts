import { toId, type Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import { behind, type ListOrder, orderBy, positionOf } from "../../model/resources/list-order.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";
import { type Reason, reasonsOf, shownScore } from "./pair.ts";
import type { Kind } from "./traits.ts";

/** A pair as answers show it. */
export interface ShownPair {
  /** The one that was made first comes first. */
  records: [{ id: string; fullName: string }, { id: string; fullName: string }];
  score: number;
  reasons: Reason[];
}

/** Best first; of equal ones that with the younger record that was made last. docs/guides/duplicates.md#the-list */
const ORDER: ListOrder = {
  by: [
    { name: "score", column: "score", type: "smallint" },
    { name: "younger", column: "younger_id", type: "uuid" },
    { name: "older", column: "older_id", type: "uuid" },
  ],
  direction: "desc",
};

interface PairRow {
  score: number;
  reasons: number;
  older: Uuid;
  younger: Uuid;
  olderName: string;
  youngerName: string;
}

/** A part of the list. */
export interface PairList {
  kind: Kind;
  limit: number;
  /** Position behind which it begins. */
  after?: string | undefined;
}

/**
 * A page of the pairs of a workspace, and the position behind which the next one begins, null on the last page. Pairs
 * of records that are gone and those that were dismissed are passed over.
 */
export async function listPairs(
  query: Query,
  workspaceId: Uuid,
  { kind, limit, after }: PairList,
): Promise<{ items: ShownPair[]; next: string | null }> {
  const bind = createBinder();
  const [workspace, of] = [bind(workspaceId), bind(kind)];
  const { table, columns, nameField } = RECORD_TYPES[kind];
  const name = columns.find((column) => column.name === nameField)?.storage.column;
  const rows = await query<PairRow>(
    `select t.score, t.reasons, t.older_id as older, t.younger_id as younger, o.${name} as "olderName", y.${name} as "youngerName"
     from duplicate_pairs t
     join ${table} o on o.workspace_id = ${workspace} and o.id = t.older_id
     join ${table} y on y.workspace_id = ${workspace} and y.id = t.younger_id
     where t.workspace_id = ${workspace} and t.kind = ${of}${after === undefined ? "" : ` and ${behind(ORDER, after, bind)}`}
       and not exists (select from duplicate_dismissals d
         where d.workspace_id = ${workspace} and d.older_id = t.older_id and d.younger_id = t.younger_id)
     ${orderBy(ORDER)} limit ${limit + 1}`,
    bind.values,
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => shownPair(kind, row)),
    next: last && rows.length > limit ? positionOf(ORDER, { ...last, uuid: last.older }) : null,
  };
}

function shownPair(kind: Kind, { score, reasons, older, younger, olderName, youngerName }: PairRow): ShownPair {
  return {
    records: [
      { id: toId(kind, older), fullName: olderName },
      { id: toId(kind, younger), fullName: youngerName },
    ],
    score: shownScore(score),
    reasons: reasonsOf(kind, reasons),
  };
}
