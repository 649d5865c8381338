import type { Uuid } from "../../base/values/ids.ts";
import { lexemeStart } from "../../base/values/search-words.ts";
import { isSlip } from "../../base/values/slip.ts";
import { textArray } from "../../database/array-parameter.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { companies } from "../../model/resources/companies.ts";
import { type Asked, type AskedWord, mayHaveSlip } from "./asked.ts";
import { type CommonWords, commonSlips, isCommonBeginning } from "./common-words.ts";
import type { SearchType } from "./search-types.ts";
import { halfOf, variantsOf } from "./slips.ts";
import { type Among, lexemeTerm } from "./terms.ts";

interface Looking {
  query: Query;
  workspaceId: Uuid;
  types: readonly SearchType[];
  common: readonly CommonWords[];
}

/** Rows whose words are looked at for those that begin with a half. If there are more, these words are all tried. */
const ROWS_READ_MAX = 300;

/** The words with one slip that stand in any of the tables, by the word that is asked for. Up to two statements. */
export async function slipsThere(looking: Looking, { words }: Asked): Promise<Map<AskedWord, string[]>> {
  const slips = new Map<AskedWord, string[]>();
  const tries: Try[] = [];
  const halves: Half[] = [];
  for (const word of words.filter((one) => mayHaveSlip(one) && !one.isContinuous)) {
    const known = new Set(looking.common.flatMap((one) => commonSlips(one, word, "any")));
    slips.set(word, [...known]);
    const half = rareHalf(looking, word);
    if (half) halves.push(half);
    const variants = variantsOf(word, 0, half?.length ?? word.characters.length + 1);
    tries.push(...variants.flatMap((text) => (known.has(text) ? [] : [{ word, text }])));
  }
  tries.push(...(await withHalves(looking, halves, slips)));
  await tryAll(looking, tries, slips);
  return slips;
}

/** The first half of a word, unless it is a common beginning. */
function rareHalf({ common }: Looking, word: AskedWord): Half | undefined {
  const length = halfOf(word);
  if (length === null) return undefined;
  const beginning = word.characters.slice(0, length).join("");
  return common.some((one) => isCommonBeginning(one, beginning)) ? undefined : { word, beginning, length };
}

/** A word that may have been meant. */
interface Try {
  word: AskedWord;
  text: string;
}

interface Half {
  word: AskedWord;
  beginning: string;
  /** In characters. */
  length: number;
}

/** Adds the words that begin with halves. Gives those to be tried instead, where too many rows have such words. */
async function withHalves(
  { query, workspaceId, types }: Looking,
  halves: readonly Half[],
  slips: Map<AskedWord, string[]>,
): Promise<Try[]> {
  if (halves.length === 0) return [];
  const bind = createBinder();
  const workspace = bind(workspaceId);
  const starts = (["name", "other"] as const).map((kind) => lexemeStart(workspaceId, kind));
  const selects = halves.flatMap(({ beginning }, i) => {
    const lexemes = starts.map((start) => bind(start + beginning, "text"));
    return tablesOf(types).map(({ table, among }) => {
      const term = bind(lexemeTerm(workspaceId, beginning, true, among), "tsquery");
      return `select ${i}, w from words_of_rows('${table}', ${workspace}::uuid, ${term}, array[${lexemes.join(", ")}], ${ROWS_READ_MAX}) w
         where ${hasRows(table, workspace)}`;
    });
  });
  const rows = await query<TextRow>(selects.join(" union "), bind.values, "texts");
  const tooMany = new Set(rows.flatMap(([i, lexeme]) => (lexeme === null ? [Number(i)] : [])));
  for (const [i, lexeme] of rows) {
    const word = halves[Number(i)]?.word;
    const text = lexeme?.slice(starts[0]?.length);
    if (!word || !text || !isSlip(word.folded, text)) continue;
    const found = slips.get(word);
    if (found && !found.includes(text)) found.push(text);
  }
  return halves.flatMap(({ word, length }, i) =>
    tooMany.has(i) ? variantsOf(word, length, word.characters.length + 1).map((text) => ({ word, text })) : [],
  );
}

/** Adds those of some words that are there. */
async function tryAll(
  { query, workspaceId, types }: Looking,
  tries: readonly Try[],
  slips: Map<AskedWord, string[]>,
): Promise<void> {
  if (tries.length === 0) return;
  const bind = createBinder();
  const workspace = bind(workspaceId);
  const bound = new Map<Among, string>();
  const terms = (among: Among) => {
    const known = bound.get(among);
    if (known !== undefined) return known;
    const texts = tries.map(({ text }) => lexemeTerm(workspaceId, text, false, among));
    bound.set(among, bind(textArray(texts), "text[]"));
    return terms(among);
  };
  const selects = tablesOf(types).map(
    ({ table, among }) =>
      `select words_in_rows('${table}', ${workspace}::uuid, ${terms(among)}) where ${hasRows(table, workspace)}`,
  );
  const rows = await query<TextRow>(selects.join(" union "), bind.values, "texts");
  for (const [place] of rows) {
    const found = tries[Number(place) - 1];
    if (found) slips.get(found.word)?.push(found.text);
  }
}

/** SQL that is true if the workspace has rows in a table. Many have none of one kind or another. */
function hasRows(table: string, workspace: string): string {
  return `exists (select from ${table} where workspace_id = ${workspace})`;
}

/** A table with words in which a search looks, and the words that are found there. */
interface TableOfWords {
  table: string;
  among: Among;
}

function tablesOf(types: readonly SearchType[]): TableOfWords[] {
  const tables = types.flatMap(({ table, record }): TableOfWords[] => [
    { table, among: "any" },
    ...(record ? [{ table: record.valuesTable, among: "others" as const }] : []),
  ]);
  const isEmployers = types.some(({ kind }) => kind === "person") && !types.some(({ kind }) => kind === "company");
  return isEmployers ? [...tables, { table: companies.searchTable, among: "names" }] : tables;
}
