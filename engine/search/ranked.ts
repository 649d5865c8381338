import type { Uuid } from "../../base/values/ids.ts";
import type { Binder } from "../../database/binder.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { ANYBODY } from "../interactions/activity.ts";
import type { Closeness } from "./asked.ts";
import { elsewhere, hasElsewhere, type LookedFor } from "./elsewhere.ts";
import type { SearchType } from "./search-types.ts";
import { allTerm, wordTerm } from "./terms.ts";

/** A thing that a search has found, with everything that its rank follows from. docs/guides/search.md#order */
export interface Hit {
  type: SearchType;
  uuid: Uuid;
  closeness: Closeness;
  isNamed: boolean;
  /** Milliseconds; null without an interaction. */
  lastAt: number | null;
}

/** The finds that are wanted, and those that are known already. */
export interface Wanted {
  limit: number;
  without: readonly Uuid[];
}

/** SQL of the last interaction with a row, in milliseconds. */
export function lastInteraction({ contact }: SearchType): string {
  return contact === null
    ? "null::bigint"
    : `(select (extract(epoch from i.last_at) * 1000)::bigint from interaction_counts i
       where i.workspace_id = $1 and i.entity_id = t.${contact} and i.user_id = '${ANYBODY}')`;
}

/** SQL that leaves out the finds that are known. */
export function isNew(without: readonly Uuid[], bind: Binder): string {
  return without.length > 0 ? `t.id <> all(${bind(printUuids(without), "uuid[]")})` : "true";
}

/**
 * The statement that ranks some rows of a type as far as the caller sees them, the best first: kind, id, closeness,
 * whether all words are in names, last interaction. $1 is the workspace.
 */
export function rankedSql(
  looked: LookedFor,
  ids: readonly Uuid[],
  closenesses: readonly Closeness[],
  { limit, without }: Wanted,
  bind: Binder,
): string {
  const { type, viewing } = looked;
  const cases = closenesses.map((closeness) => `when ${isFound(looked, closeness, bind)} then ${closeness}`);
  const names = closenesses.map((closeness) => `when ${closeness} then ${isNamed(looked, closeness, bind)}`);
  return `select '${type.kind}', t.id, k.closeness, case k.closeness ${names.join(" ")} end as is_named, ${lastInteraction(type)} as last_at
    from unnest(${bind(printUuids(ids), "uuid[]")}) u (id) join ${type.table} t on t.workspace_id = $1 and t.id = u.id
    cross join lateral (select case ${cases.join(" ")} end as closeness offset 0) k
    where k.closeness is not null and ${isNew(without, bind)} and ${type.sees(viewing, bind)}
    order by 3, 4 desc, 5 desc nulls last, 2 desc limit ${limit}`;
}

/** SQL that is true for a row with all words in names. */
export function isNamed({ terms }: LookedFor, closeness: Closeness, bind: Binder): string {
  return `t.words @@ ${bind(allTerm(terms, closeness, "names"), "tsquery")}`;
}

/** SQL that is true for a row with all words, in whatever field. */
export function isFound(looked: LookedFor, closeness: Closeness, bind: Binder): string {
  const { type, terms } = looked;
  const { words } = terms.asked;
  const own = `t.words @@ ${bind(allTerm(terms, closeness, "any"), "tsquery")}`;
  const others = words.map((word) => elsewhere(looked, word, closeness, bind));
  if (!type.record || others.every((places) => places.length === 0)) return own;
  const each = words.map((word, i) => {
    const places = (others[i] ?? []).map((one) => hasElsewhere(one, bind));
    const inRow = words.length > 1 ? [`t.words @@ ${bind(wordTerm(terms, word, closeness, "any"), "tsquery")}`] : [];
    return [...inRow, ...places];
  });
  // PostgreSQL looks at them in this order, and a row is at hand.
  const inOrder = each.toSorted((a, b) => a.length - b.length).map((places) => `(${places.join(" or ")})`);
  return `(${own} or (${inOrder.join(" and ")}))`;
}

/** The hit of a row of a statement. */
export function hitOf(
  types: readonly SearchType[],
  [kind, uuid, closeness, isNamed, lastAt]: readonly (string | null)[],
): Hit {
  const type = types.find((one) => one.kind === kind);
  if (!type) throw new Error(`Nothing is searched in ${kind}`);
  return {
    type,
    uuid: uuid as Uuid,
    closeness: Number(closeness) as Closeness,
    isNamed: isNamed === "t" || isNamed === "true",
    lastAt: lastAt === null || lastAt === undefined ? null : Number(lastAt),
  };
}

/** Order of finds: the closest, those in names, those of the latest interaction, the newest. */
export function byRank(a: Hit, b: Hit): number {
  if (a.closeness !== b.closeness) return a.closeness - b.closeness;
  if (a.isNamed !== b.isNamed) return a.isNamed ? -1 : 1;
  const [first, second] = [a.lastAt ?? Number.NEGATIVE_INFINITY, b.lastAt ?? Number.NEGATIVE_INFINITY];
  if (first !== second) return second - first;
  // An id begins with the time of its creation.
  return a.uuid < b.uuid ? 1 : -1;
}

/** The ids of finds. */
export function idsOf(hits: readonly Hit[]): Uuid[] {
  return hits.map(({ uuid }) => uuid);
}
