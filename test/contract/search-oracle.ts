// Searches as docs/guides/search.md describes them, over texts in memory. This shares nothing with engine/search: words
// are compared one by one, and everything is looked at for each search.

/** A thing that can be found, with the texts by which it is. */
export interface Thing {
  id: string;
  entityType: string;
  names: string[];
  others: string[];
  phones: string[];
  /** Time of the last interaction that counts for it. */
  lastAt: string | null;
}

const [WHOLE, BEGINNING, SLIP] = [0, 1, 2] as const;
const NONE = 3;

interface Rank {
  worst: number;
  isNamed: boolean;
}

/** Ids of the first finds of a search, the best first. */
export function oracle(things: readonly Thing[], q: string, types: readonly string[], limit: number): string[] {
  const asked = [...new Set(wordsOf(q))];
  if (asked.length === 0) return [];
  const digits = /^[\d\s+()\-/.]+$/.test(q) ? q.replaceAll(/\D/g, "") : "";
  const ranks = new Map<string, Rank | null>();
  const ranked = things.flatMap((thing) => {
    if (!types.includes(thing.entityType)) return [];
    const key = JSON.stringify([thing.names, thing.others, thing.phones]);
    const rank = ranks.has(key) ? ranks.get(key) : rankOf(thing, asked, digits);
    ranks.set(key, rank ?? null);
    return rank ? [{ ...rank, thing }] : [];
  });
  return ranked
    .sort(
      (a, b) =>
        a.worst - b.worst ||
        Number(b.isNamed) - Number(a.isNamed) ||
        (b.thing.lastAt ?? "").localeCompare(a.thing.lastAt ?? "") ||
        (a.thing.id.slice(4) < b.thing.id.slice(4) ? 1 : -1),
    )
    .slice(0, limit)
    .map(({ thing }) => thing.id);
}

function rankOf({ names, others, phones }: Thing, asked: string[], digits: string): Rank | null {
  const named = names.flatMap(wordsOf);
  const all = [...named, ...others.flatMap(wordsOf), ...phones.flatMap(wordsOf)];
  const worst = Math.max(...asked.map((word) => closest(word, all)));
  const byPhone = digits.length >= 4 ? Math.min(...phones.map((phone) => phoneKind(digits, phone)), NONE) : NONE;
  const kind = Math.min(worst, byPhone);
  if (kind === NONE) return null;
  return { worst: kind, isNamed: asked.every((word) => closest(word, named) <= kind) };
}

function closest(word: string, among: string[]): number {
  return Math.min(NONE, ...among.map((one) => kindOf(word, one)));
}

const HAN = /^\p{sc=Han}/u;

function kindOf(word: string, found: string): number {
  if (HAN.test(word)) return found.includes(word) ? ([...word].length > 1 ? WHOLE : BEGINNING) : slipIn(word, found);
  if (word === found) return WHOLE;
  if (found.startsWith(word)) return BEGINNING;
  return [...word].length >= 4 && hasOneSlip([...word], [...found]) ? SLIP : NONE;
}

function slipIn(word: string, run: string): number {
  const [letters, all] = [[...word], [...run]];
  if (letters.length < 4) return NONE;
  for (let from = 0; from < all.length; from++)
    for (const length of [-1, 0, 1])
      if (hasOneSlip(letters, all.slice(from, from + letters.length + length))) return SLIP;
  return NONE;
}

function hasOneSlip(a: string[], b: string[]): boolean {
  const same = (one: string[], other: string[]) => one.join("\0") === other.join("\0");
  const without = (list: string[], at: number) => list.filter((_, i) => i !== at);
  if (a.length + 1 === b.length) return b.some((_, at) => same(a, without(b, at)));
  if (a.length === b.length + 1) return a.some((_, at) => same(b, without(a, at)));
  if (a.length !== b.length || same(a, b)) return false;
  const isOther = a.some((_, at) => same(without(a, at), without(b, at)));
  return (
    isOther || a.some((_, at) => same([...a.slice(0, at), ...a.slice(at, at + 2).reverse(), ...a.slice(at + 2)], b))
  );
}

/** Phones of the oracle begin with +41. The digits may have zeros before a country code or a number. */
function phoneKind(digits: string, phone: string): number {
  const all = phone.replaceAll(/\D/g, "");
  const kinds = [digits, digits.replace(/^00?/, "")].flatMap((asked) =>
    [all, all.slice(2)].map((form) => (form === asked ? WHOLE : form.startsWith(asked) ? BEGINNING : NONE)),
  );
  return Math.min(...kinds);
}

const AS: Record<string, string> = { ß: "ss", ø: "o", ł: "l", æ: "ae", ı: "i", ς: "σ" };

/** Words in lower case and without accents; a row of Han characters is one word. */
export function wordsOf(text: string): string[] {
  const folded = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{sc=Inherited}/gu, "")
    .replaceAll(/[ßøłæıς]/g, (letter) => AS[letter] ?? letter);
  return folded.match(/\p{sc=Han}+|(?:(?!\p{sc=Han})[\p{L}\p{M}\p{N}])+/gu) ?? [];
}
