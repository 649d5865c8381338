import { comparableUrl, isProfileUrl, siteOf } from "../../base/values/comparable-url.ts";
import { comparable, comparableEmail } from "../../base/values/text.ts";
import { phoneKeys } from "../interactions/phone-numbers.ts";

/** Ways in which a row finds its record, in the order of the tries. docs/guides/import-matching.md#matching */
export const MATCHED_BY = [
  "id",
  "emails",
  "phones",
  "urls",
  "nameAndCompany",
  "nameAndBirthday",
  "nameAndAddress",
  "nameAndEmail",
  "nameAndPhone",
  "nameAndUrl",
  "name",
  "sameValues",
] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/** Fields that identify people before their names: e-mail addresses, phones and URLs, or none of them. */
export type MatchOption = "email" | "name";

/** The values of a person that tell people apart. */
export interface Identity {
  id?: string | undefined;
  emails: readonly string[];
  phones: readonly string[];
  urls: readonly string[];
  fullName: string;
  /** Ids or names of companies, of one kind. */
  companies: readonly string[];
  birthday?: string | undefined;
  addresses: readonly string[];
}

/** Form that two equal values share, and the kind of value it belongs to. */
export interface MatchKey {
  by: MatchedBy;
  key: string;
}

/** Keys of an entry of a list: two entries that have one in common are the same, however they are written. */
export function equalKeys(list: string, text: string): readonly string[] {
  if (list === "emails") return [comparableEmail(text.trim())];
  if (list === "urls") return [comparableUrl(text)];
  const keys = list === "phones" ? phoneKeys(text) : [];
  return keys.length > 0 ? keys : [text];
}

/**
 * The keys of a row that identify one person alone. A row with one of them becomes a new person if they match no
 * person.
 */
export function ownKeys({ id, emails, phones, urls }: Omit<Identity, "companies">, match: MatchOption): MatchKey[] {
  const byId = id === undefined ? [] : [{ by: "id" as const, key: id }];
  if (match === "name") return byId;
  return [
    ...byId,
    ...emails.map((email) => ({ by: "emails" as const, key: comparableEmail(email.trim()) })),
    ...phones.flatMap((phone) => phoneKeys(phone).map((key) => ({ by: "phones" as const, key }))),
    ...urls.filter(isProfileUrl).map((url) => ({ by: "urls" as const, key: comparableUrl(url) })),
  ];
}

/** The keys that two people of one full name have in common who are the same person. */
export function secondKeys(identity: Omit<Identity, "id">, match: MatchOption): MatchKey[] {
  const { emails, phones, urls, fullName, companies, birthday, addresses } = identity;
  if (fullName === "") return [];
  const keys: MatchKey[] = [
    ...companies.map((company) => ({ by: "nameAndCompany" as const, key: company })),
    ...(birthday ? [{ by: "nameAndBirthday" as const, key: birthday }] : []),
    ...addresses.map((address) => ({ by: "nameAndAddress" as const, key: comparable(address) })),
    ...urls.map((url) => ({ by: "nameAndUrl" as const, key: comparableUrl(url) })),
  ];
  if (match === "name") {
    keys.push(...emails.map((email) => ({ by: "nameAndEmail" as const, key: comparableEmail(email) })));
    keys.push(...phones.flatMap((phone) => phoneKeys(phone).map((key) => ({ by: "nameAndPhone" as const, key }))));
  }
  return keys.map(({ by, key }) => ({ by, key: `${nameOf(fullName)}\n${key}` }));
}

/** The keys of a row within its file. */
export interface FileKeys {
  has: string[];
  /** The keys of earlier rows about the same person. */
  finds: string[];
  /**
   * The keys of the name with a second field. An address or a profile may tell two people apart all the same
   * (`areTwo`).
   */
  second: string[];
  /** Keys of earlier rows that may be about the same person; the last one is the name. */
  hints: string[];
}

/**
 * Keys that rows about the same person in one file share; null for a row that identifies no person. They follow the
 * rules for finding people of the workspace (`shareOnly`), as far as keys can.
 */
export function keysWithinFile(identity: Identity, match: MatchOption): FileKeys | null {
  const own = ownKeys(identity, match);
  const name = nameOf(identity.fullName);
  if (own.length === 0 && name === "") return null;
  const keys: FileKeys = { has: [], finds: [], second: [], hints: [] };
  for (const one of own) addOwn(keys, one, { name, hasEmails: identity.emails.length > 0 });
  const second = secondKeys(identity, match).map(({ by, key }) => `${by} ${key}`);
  const byName = name === "" ? [] : [`fullName ${name}`];
  return {
    has: [...keys.has, ...second, ...byName],
    finds: keys.finds,
    second,
    hints: [...keys.hints, ...byName],
  };
}

/** If two rows have e-mail addresses, a phone or a URL makes one person only when they have one name. */
function addOwn(
  keys: FileKeys,
  { by, key }: MatchKey,
  { name, hasEmails }: { name: string; hasEmails: boolean },
): void {
  const plain = `${by} ${key}`;
  const [named, withoutEmail] = [`${plain}\n${name}`, `${plain}\n`];
  keys.has.push(plain);
  if (by !== "phones" && by !== "urls") {
    keys.finds.push(plain);
    return;
  }
  keys.has.push(named, ...(hasEmails ? [] : [withoutEmail]));
  keys.finds.push(...(hasEmails ? [named, withoutEmail] : [plain]));
  if (hasEmails) keys.hints.push(plain);
}

/** A full name as names are compared: exactly, but for the form of letters that look the same, and blanks around it. */
export function nameOf(fullName: string): string {
  return comparable(fullName.trim());
}

/**
 * Whether two people with a phone or a URL in common are two all the same, like colleagues with one telephone: they
 * have different names, and no e-mail address in common though both have some.
 */
export function shareOnly(one: Identity, other: Identity): boolean {
  const names = [nameOf(one.fullName), nameOf(other.fullName)];
  if (names.includes("") || names[0] === names[1]) return false;
  return one.emails.length > 0 && other.emails.length > 0 && !haveCommon(one.emails, other.emails, comparableEmail);
}

/**
 * Whether two people of one name are two: one has another e-mail address at a domain, or another profile at a site,
 * than the other one has there.
 */
export function areTwo(one: Identity, other: Identity): boolean {
  return (
    differWithin(one.emails.map(comparableEmail), other.emails.map(comparableEmail), domainOf) ||
    differWithin(
      one.urls.filter(isProfileUrl).map(comparableUrl),
      other.urls.filter(isProfileUrl).map(comparableUrl),
      siteOf,
    )
  );
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1);

/** Whether both have something at one place, but nothing in common there. */
function differWithin(one: string[], other: string[], placeOf: (text: string) => string): boolean {
  const others = new Set(other);
  const common = new Set(one.filter((text) => others.has(text)).map(placeOf));
  const places = new Set(one.map(placeOf));
  return other.some((text) => places.has(placeOf(text)) && !common.has(placeOf(text)));
}

function haveCommon(one: readonly string[], other: readonly string[], form: (text: string) => string): boolean {
  const forms = new Set(one.map(form));
  return other.some((text) => forms.has(form(text)));
}
