import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { ANYBODY } from "../interactions/activity.ts";
import { type Hit, hitOf, rankedSql, type Wanted } from "./ranked.ts";
import type { SearchType } from "./search-types.ts";
import type { Terms } from "./terms.ts";

// Finds of common words: the rows are looked at in the order in which they would be given, the latest interaction
// first and then the newest, until there are enough. docs/decisions/0025-search.md#common-words

/** Number of rows that are looked at. A common word is in twenty of them. */
const WINDOW = 2000;

interface Walking {
  queryPlanned: Query;
  viewing: Viewer;
  terms: Terms;
}

/**
 * The first finds of a type, in their order; undefined if there may be others behind the rows that were looked at.
 * @param wanted one degree of closeness
 */
export async function walk(
  { queryPlanned, viewing, terms }: Walking,
  type: SearchType,
  wanted: Wanted,
): Promise<Hit[] | undefined> {
  const ranked = async ({ rows, ...source }: Window, limit: number) => {
    const bind = createBinder();
    bind(viewing.caller.workspaceId);
    const sql = rankedSql(type, viewing, terms, { ...wanted, limit }, source, bind);
    const [count, ...found] = await queryPlanned<TextRow>(
      `(select null, null, null, null, count(*)::text from (${rows}) s) union all
       (select kind, id::text, closeness::text, left(is_named::text, 1), last_at::text from (${sql}) r (kind, id, closeness, is_named, last_at))`,
      bind.values,
      "texts",
    );
    return { isAll: Number(count?.[4]) < WINDOW, hits: found.map((row) => hitOf([type], row)) };
  };
  const met = type.contact === null ? { isAll: true, hits: [] } : await ranked(metLately(type), wanted.limit);
  if (met.hits.length >= wanted.limit) return met.hits;
  if (!met.isAll) return undefined;
  const rest = await ranked(newest(type), wanted.limit - met.hits.length);
  const hits = [...met.hits, ...rest.hits];
  return rest.isAll || hits.length >= wanted.limit ? hits : undefined;
}

/** A window of rows: SQL of its rows in their order, and the source that a statement ranks. */
interface Window {
  rows: string;
  from: string;
  where: string;
  lastAt: string;
}

function metLately({ table, contact }: SearchType): Window {
  const rows = `select entity_id, last_at from interaction_counts where workspace_id = $1 and user_id = '${ANYBODY}'
    order by last_at desc, entity_id desc limit ${WINDOW}`;
  return {
    rows,
    from: `(${rows}) i join ${table} t on t.${contact} = i.entity_id`,
    where: "true",
    lastAt: "(extract(epoch from i.last_at) * 1000)::bigint",
  };
}

function newest({ table, contact }: SearchType): Window {
  const rows = `select * from ${table} where workspace_id = $1 order by id desc limit ${WINDOW}`;
  const isMet = `exists (select from interaction_counts i where i.workspace_id = $1 and i.entity_id = t.${contact} and i.user_id = '${ANYBODY}')`;
  return {
    rows,
    from: `(${rows}) t`,
    where: contact === null ? "true" : `not ${isMet}`,
    lastAt: "null::bigint",
  };
}
