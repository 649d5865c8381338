import { RECORD_KINDS, type RecordKind, type Uuid } from "../../base/values/ids.ts";
import { wordsOf } from "../../base/values/search-words.ts";
import type { Binder } from "../../database/binder.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { Option } from "../../model/custom-fields/definition.ts";
import type { EntityKey } from "../../model/definitions/definitions.ts";
import { visibleGroups } from "../../model/definitions/roles.ts";
import { companies } from "../../model/resources/companies.ts";
import type { Viewer } from "../../model/resources/resource.ts";
import { type AskedWord, type Closeness, closenessOf } from "./asked.ts";
import type { SearchType } from "./search-types.ts";
import { type Terms, wordTerm } from "./terms.ts";

// Words of a record that stand in other tables than its own: custom texts, options, names of a person's companies.

/** Rows of another table that have a word, as SQL after `select`: their source, condition, and the id of the record. */
export interface Elsewhere {
  id: string;
  from: string;
  where: string;
}

/** The other tables in which a word can make a record found, with their rows that a caller sees. */
export function elsewhere(
  { record }: SearchType,
  viewing: Viewer,
  terms: Terms,
  word: AskedWord,
  closeness: Closeness,
  bind: Binder,
): Elsewhere[] {
  if (!record) return [];
  const { valuesTable, recordIdColumn, kind } = record;
  const seen = visibleGroups(viewing.definitions, viewing.caller);
  const isSeen =
    kind === "object" || seen.length === viewing.definitions.groups.size
      ? ""
      : ` and v.group_id = any(${bind(printUuids(seen.map(({ uuid }) => uuid)), "uuid[]")})`;
  const ofValues = (condition: string): Elsewhere => ({
    id: `v.${recordIdColumn}`,
    from: `${valuesTable} v`,
    where: `v.workspace_id = $1 and ${condition}${isSeen}`,
  });
  const options = optionsWith(viewing, kind, word, closeness);
  const texts = ofValues(`v.words @@ (select ${bind(wordTerm(terms, word, closeness, "others"), "tsquery")})`);
  const choices = options.length > 0 ? [ofValues(`v.item = any(${bind(printUuids(options), "uuid[]")})`)] : [];
  return [texts, ...choices, ...(kind === "person" ? [companiesNamed(terms, word, closeness, bind)] : [])];
}

function companiesNamed(terms: Terms, word: AskedWord, closeness: Closeness, bind: Binder): Elsewhere {
  return {
    id: "l.person_id",
    from: `person_companies l join ${companies.searchTable} c on c.workspace_id = $1 and c.id = l.company_id`,
    where: `l.workspace_id = $1 and c.words @@ (select ${bind(wordTerm(terms, word, closeness, "names"), "tsquery")})`,
  };
}

/** The options with a word in their label, of the fields that a caller sees on records of a kind. */
export function optionsWith(viewing: Viewer, kind: string, word: AskedWord, closeness: Closeness): Uuid[] {
  return visibleGroups(viewing.definitions, viewing.caller)
    .flatMap(({ fields }) =>
      [...fields].flatMap(([entity, ofEntity]) => (kindOfEntity(entity) === kind ? ofEntity : [])),
    )
    .flatMap(({ optionsByUuid }) => [...optionsByUuid.values()].filter((option) => hasWord(option, word, closeness)))
    .map(({ uuid }) => uuid);
}

/** Objects have fields by the uuids of their types. */
function kindOfEntity(entity: EntityKey): RecordKind {
  return RECORD_KINDS.find((kind) => kind === entity) ?? "object";
}

/** The words of labels. Definitions are read anew when they change. */
const labelWords = new WeakMap<Option, string[]>();

function hasWord(option: Option, word: AskedWord, most: Closeness): boolean {
  let words = labelWords.get(option);
  if (!words) {
    words = wordsOf(option.label).map(({ folded }) => folded);
    labelWords.set(option, words);
  }
  return words.some((one) => {
    const closeness = closenessOf(word, one);
    return closeness !== null && closeness <= most;
  });
}
