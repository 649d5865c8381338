import { isSlip } from "../../base/values/slip.ts";
import type { Key } from "./keys.ts";
import type { Keyed, Kind, Name as NameForms, Traits } from "./traits.ts";

// The rules by which two records are likely one. docs/guides/duplicates.md#what-counts

/** A reason as answers tell it. */
export interface Reason {
  path: string[];
  kind: "same" | "similar";
}

/** Reasons → their bits in the table. The order is that of answers. */
const BITS = {
  emails: 1,
  phones: 2,
  urls: 4,
  name: 8,
  likeName: 16,
  companies: 32,
  domain: 64,
} as const;

type Name = keyof typeof BITS;

/** Score of each way to be a pair, and the bits of the reasons that it rests on. The strongest comes first. */
const WAYS: readonly { needs: number; score: number }[] = [
  { needs: BITS.emails, score: 0.95 },
  { needs: BITS.urls, score: 0.92 },
  { needs: BITS.phones, score: 0.9 },
  { needs: BITS.name | BITS.companies, score: 0.75 },
  { needs: BITS.name | BITS.domain, score: 0.7 },
  { needs: BITS.likeName | BITS.companies, score: 0.5 },
];
/** The name of a company is enough by itself. */
const COMPANY_WAYS = [...WAYS.slice(0, 3), { needs: BITS.name, score: 0.75 }];

/** Part of what is left to certainty that a further reason takes. */
const TAKES: Record<Name, number> = {
  emails: 0.5,
  phones: 0.4,
  urls: 0.4,
  name: 0.4,
  likeName: 0.2,
  companies: 0.2,
  domain: 0.1,
};

const NAMES = Object.keys(BITS) as Name[];
const THOUSAND = 1000;

/** Two records that are likely one. */
export interface Likeness {
  /** From 0 to 1000. */
  score: number;
  /** Bits of the reasons. */
  reasons: number;
}

/**
 * The likeness of two records; null when they are no pair.
 * @param saysNothing whether too many records have a key, or a key in the range of a domain
 */
export function likenessOf(one: Traits, other: Traits, saysNothing: (key: Key) => boolean): Likeness | null {
  let found = 0;
  for (const list of LISTS) if (shares(one[list], other[list], saysNothing)) found |= BITS[list];
  if (one.nameKey !== null && one.nameKey === other.nameKey) found |= BITS.name;
  else if (one.kind === "person" && isLikeName(one, other)) found |= BITS.likeName;
  if (shareCompany(one, other, (found & BITS.name) > 0, saysNothing)) found |= BITS.companies;
  if ((found & BITS.emails) === 0 && shareDomain(one, other, saysNothing)) found |= BITS.domain;
  return scored(one.kind, found);
}

const LISTS = ["emails", "phones", "urls"] as const;

function scored(kind: Kind, reasons: number): Likeness | null {
  const way = (kind === "company" ? COMPANY_WAYS : WAYS).find(({ needs }) => (reasons & needs) === needs);
  if (!way) return null;
  let left = 1 - way.score;
  for (const name of NAMES) if (reasons & ~way.needs & BITS[name]) left *= 1 - TAKES[name];
  return { score: Math.round((1 - left) * THOUSAND), reasons };
}

function shares(one: readonly Keyed[], other: readonly Keyed[], saysNothing: (key: Key) => boolean): boolean {
  return one.some(({ form, key }) => hasForm(other, form) && !saysNothing(key));
}

const hasForm = (list: readonly Keyed[], form: string): boolean => list.some((one) => one.form === form);

/** A company in common, at which not too many have the name when that is the same. */
function shareCompany(one: Traits, other: Traits, isNamesake: boolean, saysNothing: (key: Key) => boolean): boolean {
  return one.companies.some(({ form, key }) => hasForm(other.companies, form) && !(isNamesake && saysNothing(key)));
}

/** A domain at which each has an address that is not one of those too many share. */
function shareDomain(one: Traits, other: Traits, saysNothing: (key: Key) => boolean): boolean {
  const speaks = (email: string) => {
    const own = one.emails.find(({ form }) => form === email);
    return own === undefined || !hasForm(other.emails, email) || !saysNothing(own.key);
  };
  return one.domains.some(({ domain, key, emails }) => {
    const others = other.domains.find((two) => two.domain === domain);
    return others !== undefined && !saysNothing(key) && emails.some(speaks) && others.emails.some(speaks);
  });
}

/** Shortest name in which a slip is looked for, in characters without blanks. */
const LETTERS_MIN = 6;

/** Whether a name is long enough for a slip in it. docs/guides/duplicates.md#names */
export function hasLetters({ words }: Pick<NameForms, "words">): boolean {
  return words.reduce((sum, word) => sum + Array.from(word).length, 0) >= LETTERS_MIN;
}

/** Whether two names are the same, or the same but for a slip. */
export function areNamesAlike(one: NameForms, other: NameForms): boolean {
  return (one.nameKey !== null && one.nameKey === other.nameKey) || isLikeName(one, other);
}

/**
 * Whether two names differ by a slip in one of their words, or by a blank more or fewer, in whatever order the words
 * stand. They have another word in common, or no other words. Digits are the same in both.
 */
function isLikeName(one: NameForms, other: NameForms): boolean {
  const [left, right] = [without(one.words, other.words), without(other.words, one.words)];
  const isWhole = left.length === one.words.length;
  if (isWhole && (one.words.length > 1 || other.words.length > 1)) return false;
  if (left.length + right.length > APART_MAX || !isSlip(left.join(" "), right.join(" "))) return false;
  return hasLetters(one) && hasLetters(other) && digitsOf(one.name) === digitsOf(other.name);
}

/** Words of two names that are not in both: one each, or two that are one word in the other name. */
const APART_MAX = 3;

/** The words of a name without those of another one, each as often as it has it. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return words.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const digitsOf = (name: string): string => name.replaceAll(/\P{N}/gu, "");

/** The reasons of a pair as answers tell them. The name and the company are two; a domain is e-mail addresses alike. */
export function reasonsOf(kind: Kind, bits: number): Reason[] {
  const nameField = kind === "person" ? "fullName" : "name";
  const told: Record<Name, Reason> = {
    emails: { path: ["emails"], kind: "same" },
    phones: { path: ["phones"], kind: "same" },
    urls: { path: ["urls"], kind: "same" },
    name: { path: [nameField], kind: "same" },
    likeName: { path: [nameField], kind: "similar" },
    companies: { path: ["companies"], kind: "same" },
    domain: { path: ["emails"], kind: "similar" },
  };
  return NAMES.flatMap((name) => (bits & BITS[name] ? told[name] : []));
}

/** A score as answers show it. */
export function shownScore(score: number): number {
  return score / THOUSAND;
}
