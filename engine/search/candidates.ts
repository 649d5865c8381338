import type { Uuid } from "../../base/values/ids.ts";
import { type Binder, createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { parseUuids, printUuids } from "../../database/uuid-list.ts";
import { companies } from "../../model/resources/companies.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import type { AskedWord, Closeness } from "./asked.ts";
import { elsewhere, optionsWith } from "./elsewhere.ts";
import type { SearchType } from "./search-types.ts";
import { type Among, allTerm, type Terms, wordTerm } from "./terms.ts";

// Rows that may be found, by the indexes of words: those whose own texts have all words, and those of which one word,
// the rarest, stands in another table. Which of them are found, and in which order, is seen in the rows.

/** Number of rows of a source that are ranked. If there are more, the search walks through the rows. */
const RANKED_MAX = 2000;

interface Asking {
  queryPlanned: Query;
  viewing: Viewer;
  terms: Terms;
}

/** Words that are looked for in an index, and which of them is the rarest. */
export interface Lookup {
  types: readonly SearchType[];
  closeness: Closeness;
  namesOnly: boolean;
  rarest: AskedWord;
}

/** A source of candidates, with the ids of its rows. */
interface Source {
  kind: SearchType["kind"] | "company of a person";
  table: string;
  column: string;
  term: string;
}

/** The candidates by type; null for a type with too many. Two statements, the second one for people alone. */
export async function candidates(asking: Asking, lookup: Lookup): Promise<Map<SearchType, Uuid[] | null>> {
  const sources = lookup.types.flatMap((type) => sourcesOf(asking.terms, type, lookup));
  const bind = createBinder();
  const workspace = bind(asking.viewing.caller.workspaceId);
  const selects = sources.map(
    ({ table, column, term }) =>
      `select array(select rows_with_words(${bind(table)}, ${bind(column)}, ${workspace}::uuid, ${bind(term)}::tsquery, ${RANKED_MAX + 1}))`,
  );
  const rows = await asking.queryPlanned<TextRow>(selects.join(" union all "), bind.values, "texts");
  const found = new Map<SearchType, Uuid[] | null>(lookup.types.map((type) => [type, []]));
  const employers: Uuid[] = [];
  for (const [i, { kind }] of sources.entries()) {
    const uuids = parseUuids(rows[i]?.[0] ?? "{}");
    if (kind === "company of a person") employers.push(...uuids);
    else add(found, lookup.types, kind, uuids);
  }
  if (!lookup.namesOnly) await addLinked(asking, lookup, employers, found);
  return found;
}

function sourcesOf(terms: Terms, type: SearchType, { closeness, namesOnly, rarest }: Lookup): Source[] {
  const among: Among = namesOnly ? "names" : "any";
  const { kind, table, record } = type;
  const own = { kind, table, column: "id", term: allTerm(terms, closeness, among) };
  if (namesOnly || !record) return [own];
  const { valuesTable, recordIdColumn } = record;
  const term = (of: Among) => wordTerm(terms, rarest, closeness, of);
  return [
    own,
    { kind, table: valuesTable, column: recordIdColumn, term: term("others") },
    ...(terms.asked.words.length > 1 ? [{ kind, table, column: "id", term: term("any") }] : []),
    ...(kind === "person"
      ? [{ kind: "company of a person" as const, table: companies.searchTable, column: "id", term: term("names") }]
      : []),
  ];
}

function add(
  found: Map<SearchType, Uuid[] | null>,
  types: readonly SearchType[],
  kind: SearchType["kind"],
  uuids: Uuid[],
): void {
  const type = types.find((one) => one.kind === kind);
  const before = type && found.get(type);
  if (!type || !before) return;
  found.set(type, uuids.length > RANKED_MAX ? null : [...before, ...uuids]);
}

/** Adds the people of companies, and the records with options that have the word. */
async function addLinked(
  { queryPlanned, viewing }: Asking,
  { types, closeness, rarest }: Lookup,
  employers: Uuid[],
  found: Map<SearchType, Uuid[] | null>,
): Promise<void> {
  const bind = createBinder();
  bind(viewing.caller.workspaceId);
  const selects = types.flatMap((type) => {
    const linked = [
      ...(type.kind === "person" && employers.length > 0 ? [peopleOf(employers, bind)] : []),
      ...optionsElsewhere(type, viewing, rarest, closeness, bind),
    ];
    return linked.map((sql) => `select '${type.kind}' as kind, array(${sql} limit ${RANKED_MAX + 1}) as ids`);
  });
  if (selects.length === 0) return;
  for (const [kind, ids] of await queryPlanned<TextRow>(selects.join(" union all "), bind.values, "texts"))
    add(found, types, kind as SearchType["kind"], parseUuids(ids ?? "{}"));
}

function peopleOf(employers: Uuid[], bind: Binder): string {
  return `select person_id from person_companies where workspace_id = $1 and company_id = any(${bind(printUuids(employers), "uuid[]")})`;
}

function optionsElsewhere(
  { record }: SearchType,
  viewing: Viewer,
  word: AskedWord,
  closeness: Closeness,
  bind: Binder,
): string[] {
  const options = record ? optionsWith(viewing, record.kind, word, closeness) : [];
  if (!record || options.length === 0) return [];
  return [
    `select ${record.recordIdColumn} from ${record.valuesTable}
     where workspace_id = $1 and item = any(${bind(printUuids(options), "uuid[]")})`,
  ];
}

/**
 * SQL over the row `t` that is true for all candidates of a type, however many there are: rows that have each of some
 * words, in whatever table. PostgreSQL sees neither the words nor the number of rows when it plans, so it takes the
 * indexes.
 */
export function isCandidate(
  type: SearchType,
  { viewing, terms }: Omit<Asking, "queryPlanned">,
  closeness: Closeness,
  words: readonly AskedWord[],
  bind: Binder,
): string {
  const own = (term: string) =>
    `select id from ${type.table} where workspace_id = $1 and words @@ (select ${bind(term, "tsquery")})`;
  const ofWords = words.map((word) => {
    const others = elsewhere(type, viewing, terms, word, closeness, bind);
    const sources = others.map(({ id, from, where }) => `select ${id} from ${from} where ${where}`);
    return `(${[own(wordTerm(terms, word, closeness, "any")), ...sources].join(" union all ")})`;
  });
  const digits = terms.asked.digits.length > 0 ? ` union ${own(allTerm(terms, closeness, "any"))}` : "";
  return `t.id = any(array((${ofWords.join(" intersect ")})${digits}))`;
}
