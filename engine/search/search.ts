import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { type Asked, type AskedWord, type Closeness, EXACT, mayHaveSlip, PREFIX, SLIP } from "./asked.ts";
import { candidates, isCandidate, type Lookup } from "./candidates.ts";
import { areCommon, type CommonWords, commonWords } from "./common-words.ts";
import { optionsWith } from "./elsewhere.ts";
import { byRank, type Hit, hitOf, rankedSql, type Wanted } from "./ranked.ts";
import type { SearchType } from "./search-types.ts";
import { slipsThere } from "./slips-there.ts";
import type { Terms } from "./terms.ts";
import { walk } from "./walk.ts";

/** A search: its words, the types of things, and the number of finds. */
export interface Searching {
  queryPlanned: Query;
  viewing: Viewer;
  asked: Asked;
  types: readonly SearchType[];
  limit: number;
}

/**
 * The first finds of a search, the best first. Finds with a slip are looked for only where there are too few others.
 * docs/decisions/0025-search.md
 */
export async function find(searching: Searching): Promise<Hit[]> {
  const { asked, limit, viewing } = searching;
  const { workspaceId } = viewing.caller;
  if (asked.words.length === 0) return [];
  const common = await commonWords(searching.queryPlanned, workspaceId, searching.types);
  const search = { ...searching, common };
  const plain = await findCloseness(search, { workspaceId, asked, slips: new Map() }, [EXACT, PREFIX], []);
  const isComplete = plain.length >= limit || (asked.isAddress && plain.length > 0);
  if (isComplete || !asked.words.some(mayHaveSlip)) return plain.slice(0, limit);
  const looking = {
    queryPlanned: searching.queryPlanned,
    workspaceId,
    types: searching.types,
    common: [...common.values()],
  };
  const slips = await slipsThere(looking, asked);
  const terms = { workspaceId, asked, slips };
  const isMore = asked.words.some((word) => slips.get(word)?.length || hasOtherSlips(searching, word));
  const more = isMore ? await findCloseness(search, terms, [SLIP], plain) : [];
  return [...plain, ...more].slice(0, limit);
}

/** Whether a word may be found with slips that are not words of an index: in runs without blanks, and in options. */
function hasOtherSlips({ viewing, types }: Searching, word: AskedWord): boolean {
  if (!mayHaveSlip(word)) return false;
  return (
    word.isContinuous || types.some(({ record }) => record && optionsWith(viewing, record.kind, word, SLIP).length > 0)
  );
}

type Search = Searching & { common: ReadonlyMap<SearchType, CommonWords> };

/** The finds of some degrees of closeness that are not among those before, the best first. */
async function findCloseness(
  search: Search,
  terms: Terms,
  closenesses: Closeness[],
  before: readonly Hit[],
): Promise<Hit[]> {
  const widest = closenesses.at(-1) ?? EXACT;
  const { common, asked, types } = search;
  const without = before.map(({ uuid }) => uuid);
  const isRare = (type: SearchType) => !areCommon(common.get(type), asked.words, widest, "any");
  const { hits, tooMany } = await ranked(search, terms, {
    types: types.filter(isRare),
    closenesses,
    namesOnly: false,
    without,
  });
  for (const type of tooMany) hits.push(...(await rankedAll(search, terms, type, closenesses, without)));
  for (const type of types) if (!isRare(type)) hits.push(...(await inTurn(search, terms, type, closenesses, without)));
  return hits.toSorted(byRank).slice(0, search.limit);
}

/**
 * The finds of a type that has many. As soon as there are enough of one degree, no other is looked for. All rows are
 * ranked if a degree is too rare for a walk and too common for its index.
 */
async function inTurn(
  search: Search,
  terms: Terms,
  type: SearchType,
  closenesses: Closeness[],
  without: readonly Uuid[],
): Promise<Hit[]> {
  const degrees = closenesses.flatMap((closeness) => [true, false].map((namesOnly) => ({ closeness, namesOnly })));
  const hits: Hit[] = [];
  for (const { closeness, namesOnly } of degrees) {
    const limit = search.limit - hits.length;
    if (limit <= 0) break;
    const known = [...without, ...hits.map(({ uuid }) => uuid)];
    const found = await ofDegree(search, terms, type, { closenesses: [closeness], namesOnly, limit, without: known });
    if (!found) return rankedAll(search, terms, type, closenesses, without);
    hits.push(...found);
  }
  return hits;
}

async function ofDegree(search: Search, terms: Terms, type: SearchType, wanted: Wanted): Promise<Hit[] | undefined> {
  const { common, asked } = search;
  const [closeness = EXACT] = wanted.closenesses;
  if (areCommon(common.get(type), asked.words, closeness, wanted.namesOnly ? "names" : "any"))
    return walk({ ...search, terms }, type, wanted);
  const { hits, tooMany } = await ranked(search, terms, { types: [type], ...wanted });
  return tooMany.length === 0 ? hits : undefined;
}

/** The finds of a type among all rows that have the words. */
async function rankedAll(
  search: Search,
  terms: Terms,
  type: SearchType,
  closenesses: Closeness[],
  without: readonly Uuid[],
): Promise<Hit[]> {
  const { queryPlanned, viewing, limit } = search;
  const bind = createBinder();
  bind(viewing.caller.workspaceId);
  const closeness = closenesses.at(-1) ?? EXACT;
  const words = leadingWords(search, type, closeness);
  const where = isCandidate(type, { viewing, terms }, closeness, words, bind);
  const wanted = { closenesses, namesOnly: false, limit, without };
  const sql = rankedSql(type, viewing, terms, wanted, { from: `${type.table} t`, where }, bind);
  return (await queryPlanned<TextRow>(sql, bind.values, "texts")).map((row) => hitOf([type], row));
}

/** The finds by the indexes of words, and the types that have too many of them. */
async function ranked(
  { queryPlanned, viewing, limit, asked, common }: Search,
  terms: Terms,
  { types, closenesses, namesOnly, without }: Omit<Wanted, "limit"> & { types: readonly SearchType[] },
): Promise<{ hits: Hit[]; tooMany: SearchType[] }> {
  if (types.length === 0) return { hits: [], tooMany: [] };
  const closeness = closenesses.at(-1) ?? EXACT;
  const [rarest] = rarestOf({ asked, common }, types[0], closeness);
  if (!rarest) throw new Error("A search without words finds nothing");
  const lookup: Lookup = { types, closeness, namesOnly, rarest };
  const found = await candidates({ queryPlanned, viewing, terms }, lookup);
  const bind = createBinder();
  bind(viewing.caller.workspaceId);
  const wanted = { closenesses, namesOnly, limit, without };
  const statements = [...found].flatMap(([type, uuids]) => {
    if (!uuids || uuids.length === 0) return [];
    const from = `unnest(${bind(printUuids([...new Set(uuids)]), "uuid[]")}) u (id) join ${type.table} t on t.id = u.id`;
    return [`(${rankedSql(type, viewing, terms, wanted, { from, where: "true" }, bind)})`];
  });
  const rows =
    statements.length > 0 ? await queryPlanned<TextRow>(statements.join(" union all "), bind.values, "texts") : [];
  return {
    hits: rows.map((row) => hitOf(types, row)),
    tooMany: [...found].flatMap(([type, uuids]) => (uuids ? [] : [type])),
  };
}

/** Most words of which all rows are looked up: where some are rare, and where all are common. */
const LEADING_MAX = { rare: 3, common: 2 };

/** The words of which all rows are looked up, before the others are looked for in these rows. */
function leadingWords(search: Search, type: SearchType, closeness: Closeness): AskedWord[] {
  const words = rarestOf(search, type, closeness);
  const rare = words.filter((word) => isRareWord(search, type, word, closeness));
  return rare.length > 0 ? rare.slice(0, LEADING_MAX.rare) : words.slice(0, LEADING_MAX.common);
}

/** The words of a search, first the one that the fewest rows should have: those that are not common, the longest. */
function rarestOf(
  search: Pick<Search, "asked" | "common">,
  type: SearchType | undefined,
  closeness: Closeness,
): AskedWord[] {
  const order = (word: AskedWord) =>
    (isRareWord(search, type, word, closeness) ? LONGER_THAN_ANY : 0) + word.characters.length;
  return search.asked.words.toSorted((a, b) => order(b) - order(a));
}

const LONGER_THAN_ANY = 1000;

function isRareWord(
  { common }: Pick<Search, "common">,
  type: SearchType | undefined,
  word: AskedWord,
  closeness: Closeness,
): boolean {
  return !areCommon(type && common.get(type), [word], closeness, "any");
}
