import { type Key, keyOf, rangeKey } from "./keys.ts";
import { hasLetters } from "./pair.ts";
import { companyPlace, type Traits } from "./traits.ts";

/** Most records that may share an address, before it says nothing. docs/guides/duplicates.md#limits */
export const SHARERS_MAX = 20;
/** The same for the domain of addresses. */
export const DOMAIN_SHARERS_MAX = 200;
/** The same for a name at one company, and for names of companies that are the same. */
export const NAMESAKES_MAX = 100;
/** Records of a part of a name at one company, or of a name at one domain, that are compared. */
const COMPARED_MAX = 1000;

/** The keys of a record. */
export interface OwnKeys {
  /** Those by which others find it. */
  stored: Key[];
  /** Key → most records that may have it, before it says nothing. */
  limited: Map<Key, number>;
  /** Keys by which it finds others → most records that are read. */
  sought: Map<Key, number>;
  /** First keys of its domains. */
  domains: Key[];
  /** Changes with everything that counts. */
  digest: string;
}

/** Words of a name by which it is found where it has a slip. */
const WORDS_MAX = 8;

/** The keys of a record. */
export function ownKeys(traits: Traits): OwnKeys {
  const { kind, name, nameKey, domains } = traits;
  const limited = limitedKeys(traits);
  const stored = new Set(limited.keys());
  const sought = new Map([...limited].map(([key, most]) => [key, most + 1]));
  for (const { place } of domains.values()) {
    const own = rangeKey(place, nameKey ?? "");
    stored.add(own);
    if (kind === "person" && nameKey !== null) sought.set(own, COMPARED_MAX);
  }
  addParts(traits, stored, sought);
  const keys = [...stored];
  const firsts = [...domains.values()].map(({ key }) => key);
  return { stored: keys, limited, sought, domains: firsts, digest: keyOf(name, keys.join()) };
}

function limitedKeys({ kind, nameKey, companies, ...lists }: Traits): Map<Key, number> {
  const limited = new Map<Key, number>();
  for (const keys of [lists.emails, lists.phones, lists.urls])
    for (const key of keys.values()) limited.set(key, SHARERS_MAX);
  for (const key of companies.values()) limited.set(key, NAMESAKES_MAX);
  if (kind === "company" && nameKey !== null) limited.set(keyOf("company name", nameKey), NAMESAKES_MAX);
  return limited;
}

/** Adds the keys of the parts of a name at each company. */
function addParts(traits: Traits, stored: Set<Key>, sought: Map<Key, number>): void {
  if (traits.companies.size === 0 || !hasLetters(traits)) return;
  const parts = partsOf(traits);
  for (const company of traits.companies.keys()) {
    const place = companyPlace(company);
    for (const part of parts.stored) stored.add(rangeKey(place, part));
    for (const part of parts.sought) sought.set(rangeKey(place, part), COMPARED_MAX);
  }
}

/**
 * The parts of a name by which others find it that differ by a slip: its words, of which such names have one in common,
 * or the halves of its only word. A slip spoils one half at most, and the other one has the same length in both names,
 * or one that differs by one.
 */
function partsOf({ name, words }: Traits): { stored: string[]; sought: string[] } {
  if (words.length > 1) {
    const parts = [...new Set(words)].slice(0, WORDS_MAX).map((word) => `= ${word}`);
    return { stored: parts, sought: parts };
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
