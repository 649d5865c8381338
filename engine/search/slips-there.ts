import type { Uuid } from "../../base/values/ids.ts";
import { lexemeStart } from "../../base/values/search-words.ts";
import { isSlip } from "../../base/values/slip.ts";
import { textArray } from "../../database/array-parameter.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { type Asked, type AskedWord, mayHaveSlip } from "./asked.ts";
import { type CommonWords, commonSlips, isCommonBeginning } from "./common-words.ts";
import type { SearchType } from "./search-types.ts";
import { halfOf, variantsOf } from "./slips.ts";
import { lexemeTerm } from "./terms.ts";

interface Looking {
  queryPlanned: Query;
  workspaceId: Uuid;
  types: readonly SearchType[];
  common: readonly CommonWords[];
}

/** Rows whose words are looked at for those that begin with a half. If there are more, these words are all tried. */
const ROWS_READ_MAX = 2000;

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
  { queryPlanned, workspaceId, types }: Looking,
  halves: readonly Half[],
  slips: Map<AskedWord, string[]>,
): Promise<Try[]> {
  if (halves.length === 0) return [];
  const bind = createBinder();
  const workspace = bind(workspaceId);
  const starts = (["name", "other"] as const).map((kind) => lexemeStart(workspaceId, kind));
  const selects = halves.flatMap(({ beginning }, i) => {
    const term = bind(lexemeTerm(workspaceId, beginning, true, "any"), "tsquery");
    const lexemes = starts.map((start) => bind(start + beginning, "text"));
    return tablesOf(types).map(
      (table) =>
        `select ${i}, w from words_of_rows('${table}', ${workspace}::uuid, ${term}, array[${lexemes.join(", ")}], ${ROWS_READ_MAX}) w`,
    );
  });
  const rows = await queryPlanned<TextRow>(selects.join(" union "), bind.values, "texts");
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
  { queryPlanned, workspaceId, types }: Looking,
  tries: readonly Try[],
  slips: Map<AskedWord, string[]>,
): Promise<void> {
  if (tries.length === 0) return;
  const bind = createBinder();
  const workspace = bind(workspaceId);
  const terms = bind(textArray(tries.map(({ text }) => lexemeTerm(workspaceId, text, false, "any"))), "text[]");
  const rows = await queryPlanned<TextRow>(
    tablesOf(types)
      .map((table) => `select words_in_rows('${table}', ${workspace}::uuid, ${terms})`)
      .join(" union "),
    bind.values,
    "texts",
  );
  for (const [place] of rows) {
    const found = tries[Number(place) - 1];
    if (found) slips.get(found.word)?.push(found.text);
  }
}

/** The tables with words in which a search looks. */
function tablesOf(types: readonly SearchType[]): string[] {
  const tables = types.flatMap(({ table, record, kind }) => [
    table,
    ...(record ? [record.valuesTable] : []),
    ...(kind === "person" ? ["company_search"] : []),
  ]);
  return [...new Set(tables)];
}
