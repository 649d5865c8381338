import { type Binder, createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { ANYBODY } from "../interactions/activity.ts";
import type { AskedWord, Closeness } from "./asked.ts";
import { type CommonWords, shareOf } from "./common-words.ts";
import { elsewhere, idsElsewhere, type LookedFor } from "./elsewhere.ts";
import { type Hit, hitOf, isFound, isNamed, isNew, lastInteraction, type Wanted } from "./ranked.ts";
import { allTerm } from "./terms.ts";

// The finds of a type of one degree, when there may be very many: they differ by their last interaction and their age
// alone, and other indexes have this order. docs/decisions/0025-search.md#common-words

/** Finds of one closeness, with all words in names, or the others. */
export interface Degree {
  closeness: Closeness;
  isNamed: boolean;
}

interface Asking {
  query: Query;
  looked: LookedFor;
  common: CommonWords | undefined;
}

/** Part of the rows from which on the rows are walked through. Of fewer ones, all that have the words are looked up. */
const WALKED_SHARE = 0.004;
/** Part of the rows that is assumed to have a word, if too many rows of other tables have it to be counted. */
const MANY_SHARE = 0.02;
/** Rows that are walked through, as a multiple of those in which enough finds should be; and at most. */
const WINDOW_TIMES = 4;
const WINDOW_MAX = 20_000;

/**
 * The first finds of a degree in some types, those of each in their order. Finds of better degrees are known: `wanted`
 * leaves them out.
 */
export async function findsOf(askings: readonly Asking[], degree: Degree, wanted: Wanted): Promise<Hit[]> {
  const hits: Hit[] = [];
  const others: Asking[] = [];
  for (const asking of askings) {
    const share = shareOfDegree(asking, degree);
    const walked = share < WALKED_SHARE ? undefined : await walk(asking, degree, wanted, windowOf(share, wanted));
    if (walked) hits.push(...walked);
    else others.push(asking);
  }
  return [...hits, ...(await lookUp(others, degree, wanted))];
}

function windowOf(share: number, { limit }: Wanted): number {
  return Math.min(WINDOW_MAX, Math.ceil((WINDOW_TIMES * limit) / share));
}

/** The part of the rows that should have all words, if these come independently of each other. */
function shareOfDegree({ looked, common }: Asking, { closeness, isNamed: inNames }: Degree): number {
  return looked.terms.asked.words.reduce((share, word) => {
    const least = !inNames && isMany(looked, word, closeness) ? MANY_SHARE : 0;
    return share * Math.max(shareOf(common, word, closeness, inNames ? "names" : "any"), least);
  }, 1);
}

/** True for a word whose rows in other tables were too many for their ids to be read. */
function isMany({ places }: LookedFor, word: AskedWord, closeness: Closeness): boolean {
  const found = places?.closeness === closeness ? places.words.get(word) : undefined;
  return found !== undefined && [found.values, found.chosen, found.people].includes(null);
}

// ---- by the indexes of words

interface Source {
  from: string;
  where: string[];
  lastAt: string;
}

/** The finds among all rows that have the words. One statement for all types. */
async function lookUp(askings: readonly Asking[], degree: Degree, wanted: Wanted): Promise<Hit[]> {
  const [first] = askings;
  if (!first) return [];
  const bind = createBinder();
  bind(first.looked.viewing.caller.workspaceId);
  const statements = askings.map((asking) => {
    const { from, where } = rowsWithWords(asking, degree, bind);
    const source = { from, where: [where], lastAt: lastInteraction(asking.looked.type) };
    return `(${degreeSql(asking, degree, wanted, source, bind)} order by 5 desc nulls last, 2 desc limit ${wanted.limit})`;
  });
  const rows = await first.query<TextRow>(statements.join(" union all "), bind.values, "texts");
  const types = askings.map(({ looked: { type } }) => type);
  return rows.map((row) => hitOf(types, row));
}

/** The rows that may be finds: those with all leading words, and those with one of these words in another table. */
function rowsWithWords(asking: Asking, degree: Degree, bind: Binder) {
  const { looked } = asking;
  const { type, terms } = looked;
  const { closeness, isNamed: inNames } = degree;
  const among = inNames ? "names" : "any";
  const leading = leadingWords(asking, degree);
  const own = `t.words @@ (select ${bind(allTerm(terms, closeness, among, leading), "tsquery")})`;
  const found = inNames ? isNamed(looked, closeness, bind) : isFound(looked, closeness, bind);
  // PostgreSQL uses no index for a condition inside of `case`.
  const where = `case when t.workspace_id = $1 then ${found} end`;
  const others = inNames ? [] : leading.flatMap((word) => elsewhere(looked, word, closeness, bind));
  if (others.length === 0) return { from: `${type.table} t`, where: `${own} and ${where}` };
  const sources = others.map((one) => idsElsewhere(one, bind));
  const ids = `select t.id from ${type.table} t where t.workspace_id = $1 and ${own} union ${sources.join(" union ")}`;
  return { from: `(${ids}) u (id) join ${type.table} t on t.workspace_id = $1 and t.id = u.id`, where };
}

/**
 * The words whose rows are read. The index has a long list for a common word, so the others lead. If all are common,
 * those rows are read that have them all, and those that have one of them elsewhere; or those of one word, if these
 * should be fewer. Digits may be found without any word.
 */
function leadingWords({ looked, common }: Asking, { closeness, isNamed: inNames }: Degree): readonly AskedWord[] {
  const { words, digits } = looked.terms.asked;
  if (!inNames && digits.length > 0) return words;
  const share = (word: AskedWord) => shareOf(common, word, closeness, inNames ? "names" : "any");
  const rare = words.filter((word) => share(word) === 0);
  if (rare.length > 0) return rare;
  if (inNames) return words;
  const elsewhereOf = (word: AskedWord) => (isMany(looked, word, closeness) ? MANY_SHARE : 0);
  const all = words.reduce((sum, word) => sum + elsewhereOf(word), 0);
  const ofOne = (word: AskedWord) => share(word) + elsewhereOf(word);
  const [least] = words.toSorted((a, b) => ofOne(a) - ofOne(b));
  return least && ofOne(least) < all ? [least] : words;
}

function degreeSql(
  { looked: { type, viewing } }: Asking,
  { closeness, isNamed }: Degree,
  { without }: Wanted,
  { from, where, lastAt }: Source,
  bind: Binder,
): string {
  const conditions = ["t.workspace_id = $1", ...where, isNew(without, bind), type.sees(viewing, bind)];
  return `select '${type.kind}', t.id, ${closeness}, ${isNamed}, ${lastAt} as last_at from ${from} where ${conditions.join(" and ")}`;
}

// ---- by walking through the rows

/**
 * The first finds among the rows that come first: those of the latest interactions, and the newest of the others.
 * Undefined if there may be more behind them.
 */
async function walk(asking: Asking, degree: Degree, wanted: Wanted, window: number): Promise<Hit[] | undefined> {
  const { looked } = asking;
  const hits: Hit[] = [];
  for (const way of looked.type.contact === null ? [newest] : [metLately, newest]) {
    const bind = createBinder();
    bind(looked.viewing.caller.workspaceId);
    const isOne = degree.isNamed ? isNamed(looked, degree.closeness, bind) : isFound(looked, degree.closeness, bind);
    const { rows, ...source } = way(looked, isOne, window);
    const sql = `${degreeSql(asking, degree, wanted, source, bind)} limit ${wanted.limit - hits.length}`;
    const found = await asking.query<TextRow>(sql, bind.values, "texts");
    hits.push(...found.map((row) => hitOf([looked.type], row)));
    if (hits.length >= wanted.limit) return hits;
    if (!(await isShorter(asking, rows, window))) return undefined;
  }
  return hits;
}

/** Whether there are fewer rows than were walked through. */
async function isShorter({ query, looked }: Asking, rows: string, window: number): Promise<boolean> {
  const counted = await query<TextRow>(
    `select count(*) from (${rows}) r`,
    [looked.viewing.caller.workspaceId],
    "texts",
  );
  return Number(counted[0]?.[0]) < window;
}

/** A window of rows in their order. Each is looked at in turn, so that no more of them are read than needed. */
interface Window extends Source {
  rows: string;
}

function metLately({ type: { table, contact } }: LookedFor, isOne: string, window: number): Window {
  const rows = `select entity_id, last_at from interaction_counts where workspace_id = $1 and user_id = '${ANYBODY}'
    order by last_at desc, entity_id desc limit ${window}`;
  const each = `select * from ${table} t where t.workspace_id = $1 and t.${contact} = i.entity_id and ${isOne} order by t.id desc offset 0`;
  return {
    rows,
    from: `(${rows}) i cross join lateral (${each}) t`,
    where: [],
    lastAt: "(extract(epoch from i.last_at) * 1000)::bigint",
  };
}

function newest({ type }: LookedFor, isOne: string, window: number): Window {
  const rows = `select * from ${type.table} where workspace_id = $1 order by id desc limit ${window}`;
  const isOther = type.contact === null ? [] : [`${lastInteraction(type)} is null`];
  return { rows, from: `(${rows}) t`, where: [isOne, ...isOther], lastAt: "null::bigint" };
}
