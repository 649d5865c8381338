import type { Uuid } from "../../base/values/ids.ts";
import type { Binder } from "../../database/binder.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { ANYBODY } from "../interactions/activity.ts";
import type { Closeness } from "./asked.ts";
import { elsewhere } from "./elsewhere.ts";
import type { SearchType } from "./search-types.ts";
import { allTerm, type Terms, wordTerm } from "./terms.ts";

/** A thing that a search has found, with everything that its rank follows from. docs/guides/search.md#order */
export interface Hit {
  type: SearchType;
  uuid: Uuid;
  closeness: Closeness;
  isNamed: boolean;
  /** Milliseconds; null without an interaction. */
  lastAt: number | null;
}

/** The finds that are wanted: of these degrees of closeness, in names alone or anywhere, and none of those before. */
export interface Wanted {
  closenesses: readonly Closeness[];
  namesOnly: boolean;
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

/**
 * The statement that ranks the rows of a source as far as the caller sees them, the best first: kind, id, closeness,
 * whether all words are in names, last interaction. $1 is the workspace.
 * @param source SQL of rows `t` of the type's table, `from` and perhaps `where`, without the workspace
 */
export function rankedSql(
  type: SearchType,
  viewing: Viewer,
  terms: Terms,
  { closenesses, namesOnly, limit, without }: Wanted,
  source: { from: string; where: string; lastAt?: string },
  bind: Binder,
): string {
  const named = (closeness: Closeness) => `t.words @@ ${bind(allTerm(terms, closeness, "names"), "tsquery")}`;
  const found = (closeness: Closeness) =>
    namesOnly ? named(closeness) : foundAnywhere(type, viewing, terms, closeness, bind);
  const cases = closenesses.map((closeness) => `when ${found(closeness)} then ${closeness}`);
  const names = namesOnly ? [] : closenesses.map((closeness) => `when ${closeness} then ${named(closeness)}`);
  const isNew = without.length > 0 ? `and t.id <> all(${bind(printUuids(without), "uuid[]")})` : "";
  return `select '${type.kind}', t.id, k.closeness, ${namesOnly ? "true" : `case k.closeness ${names.join(" ")} end`} as is_named,
      ${source.lastAt ?? lastInteraction(type)} as last_at
    from ${source.from} cross join lateral (select case ${cases.join(" ")} end as closeness offset 0) k
    where ${source.where} and t.workspace_id = $1 ${isNew} and k.closeness is not null and ${type.sees(viewing, bind)}
    order by 3, 4 desc, 5 desc nulls last, 2 desc limit ${limit}`;
}

/** SQL that is true for a row with all words, in whatever field. */
function foundAnywhere(type: SearchType, viewing: Viewer, terms: Terms, closeness: Closeness, bind: Binder): string {
  const { words } = terms.asked;
  const own = `t.words @@ ${bind(allTerm(terms, closeness, "any"), "tsquery")}`;
  if (!type.record) return own;
  const each = words.map((word) => {
    const places = elsewhere(type, viewing, terms, word, closeness, bind).map(
      ({ id, from, where }) => `exists (select from ${from} where ${where} and ${id} = t.id)`,
    );
    const inRow = words.length > 1 ? [`t.words @@ ${bind(wordTerm(terms, word, closeness, "any"), "tsquery")}`] : [];
    return `(${[...inRow, ...places].join(" or ")})`;
  });
  return `(${own} or (${each.join(" and ")}))`;
}

/** The hit of a row of that statement. */
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
    isNamed: isNamed === "t",
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
