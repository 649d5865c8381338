import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { type Asked, type AskedWord, type Closeness, EXACT, mayHaveSlip, PREFIX, SLIP } from "./asked.ts";
import { candidates, type Lookup } from "./candidates.ts";
import { areCommon, type CommonWords, commonWords } from "./common-words.ts";
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
  if (plain.length >= limit || !asked.words.some(mayHaveSlip)) return plain.slice(0, limit);
  const looking = {
    queryPlanned: searching.queryPlanned,
    workspaceId,
    types: searching.types,
    common: [...common.values()],
  };
  const slips = await slipsThere(looking, asked);
  const terms = { workspaceId, asked, slips };
  const isMore = asked.words.some((word) => slips.get(word)?.length || (word.isContinuous && mayHaveSlip(word)));
  const more = isMore ? await findCloseness(search, terms, [SLIP], plain) : [];
  return [...plain, ...more].slice(0, limit);
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
  const isRare = (type: SearchType) => !areCommon(common.get(type), asked, widest, "any");
  const rare = await ranked(search, terms, { types: types.filter(isRare), closenesses, namesOnly: false, without });
  const hits = rare.hits;
  for (const type of [...types.filter((one) => !isRare(one)), ...rare.tooMany])
    hits.push(...(await inTurn(search, terms, type, closenesses, without)));
  return hits.toSorted(byRank).slice(0, search.limit);
}

/** The finds of a type that has many, by degrees: as soon as there are enough of one degree, no other is looked for. */
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
    hits.push(...(await ofDegree(search, terms, type, { closenesses: [closeness], namesOnly, limit, without: known })));
  }
  return hits;
}

async function ofDegree(search: Search, terms: Terms, type: SearchType, wanted: Wanted): Promise<Hit[]> {
  const { common, asked } = search;
  const [closeness = EXACT] = wanted.closenesses;
  if (!areCommon(common.get(type), asked, closeness, wanted.namesOnly ? "names" : "any")) {
    const { hits, tooMany } = await ranked(search, terms, { types: [type], ...wanted });
    if (tooMany.length === 0) return hits;
  }
  return walk({ ...search, terms, rarest: rarestOf(search, type) }, type, wanted);
}

/** The finds by the indexes of words, and the types that have too many of them. */
async function ranked(
  { queryPlanned, viewing, limit, asked, common }: Search,
  terms: Terms,
  { types, closenesses, namesOnly, without }: Omit<Wanted, "limit"> & { types: readonly SearchType[] },
): Promise<{ hits: Hit[]; tooMany: SearchType[] }> {
  if (types.length === 0) return { hits: [], tooMany: [] };
  const rarest = rarestOf({ asked, common }, types[0]);
  const lookup: Lookup = { types, closeness: closenesses.at(-1) ?? EXACT, namesOnly, rarest };
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

/** The word that the fewest rows should have: one that is not common, the longest of these. */
function rarestOf({ asked, common }: Pick<Search, "asked" | "common">, type: SearchType | undefined): AskedWord {
  const known = type && common.get(type);
  const isRare = (word: AskedWord) => !areCommon(known, { words: [word], digits: [] }, PREFIX, "any");
  const order = (word: AskedWord) => (isRare(word) ? 1000 : 0) + word.characters.length;
  const [first, ...others] = asked.words;
  if (!first) throw new Error("A search without words finds nothing");
  return others.reduce((best, word) => (order(word) > order(best) ? word : best), first);
}
