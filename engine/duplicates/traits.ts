import { isProfileUrl } from "../../base/values/comparable-url.ts";
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

/** A value in the form in which it is compared. */
export interface Keyed {
  form: string;
  key: Key;
}

/** A domain of e-mail addresses of a record. */
export interface Domain {
  domain: string;
  /** First key of its range: each record with the domain has one in it. */
  key: Key;
  /** The place of its range. */
  place: number;
  /** The addresses at it, as they are compared. */
  emails: string[];
}

/** A name in the forms in which it is compared. docs/guides/duplicates.md#names */
export interface Name {
  kind: Kind;
  /** The words in their order, folded, with a blank between them. */
  name: string;
  words: readonly string[];
  /** Equal for names that are the same; null without letters and digits. */
  nameKey: string | null;
}

/** A record in the forms in which it is compared. docs/guides/duplicates.md#what-counts */
export interface Traits extends Name {
  uuid: Uuid;
  emails: readonly Keyed[];
  phones: readonly Keyed[];
  urls: readonly Keyed[];
  /** Those that are not of mail providers. */
  domains: readonly Domain[];
  /** Companies, each with the key of the name there. */
  companies: readonly Keyed[];
}

/** The forms of a name. */
export function nameOf(kind: Kind, fullName: string): Name {
  const words = wordsOf(fullName).map(({ folded }) => folded);
  return {
    kind,
    name: words.join(" "),
    words,
    nameKey: kind === "person" ? personNameKey(words) : companyNameKey(fullName),
  };
}

/** The forms of a record. @param name those of its name, if they are known */
export function traitsOf(kind: Kind, record: Compared, name = nameOf(kind, record.fullName)): Traits {
  const urls = kind === "person" ? record.urls.filter(isProfileUrl) : record.urls;
  const emails = formsOfList("emails", record.emails);
  return {
    ...name,
    uuid: record.uuid,
    emails: keyed(WHAT[kind].email, emails),
    phones: keyed(WHAT[kind].phone, formsOfList("phones", record.phones)),
    urls: keyed(WHAT[kind].url, formsOfList("urls", urls)),
    domains: domainsOf(WHAT[kind].domain, emails),
    companies: name.nameKey === null ? [] : namedAt(record.companies, name.nameKey),
  };
}

/** The meanings of the keys of values. */
const WHAT = {
  person: { email: "person email", phone: "person phone", url: "person url", domain: "person domain" },
  company: { email: "company email", phone: "company phone", url: "company url", domain: "company domain" },
};

function keyed(what: string, forms: readonly string[]): Keyed[] {
  return forms.map((form) => ({ form, key: keyOf(what, form) }));
}

function namedAt(companies: readonly Uuid[], nameKey: string): Keyed[] {
  return companies.map((company) => ({ form: company, key: rangeKey(companyPlace(company), nameKey) }));
}

const RANDOM_DIGITS = 8;

/** The place in which the keys of the people of a company lie: 32 random bits of its id. */
export function companyPlace(company: string): number {
  return Number.parseInt(company.slice(-RANDOM_DIGITS), 16);
}

function domainsOf(what: string, emails: readonly string[]): Domain[] {
  const domains: Domain[] = [];
  for (const email of emails) {
    const domain = email.slice(email.lastIndexOf("@") + 1);
    const known = domains.find((one) => one.domain === domain);
    if (known) known.emails.push(email);
    else if (domain !== "" && !isMailProvider(domain)) {
      const place = placeOf(what, domain);
      domains.push({ domain, key: rangeKey(place), place, emails: [email] });
    }
  }
  return domains;
}
