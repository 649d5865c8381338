import type { Uuid } from "../../base/values/ids.ts";
import { type Binder, createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { parseUuids, printUuids } from "../../database/uuid-list.ts";
import { companies } from "../../model/resources/companies.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import type { AskedWord, Closeness } from "./asked.ts";
import { optionsWith } from "./options.ts";
import type { SearchType } from "./search-types.ts";
import { digitsTerms, type Terms, wordTerm } from "./terms.ts";

// The tables with the words of a search, and the rows with them unless there are too many. A table without such rows is
// not asked any more, and the word with the fewest rows leads to the finds.
// docs/decisions/0025-search.md#a-search-step-by-step

/** Maximum number of rows of a place whose ids are read. */
const TOLD_MAX = 2000;

/** Rows by their ids; null if there are too many to tell. */
export type Told = readonly Uuid[] | null;

/** The rows of a type in which a word stands. Records of other tables may be ones that the caller does not see. */
export interface WordPlaces {
  own: Told;
  /** Records with the word in a custom text. */
  values: Told;
  /** Options with the word in their label. */
  options: readonly Uuid[];
  /** Records that have one of these options. */
  chosen: Told;
  /** Companies with the word in their name, for people. */
  companies: Told;
  /** The people of these companies. */
  people: Told;
}

/** The places of the words of a search in a type. */
export interface Places {
  closeness: Closeness;
  /** Those of the first words: most searches have no more. */
  words: ReadonlyMap<AskedWord, WordPlaces>;
  /** Rows with phones that begin with the digits. */
  digits: Told;
}

/** A type, and how far from a word its rows may be. */
export interface Sought {
  type: SearchType;
  closeness: Closeness;
  /** Words, the one that is likely to be the rarest first. */
  words: readonly AskedWord[];
  /** Whether very many rows have a word, so that these are not asked for. */
  isCommon(word: AskedWord): boolean;
}

interface Asking {
  query: Query;
  viewing: Viewer;
  terms: Terms;
}

/** Words of which the places are asked for. */
const WORDS_MAX = 3;

/** The places of the words in some types. Two statements, the second one for other tables of records alone. */
export async function placesOf(asking: Asking, sought: readonly Sought[]): Promise<Map<SearchType, Places>> {
  const open = new Map<SearchType, Places>();
  const reads: Read[] = [];
  for (const one of sought) {
    const places = openPlaces(asking, one);
    open.set(one.type, places);
    reads.push(...readsOf(asking, one, places));
  }
  await readAll(asking, reads);
  await readAll(
    asking,
    sought.flatMap((one) => linkedReads(one, open.get(one.type)?.words)),
  );
  return open;
}

/** A list of ids that is read, and what is to be done with it. */
interface Read {
  sql(bind: Binder): string;
  note(ids: Told): void;
}

function openPlaces({ viewing }: Asking, { type: { record }, closeness, words, isCommon }: Sought): Places {
  const wordPlaces = words.slice(0, WORDS_MAX).map((word): [AskedWord, WordPlaces] => [
    word,
    {
      own: isCommon(word) ? null : [],
      values: [],
      options: record ? optionsWith(viewing, record.kind, word, closeness) : [],
      chosen: [],
      companies: [],
      people: [],
    },
  ]);
  return { closeness, words: new Map(wordPlaces), digits: [] };
}

function readsOf({ terms }: Asking, { type, closeness }: Sought, places: Places): Read[] {
  const { table, record, kind } = type;
  const reads: Read[] = [];
  const add = (of: { table: string; column: string; term: string }, note: Read["note"]) =>
    reads.push({ sql: (bind) => withWords(of, bind), note });
  for (const [word, found] of places.words) {
    const term = (among: "any" | "names" | "others") => wordTerm(terms, word, closeness, among);
    if (found.own) add({ table, column: "id", term: term("any") }, (ids) => (found.own = ids));
    if (record)
      add(
        { table: record.valuesTable, column: record.recordIdColumn, term: term("others") },
        (ids) => (found.values = ids),
      );
    if (kind === "person")
      add({ table: companies.searchTable, column: "id", term: term("names") }, (ids) => (found.companies = ids));
  }
  const digits = digitsTerms(terms, closeness);
  if (digits !== "" && record) add({ table, column: "id", term: digits }, (ids) => (places.digits = ids));
  return reads;
}

function withWords({ table, column, term }: { table: string; column: string; term: string }, bind: Binder): string {
  return `select rows_with_words(${bind(table)}, ${bind(column)}, $1::uuid, ${bind(term)}::tsquery, ${TOLD_MAX + 1})`;
}

/** Reads of the people of companies, and of the records with options. */
function linkedReads({ type: { record } }: Sought, words: Places["words"] | undefined): Read[] {
  const reads: Read[] = [];
  for (const found of words?.values() ?? []) {
    const employers = found.companies;
    if (employers === null) found.people = null;
    else if (employers.length > 0)
      reads.push({
        sql: (bind) =>
          `select person_id from person_companies where workspace_id = $1 and company_id = any(${bind(printUuids(employers), "uuid[]")}) limit ${TOLD_MAX + 1}`,
        note: (ids) => (found.people = ids),
      });
    const { options } = found;
    if (record && options.length > 0)
      reads.push({
        sql: (bind) =>
          `select ${record.recordIdColumn} from ${record.valuesTable}
           where workspace_id = $1 and item = any(${bind(printUuids(options), "uuid[]")}) limit ${TOLD_MAX + 1}`,
        note: (ids) => (found.chosen = ids),
      });
  }
  return reads;
}

/** Reads some lists of ids in one statement. */
async function readAll({ query, viewing }: Asking, reads: readonly Read[]): Promise<void> {
  if (reads.length === 0) return;
  const bind = createBinder();
  bind(viewing.caller.workspaceId);
  const lists = reads.map(({ sql }) => `select array(${sql(bind)})`);
  const rows = await query<TextRow>(lists.join(" union all "), bind.values, "texts");
  for (const [i, { note }] of reads.entries()) {
    const ids = parseUuids(rows[i]?.[0] ?? "{}");
    note(ids.length > TOLD_MAX ? null : ids);
  }
}

/** All rows that may be found, if one of the words has few enough; null if each has too many. */
export function leading({ words, digits }: Places): Told {
  let fewest: Told = null;
  for (const { own, values, chosen, people } of words.values()) {
    if (!own || !values || !chosen || !people) continue;
    const all = [...own, ...values, ...chosen, ...people];
    if (all.length <= TOLD_MAX && (fewest === null || all.length < fewest.length)) fewest = all;
  }
  return fewest && digits ? [...new Set([...fewest, ...digits])] : null;
}
