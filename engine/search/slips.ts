import { foldedWord } from "../../base/values/search-words.ts";
import type { AskedWord } from "./asked.ts";

// An index of words finds words, and no others that are like them. So a slip in the first half of a word is looked for
// as all words that may have been meant, and one behind it among the words that begin with this half.
// docs/decisions/0025-search.md#slips

const ALPHABETS: readonly [script: RegExp, letters: string][] = [
  [/\p{sc=Latin}/u, "abcdefghijklmnopqrstuvwxyzə"],
  [/\p{sc=Cyrillic}/u, "абвгдежзиклмнопрстуфхцчшщъыьэюяєіјљњћџґђәғқңөұүһ"],
  [/\p{sc=Greek}/u, "αβγδεζηθικλμνξοπρστυφχψω"],
  [/\p{sc=Arabic}/u, "ءابتثجحخدذرزسشصضطظعغفقكلمنهوىيةپچژکگیٹڈڑںھہے"],
  [/\p{sc=Hebrew}/u, "אבגדהוזחטיכךלמםנןסעפףצץקרשת"],
  [/\p{sc=Armenian}/u, "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ"],
  [/\p{sc=Georgian}/u, "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"],
  [/\p{sc=Devanagari}/u, "अआइईउऊऋएऐओऔकखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहािीुूृेैोौ्ंँः"],
  [/\p{Nd}/u, "0123456789"],
];

/** Shorter words have beginnings that too many others have. */
const HALVED_LENGTH_MIN = 6;
const HALF_LENGTH_MAX = 10;

/** Number of letters of the first half of a word; null for a word that is looked for as a whole. */
export function halfOf({ characters }: AskedWord): number | null {
  if (characters.length < HALVED_LENGTH_MIN) return null;
  return Math.min(HALF_LENGTH_MAX, Math.ceil(characters.length / 2));
}

/**
 * The words that are another one with a slip in some of its letters, each once. Letters that were left out or mistyped
 * are looked for in the alphabets of the word's own letters.
 * @param from the first of these letters
 * @param to the one behind the last of them
 */
export function variantsOf({ folded, characters }: AskedWord, from: number, to: number): string[] {
  const texts = new Set<string>();
  const alphabet = lettersFor(folded, characters);
  for (let at = from; at < to; at++) {
    const [before, letter, next] = [characters.slice(0, at).join(""), characters[at], characters[at + 1]];
    const rest = characters.slice(at).join("");
    for (const other of alphabet) texts.add(before + other + rest);
    if (letter === undefined) continue;
    const behind = characters.slice(at + 1).join("");
    texts.add(before + behind);
    for (const other of alphabet) texts.add(before + other + behind);
    if (next !== undefined) texts.add(before + next + letter + characters.slice(at + 2).join(""));
  }
  texts.delete(folded);
  return [...texts];
}

function lettersFor(word: string, characters: readonly string[]): string[] {
  const alphabets = ALPHABETS.flatMap(([script, letters]) => (script.test(word) ? [...letters] : []));
  const others = characters.filter((character) => ALPHABETS.every(([script]) => !script.test(character)));
  return [...new Set([...alphabets, ...others.flatMap(blockOf), ...characters])];
}

/** Most scripts that have no alphabet here stand in Unicode in blocks of this size, as those of India do. */
const BLOCK_LENGTH = 128;
const blocks = new Map<number, string[]>();

/** The letters, marks and digits of the block that a character is in. */
function blockOf(character: string): string[] {
  const from = (character.codePointAt(0) ?? 0) & -BLOCK_LENGTH;
  let letters = blocks.get(from);
  if (!letters) {
    const points = Array.from({ length: BLOCK_LENGTH }, (_, i) => String.fromCodePoint(from + i));
    letters = points.filter((point) => /[\p{L}\p{M}\p{N}]/u.test(point) && foldedWord(point) === point);
    blocks.set(from, letters);
  }
  return letters;
}

/** Longest run of which each slip is looked for. In a longer one, one of the halves is as it should be. */
const RUN_LENGTH_MAX = 5;

/**
 * The runs without blanks that a run of at least four characters with a slip may have been meant to be, as sets of
 * pairs of characters that these hold: a slip leaves all pairs that it does not touch.
 */
export function pairsLeft({ characters }: AskedWord): string[][] {
  const pairs = pairsIn(characters);
  if (characters.length > RUN_LENGTH_MAX) {
    const half = Math.floor(pairs.length / 2);
    return [pairs.slice(0, half - 1), pairs.slice(half + 1)];
  }
  const left = characters.map((_, at) => pairs.filter((_pair, i) => i !== at - 1 && i !== at));
  const swapped = characters
    .slice(1)
    .map((character, i) => pairsIn(characters.with(i, character).with(i + 1, characters[i] ?? "")));
  return [...left, ...swapped].filter((set) => set.length > 0);
}

function pairsIn(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
