import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { type Asked, type AskedWord, type Closeness, EXACT, mayHaveSlip, PREFIX, SLIP } from "./asked.ts";
import { type CommonWords, commonWords, shareOf } from "./common-words.ts";
import { type Degree, findsOf } from "./degree.ts";
import { optionsWith } from "./options.ts";
import { leading, type Places, placesOf } from "./places.ts";
import { byRank, type Hit, hitOf, idsOf, rankedSql } from "./ranked.ts";
import type { SearchType } from "./search-types.ts";
import { slipsThere } from "./slips-there.ts";
import type { Terms } from "./terms.ts";

/** A search: its words, the types of things, and the number of finds. */
export interface Searching {
  query: Query;
  viewing: Viewer;
  asked: Asked;
  types: readonly SearchType[];
  limit: number;
}

type Search = Searching & { common: ReadonlyMap<SearchType, CommonWords> };

/**
 * The first finds of a search, the best first. Finds with a slip are looked for only where there are too few others.
 * docs/decisions/0025-search.md
 */
export async function find(searching: Searching): Promise<Hit[]> {
  const { asked, limit, viewing, query, types } = searching;
  const { workspaceId } = viewing.caller;
  if (asked.words.length === 0) return [];
  const search = { ...searching, common: await commonWords(query, workspaceId, types) };
  const plain = await findCloseness(search, { workspaceId, asked, slips: new Map() }, [EXACT, PREFIX], []);
  const isComplete = plain.length >= limit || (asked.isAddress && plain.length > 0);
  if (isComplete || !asked.words.some(mayHaveSlip)) return plain;
  const slips = await slipsThere({ query, workspaceId, types, common: [...search.common.values()] }, asked);
  const isMore = asked.words.some((word) => slips.get(word)?.length || hasOtherSlips(searching, word));
  return isMore ? findCloseness(search, { workspaceId, asked, slips }, [SLIP], plain) : plain;
}

/** Whether a word may be found with slips that are not words of an index: in runs without blanks, and in options. */
function hasOtherSlips({ viewing, types }: Searching, word: AskedWord): boolean {
  if (!mayHaveSlip(word)) return false;
  return (
    word.isContinuous || types.some(({ record }) => record && optionsWith(viewing, record.kind, word, SLIP).length > 0)
  );
}

/** Finds by their degrees, the best first, until there are enough. */
async function findCloseness(
  search: Search,
  terms: Terms,
  closenesses: Closeness[],
  before: readonly Hit[],
): Promise<Hit[]> {
  const { types, limit } = search;
  const finding: Finding = { search, terms, closenesses, hits: [...before], crowded: new Map(), settled: new Set() };
  for (const closeness of closenesses)
    for (const isNamed of [true, false]) {
      const degree = { closeness, isNamed };
      const better = finding.hits.filter((hit) => isBetter(hit, degree)).length;
      if (better >= limit) break;
      if (!isNamed) await settle(finding, closeness);
      const askings = types.filter((type) => !finding.settled.has(type)).map((type) => askingOf(finding, type));
      finding.hits.push(...(await findsOf(askings, degree, { limit: limit - better, without: idsOf(finding.hits) })));
    }
  return finding.hits.toSorted(byRank).slice(0, limit);
}

/** The state of a search. */
interface Finding {
  search: Search;
  terms: Terms;
  closenesses: readonly Closeness[];
  hits: Hit[];
  /** Types with too many rows to rank, with the places of their words. */
  crowded: Map<SearchType, Places>;
  /** Types whose finds are all known. */
  settled: Set<SearchType>;
}

function isBetter(hit: Hit, { closeness, isNamed }: Degree): boolean {
  return hit.closeness < closeness || (hit.closeness === closeness && hit.isNamed && !isNamed);
}

function askingOf({ search, terms, crowded }: Finding, type: SearchType) {
  const looked = { type, viewing: search.viewing, terms, places: crowded.get(type) };
  return { query: search.query, looked, common: search.common.get(type) };
}

/**
 * Asks in which tables the words stand, and ranks all rows of the types in which few rows have them. If all words are
 * common in a type, it asks for this closeness alone: its finds may be enough.
 */
async function settle(finding: Finding, closeness: Closeness): Promise<void> {
  const { search, terms, closenesses, crowded, settled } = finding;
  const widest = closenesses.at(-1) ?? closeness;
  const open = search.types.filter((type) => !settled.has(type) && crowded.get(type)?.closeness !== widest);
  const sought = open.map((type) => {
    const common = search.common.get(type);
    const shares = (at: Closeness) =>
      new Map(search.asked.words.map((word) => [word, shareOf(common, word, at, "any")]));
    const isAllCommon = [...shares(widest).values()].every((share) => share > 0);
    const at = isAllCommon ? closeness : widest;
    const own = shares(at);
    const order = (word: AskedWord) => (own.get(word) ?? 0) - word.characters.length / LONGER_THAN_ANY;
    const words = search.asked.words.toSorted((a, b) => order(a) - order(b));
    return { type, closeness: at, words, isCommon: (word: AskedWord) => (own.get(word) ?? 0) > 0 };
  });
  const asking = { query: search.query, viewing: search.viewing, terms };
  for (const [type, places] of await placesOf(asking, sought)) crowded.set(type, places);
  await rankFew(finding, open, closeness);
}

const LONGER_THAN_ANY = 1000;

/** Ranks the rows of those types of which all rows with a word are known. */
async function rankFew(
  { search, terms, closenesses, hits, crowded, settled }: Finding,
  types: readonly SearchType[],
  from: Closeness,
): Promise<void> {
  const bind = createBinder();
  bind(search.viewing.caller.workspaceId);
  const wanted = { limit: search.limit, without: idsOf(hits) };
  const left = closenesses.filter((closeness) => closeness >= from);
  const statements: string[] = [];
  for (const type of types) {
    const places = crowded.get(type);
    const ids = places?.closeness === closenesses.at(-1) ? places && leading(places) : null;
    if (!ids) continue;
    settled.add(type);
    const looked = { type, viewing: search.viewing, terms, places };
    if (ids.length > 0) statements.push(`(${rankedSql(looked, ids, left, wanted, bind)})`);
  }
  if (statements.length === 0) return;
  const rows = await search.query<TextRow>(statements.join(" union all "), bind.values, "texts");
  hits.push(...rows.map((row) => hitOf(types, row)));
}
