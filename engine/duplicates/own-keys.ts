import type { Uuid } from "../../base/values/ids.ts";
import { type Key, keyOf, rangeKey } from "./keys.ts";
import { hasLetters } from "./pair.ts";
import { companyPlace, type Traits } from "./traits.ts";

/** Most records that may share an address, before it says nothing. docs/guides/duplicates.md#limits */
export const SHARERS_MAX = 20;
/** The same for the domain of addresses. */
export const DOMAIN_SHARERS_MAX = 200;
/** The same for a name at one company, and for names of companies that are the same. */
export const NAMESAKES_MAX = 100;
/** Records of a half of a name at one company, or of a name at one domain, that are compared. */
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

/** The keys of a record. A name with a slip is found by the half that has none. */
export function ownKeys(traits: Traits): OwnKeys {
  const { kind, name, nameKey, domains, companies } = traits;
  const limited = new Map<Key, number>();
  for (const keys of [traits.emails, traits.phones, traits.urls])
    for (const key of keys.values()) limited.set(key, SHARERS_MAX);
  for (const key of companies.values()) limited.set(key, NAMESAKES_MAX);
  if (kind === "company" && nameKey !== null) limited.set(keyOf("company name", nameKey), NAMESAKES_MAX);
  const stored = new Set(limited.keys());
  const sought = new Map([...limited].map(([key, most]) => [key, most + 1]));
  for (const { key } of domains.values()) {
    const own = rangeKey(highOf(key), nameKey ?? "");
    stored.add(own);
    if (kind === "person" && nameKey !== null) sought.set(own, COMPARED_MAX);
  }
  for (const company of companies.keys()) addHalves(traits, company, stored, sought);
  const digest = keyOf(name, [...stored].sort().join());
  return { stored: [...stored], limited, sought, domains: [...domains.values()].map(({ key }) => key), digest };
}

const highOf = (key: Key): number => Number((BigInt(key) >> 32n) & 0xffff_ffffn);

/**
 * Adds the keys of the halves of a name at a company. A slip spoils one half of a name at most, and the other one has
 * the same length in both names, or one that differs by one.
 */
function addHalves(traits: Traits, company: Uuid, stored: Set<Key>, sought: Map<Key, number>): void {
  if (!hasLetters(traits)) return;
  const place = companyPlace(company);
  for (const [n, name] of spellings(traits).entries()) {
    const characters = Array.from(name);
    const own = halfOf(characters.length);
    for (const length of new Set([-1, 0, 1].map((more) => halfOf(characters.length + more))))
      for (const half of halvesOf(characters, length)) {
        const key = rangeKey(place, half);
        if (length === own && n === 0) stored.add(key);
        sought.set(key, COMPARED_MAX);
      }
  }
}

/** A name of two words is looked for turned round, too. */
function spellings({ name, words }: Traits): string[] {
  const [first = "", last = ""] = words;
  return words.length === 2 ? [name, `${last} ${first}`] : [name];
}

const halfOf = (length: number): number => Math.ceil(length / 2) - 1;

function halvesOf(characters: readonly string[], length: number): [string, string] {
  return [`< ${characters.slice(0, length).join("")}`, `> ${characters.slice(-length).join("")}`];
}
