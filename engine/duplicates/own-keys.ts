import { type Key, keyOf, rangeKey } from "./keys.ts";
import { hasLetters } from "./pair.ts";
import { companyPlace, type Traits } from "./traits.ts";

/** Most records that may share an address or a name, before it says nothing. docs/guides/duplicates.md#limits */
const SHARERS_MAX = 20;
/** Most records that may share a domain of addresses, or a part of a name at one company, before it says nothing. */
export const WIDE_SHARERS_MAX = 200;

/** The use of a key. */
export interface Use {
  /** Most records that may have it, before it says nothing; infinite for a key that only counts them. */
  most: number;
  /** Whether it is of a part of a name, so that nothing else has to be alike. */
  isPart: boolean;
}

/** An address, the name of a company, or that of a person at a company or a domain. */
const WHOLE: Use = { most: SHARERS_MAX, isPart: false };
/** A part of a name at a company. */
export const PART: Use = { most: WIDE_SHARERS_MAX, isPart: true };
const DOMAIN_ALONE: Use = { most: Number.POSITIVE_INFINITY, isPart: false };

/** The keys of a record, each once. */
export interface OwnKeys {
  /** Those by which others find it, with their uses. By nearly all of them it finds others, too. */
  stored: ReadonlyMap<Key, Use>;
  /** Further ones by which it finds others, for which it is not found: the halves of a name of another length. */
  sought: readonly Key[];
}

/** Words of a name by which it is found where it has a slip. */
const WORDS_MAX = 8;

/** The keys of a record. */
export function ownKeys(traits: Traits): OwnKeys {
  const stored = new Map<Key, Use>();
  for (const list of [traits.emails, traits.phones, traits.urls]) for (const { key } of list) stored.set(key, WHOLE);
  for (const { key } of traits.companies) stored.set(key, WHOLE);
  addNames(traits, stored);
  const sought: Key[] = [];
  if (traits.companies.length > 0 && hasLetters(traits)) addParts(traits, stored, sought);
  return { stored, sought };
}

/** Adds the keys of the name: of a company by itself, of a person at each domain. */
function addNames({ kind, nameKey, domains }: Traits, stored: Map<Key, Use>): void {
  if (kind === "company" && nameKey !== null) stored.set(keyOf("company name", nameKey), WHOLE);
  const use = kind === "person" && nameKey !== null ? WHOLE : DOMAIN_ALONE;
  for (const { place } of domains) {
    const key = rangeKey(place, nameKey ?? "");
    if (!stored.has(key)) stored.set(key, use);
  }
}

/** Adds the keys of the parts of a name at each company. */
function addParts(traits: Traits, stored: Map<Key, Use>, sought: Key[]): void {
  const parts = partsOf(traits);
  for (const { form: company } of traits.companies) {
    const place = companyPlace(company);
    for (const part of parts.stored) {
      const key = rangeKey(place, part);
      if (!stored.has(key)) stored.set(key, PART);
    }
    for (const part of parts.sought) sought.push(rangeKey(place, part));
  }
}

/**
 * The parts of a name by which others find it that differ by a slip: its words, of which such names have one in common,
 * or the halves of its only word. A slip spoils one half at most, and the other one has the same length in both names,
 * or one that differs by one.
 */
function partsOf({ name, words }: Traits): { stored: string[]; sought: string[] } {
  if (words.length > 1) {
    const parts = words.slice(0, WORDS_MAX).map((word) => `= ${word}`);
    return { stored: parts, sought: [] };
  }
  const characters = Array.from(name);
  const lengths = new Set([-1, 0, 1].map((more) => halfOf(characters.length + more)));
  return {
    stored: halvesOf(characters, halfOf(characters.length)),
    sought: [...lengths].flatMap((length) => halvesOf(characters, length)),
  };
}

const halfOf = (length: number): number => Math.ceil(length / 2) - 1;

function halvesOf(characters: readonly string[], length: number): string[] {
  return [`< ${characters.slice(0, length).join("")}`, `> ${characters.slice(-length).join("")}`];
}
