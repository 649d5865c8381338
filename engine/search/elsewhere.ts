import type { Binder } from "../../database/binder.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { visibleGroups } from "../../model/definitions/roles.ts";
import { companies } from "../../model/resources/companies.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import type { AskedWord, Closeness } from "./asked.ts";
import { optionsWith } from "./options.ts";
import type { Places, Told, WordPlaces } from "./places.ts";
import type { SearchType } from "./search-types.ts";
import { type Terms, wordTerm } from "./terms.ts";

// Words of a record that stand in other tables than its own: custom texts, options, names of a person's companies.

/** Rows of another table that have a word, as SQL after `select`: their source, condition, and the id of the record. */
export interface Elsewhere {
  id: string;
  from: string;
  where: string;
  /** The companies whose people have such rows; null if it is not about companies, or if there are too many. */
  companies: Told;
  /** The records that may have such rows; null if there are too many to tell. */
  records: Told;
}

/** The words that are looked for in a type, and their places as far as they are known. */
export interface LookedFor {
  type: SearchType;
  viewing: Viewer;
  terms: Terms;
  places?: Places | undefined;
}

/** The other tables in which a word can make a record found, with their rows that a caller sees. */
export function elsewhere(looked: LookedFor, word: AskedWord, closeness: Closeness, bind: Binder): Elsewhere[] {
  const { type, viewing, terms, places } = looked;
  const { record } = type;
  if (!record) return [];
  const { valuesTable, recordIdColumn, kind } = record;
  const known = places?.words.get(word);
  const ofValues = (condition: string, records: Told = null): Elsewhere => ({
    id: `v.${recordIdColumn}`,
    from: `${valuesTable} v`,
    where: `v.workspace_id = $1 and ${condition}${seenValues(looked, bind)}`,
    companies: null,
    records,
  });
  const found: Elsewhere[] = [];
  if (!known || mayHave(known.values)) {
    const term = bind(wordTerm(terms, word, closeness, "others"), "tsquery");
    found.push(ofValues(`v.words @@ (select ${term})`, known?.values));
  }
  const options = !known || mayHave(known.chosen) ? optionsWith(viewing, kind, word, closeness) : [];
  if (options.length > 0) found.push(ofValues(`v.item = any(${bind(printUuids(options), "uuid[]")})`, known?.chosen));
  if (kind === "person" && (!known || mayHave(known.people)))
    found.push(companiesNamed(wordTerm(terms, word, closeness, "names"), known, bind));
  return found;
}

function mayHave(ids: Told): boolean {
  return ids === null || ids.length > 0;
}

/** SQL that leaves out values of groups that the caller does not see. */
function seenValues({ type, viewing }: LookedFor, bind: Binder): string {
  const seen = visibleGroups(viewing.definitions, viewing.caller);
  return type.kind === "object" || seen.length === viewing.definitions.groups.size
    ? ""
    : ` and v.group_id = any(${bind(printUuids(seen.map(({ uuid }) => uuid)), "uuid[]")})`;
}

function companiesNamed(term: string, known: WordPlaces | undefined, bind: Binder): Elsewhere {
  return {
    id: "l.person_id",
    from: `person_companies l join ${companies.searchTable} c on c.workspace_id = $1 and c.id = l.company_id`,
    where: `l.workspace_id = $1 and c.words @@ (select ${bind(term, "tsquery")})`,
    companies: known?.companies ?? null,
    records: known?.people ?? null,
  };
}

/** SQL that is true for a row `t` that has such rows. */
export function hasElsewhere({ id, from, where, records }: Elsewhere, bind: Binder): string {
  const exists = `exists (select from ${from} where ${where} and ${id} = t.id)`;
  return records ? `(t.id = any(${bind(printUuids(records), "uuid[]")}) and ${exists})` : exists;
}

/** SQL of the ids of all records with such rows. */
export function idsElsewhere({ id, from, where, companies: ids }: Elsewhere, bind: Binder): string {
  const isThere = ids ? ` and l.company_id = any(${bind(printUuids(ids), "uuid[]")})` : "";
  return `select ${id} from ${from} where ${where}${isThere}`;
}
