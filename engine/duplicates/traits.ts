import { comparableUrl, isProfileUrl } from "../../base/values/comparable-url.ts";
import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import { isMailProvider } from "../../base/values/mail-providers.ts";
import { companyNameKey, personNameKey } from "../../base/values/name-keys.ts";
import { wordsOf } from "../../base/values/search-words.ts";
import { formsOfList } from "../records/upsert-keys.ts";
import { type Key, keyOf, placeOf, rangeKey } from "./keys.ts";

/** Kinds of records of which some may be duplicates. Objects have none. */
export const KINDS = ["person", "company"] as const satisfies readonly RecordKind[];
export type Kind = (typeof KINDS)[number];

/** The stored values of a record that count. */
export interface Compared {
  uuid: Uuid;
  fullName: string;
  emails: readonly string[];
  phones: readonly string[];
  urls: readonly string[];
  /** Companies of a person; empty for a company. */
  companies: readonly Uuid[];
}

/** A domain of e-mail addresses of a record. */
export interface Domain {
  /** First key of its range: each record with the domain has one in it. */
  key: Key;
  /** The place of its range. */
  place: number;
  /** The addresses at it, as they are compared. */
  emails: readonly string[];
}

/** A record in the forms in which it is compared. docs/guides/duplicates.md#what-counts */
export interface Traits {
  kind: Kind;
  uuid: Uuid;
  /** The words of the name in their order, folded, with a blank between them. */
  name: string;
  words: readonly string[];
  /** Equal for names that are the same; null without letters and digits. */
  nameKey: string | null;
  /** Comparable form → key. */
  emails: ReadonlyMap<string, Key>;
  phones: ReadonlyMap<string, Key>;
  urls: ReadonlyMap<string, Key>;
  /** Domain → its range, without those of mail providers. */
  domains: ReadonlyMap<string, Domain>;
  /** Company → key of the name there. */
  companies: ReadonlyMap<Uuid, Key>;
}

const NAME_KEYS = { person: personNameKey, company: companyNameKey };

/** The forms of a record. */
export function traitsOf(kind: Kind, record: Compared): Traits {
  const words = wordsOf(record.fullName).map(({ folded }) => folded);
  const nameKey = NAME_KEYS[kind](record.fullName);
  const keyed = (letter: string, forms: readonly string[]) =>
    new Map(forms.map((form): [string, Key] => [form, keyOf(`${kind} ${letter}`, form)]));
  const urls = kind === "person" ? record.urls.filter(isProfileUrl) : record.urls;
  const emails = formsOfList("emails", record.emails);
  return {
    kind,
    uuid: record.uuid,
    name: words.join(" "),
    words,
    nameKey,
    emails: keyed("email", emails),
    phones: keyed("phone", formsOfList("phones", record.phones)),
    urls: keyed(
      "url",
      urls.map(comparableUrl).filter((url) => url !== ""),
    ),
    domains: domainsOf(kind, emails),
    companies: new Map(
      nameKey === null ? [] : record.companies.map((company) => [company, rangeKey(companyPlace(company), nameKey)]),
    ),
  };
}

/** The place in which the keys of the people of a company lie. */
export function companyPlace(company: Uuid): number {
  return placeOf("company", company);
}

function domainsOf(kind: Kind, emails: readonly string[]): Map<string, Domain> {
  const byDomain = Map.groupBy(emails, (email) => email.slice(email.lastIndexOf("@") + 1));
  const domains = [...byDomain].filter(([domain]) => domain !== "" && !isMailProvider(domain));
  return new Map(
    domains.map(([domain, own]) => {
      const place = placeOf(`${kind} domain`, domain);
      return [domain, { key: rangeKey(place), place, emails: own }];
    }),
  );
}
