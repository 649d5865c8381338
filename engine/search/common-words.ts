import { LRUCache } from "lru-cache";
import type { Uuid } from "../../base/values/ids.ts";
import { isSlip } from "../../base/values/slip.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { ANYBODY } from "../interactions/activity.ts";
import { type AskedWord, type Closeness, EXACT, lexemesOfAsked, mayHaveSlip, SLIP } from "./asked.ts";
import type { SearchType } from "./search-types.ts";
import type { Among } from "./terms.ts";

// A word that very many rows have is not looked up in an index, which would find all of them: the search walks through
// the rows in the order in which it gives them, and soon meets enough. Which words are common is seen in a sample.
// docs/decisions/0025-search.md#common-words

/** Rows of a sample: those of the latest interactions, and the newest ones. */
const SAMPLE = { lately: 300, newest: 700 };
/** The same of tables with long texts. */
const SAMPLE_OF_TEXTS = { lately: 50, newest: 150 };
/** The part of the rows from which on a word is common. */
const COMMON_SHARE = 0.005;
/** Least number of rows of a sample that a common word has. Of fewer rows all can be ranked. */
const COMMON_ROWS_MIN = 5;
const KEPT_MS = 60_000;
const KEPT_MAX = 200;

/** Common words of a type in a workspace: letter of the lexeme and word → share of the rows. */
export interface CommonWords {
  lexemes: Map<string, number>;
  /** The same for beginnings of words. */
  beginnings: Map<string, number>;
}

const kept = new LRUCache<string, CommonWords>({ max: KEPT_MAX, ttl: KEPT_MS });

/** The common words of a workspace by type, as they were in the last minute. */
export async function commonWords(
  query: Query,
  workspaceId: Uuid,
  types: readonly SearchType[],
): Promise<Map<SearchType, CommonWords>> {
  const known = new Map<SearchType, CommonWords>();
  const unknown = types.filter((type) => {
    const words = kept.get(workspaceId + type.kind);
    if (words) known.set(type, words);
    return !words;
  });
  if (unknown.length === 0) return known;
  const rows = await query<TextRow>(`${unknown.map(sampleSql).join(" union all ")}`, [workspaceId], "texts");
  for (const type of unknown) {
    const words = commonIn(rows.filter(([kind]) => kind === type.kind));
    kept.set(workspaceId + type.kind, words);
    known.set(type, words);
  }
  return known;
}

/** SQL of the lexemes of a sample: kind, lexeme without the letters of the workspace, number of rows. */
function sampleSql({ kind, table, contact, record }: SearchType): string {
  const { lately, newest } = record ? SAMPLE : SAMPLE_OF_TEXTS;
  const inOrder = `(select words from ${table} where workspace_id = $1 order by id desc limit ${newest})`;
  const met =
    contact === null
      ? ""
      : `(select words from (select entity_id from interaction_counts where workspace_id = $1 and user_id = '${ANYBODY}'
          order by last_at desc limit ${lately}) c join ${table} t on t.workspace_id = $1 and t.${contact} = c.entity_id limit ${lately}) union all`;
  return `select '${kind}' as kind, substr(l, 7), count(*), (select count(*) from rows_${kind} r)
    from rows_${kind} s cross join lateral unnest(tsvector_to_array(s.words)) l group by 2`.replaceAll(
    `rows_${kind}`,
    `(${met} ${inOrder})`,
  );
}

function commonIn(rows: readonly TextRow[]): CommonWords {
  const least = Math.max(COMMON_ROWS_MIN, Number(rows[0]?.[3] ?? 0) * COMMON_SHARE);
  const all = Number(rows[0]?.[3] ?? 1);
  const lexemes = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const [, lexeme, count] of rows) {
    if (lexeme === null || lexeme === undefined) continue;
    if (Number(count) >= least) lexemes.set(lexeme, Number(count) / all);
    for (let end = 2; end <= lexeme.length; end++)
      counts.set(lexeme.slice(0, end), (counts.get(lexeme.slice(0, end)) ?? 0) + Number(count));
  }
  const beginnings = new Map([...counts].flatMap(([text, count]) => (count >= least ? [[text, count / all]] : [])));
  return { lexemes, beginnings: beginnings as Map<string, number> };
}

/** Letters of the lexemes of words. */
const LETTERS: Record<Among, readonly string[]> = {
  any: ["n", "o"],
  names: ["n"],
  others: ["o"],
};

/** The part of the rows that have a word, at most as far from it as told; 0 if it is not a common one. */
export function shareOf(common: CommonWords | undefined, word: AskedWord, closeness: Closeness, among: Among): number {
  if (!common) return 0;
  const isWhole = closeness === EXACT || (word.isContinuous && word.characters.length > 1);
  const shares = isWhole ? common.lexemes : common.beginnings;
  const slips = closeness === SLIP ? commonSlips(common, word, among) : [];
  return Math.min(
    ...lexemesOfAsked(word).map((lexeme) => {
      const found = LETTERS[among].flatMap((letter) => shares.get(letter + lexeme) ?? []);
      const withSlip = slips.flatMap((text) =>
        LETTERS[among].flatMap((letter) => common.lexemes.get(letter + text) ?? []),
      );
      return Math.min(
        1,
        [...found, ...withSlip].reduce((sum, share) => sum + share, 0),
      );
    }),
  );
}

/** Whether words with this beginning are common. */
export function isCommonBeginning({ beginnings }: CommonWords, text: string): boolean {
  return LETTERS.any.some((letter) => beginnings.has(letter + text));
}

/** The common words that are a word with a slip. */
export function commonSlips({ lexemes }: CommonWords, word: AskedWord, among: Among): string[] {
  if (!mayHaveSlip(word) || word.isContinuous) return [];
  return [...lexemes.keys()].flatMap((lexeme) => {
    if (!LETTERS[among].includes(lexeme.slice(0, 1))) return [];
    const text = lexeme.slice(1);
    return isSlip(word.folded, text) ? [text] : [];
  });
}
