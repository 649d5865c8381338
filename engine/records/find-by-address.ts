import type { Uuid } from "../../base/values/ids.ts";
import { comparableEmail } from "../../base/values/text.ts";
import { people } from "../../model/resources/people.ts";
import { textKey } from "../filters/search-columns.ts";
import type { WriteContext } from "./draft.ts";
import { KEYS_PER_LOOKUP, rowsWithKeys } from "./rows-with-keys.ts";

interface InWorkspace {
  query: WriteContext["query"];
  caller: Pick<WriteContext["caller"], "workspaceId">;
}

/**
 * People by e-mail address, which is compared without letter case. Nearly all addresses are written in ASCII and lower
 * case, and found by a key; the others have an index of their own. Two statements. Gives address → people in the order
 * of their creation; an address without people is missing.
 * @param addresses as `comparableEmail` makes them
 */
export async function peopleByEmail(writing: InWorkspace, addresses: string[]): Promise<Map<string, Uuid[]>> {
  const { query, caller } = writing;
  const found = new Map<string, Uuid[]>();
  if (addresses.length === 0) return found;
  const byKey = new Map(addresses.map((address) => [textKey(caller.workspaceId, "emails", address), address]));
  const keyed = await rowsWithKeys(query, caller.workspaceId, people, [...byKey.keys()]);
  for (const { id, keys } of keyed) for (const key of keys) add(found, byKey.get(key), id);
  const asked = new Set(addresses);
  for (const { id, texts } of await peopleWithForms(writing, "emails", addresses.map(roughEmail)))
    for (const address of new Set(texts.map(comparableEmail))) if (asked.has(address)) add(found, address, id);
  for (const ids of found.values()) ids.sort();
  return found;
}

/**
 * People by the digits of telephone numbers. Gives digits → people in the order of their creation; digits without
 * people are missing. One statement, and none without digits.
 */
export async function peopleByPhone(writing: WriteContext, digits: string[]): Promise<Map<string, Uuid[]>> {
  const found = new Map<string, Uuid[]>();
  const asked = new Set(digits);
  for (const { id, forms } of await peopleWithForms(writing, "phones", digits))
    for (const one of new Set(forms)) if (asked.has(one)) add(found, one, id);
  return found;
}

/**
 * People by URLs. Gives the rough form of a URL → people in the order of their creation. One statement, and none
 * without URLs.
 */
export async function peopleByUrl(writing: WriteContext, urls: string[]): Promise<Map<string, Uuid[]>> {
  const found = new Map<string, Uuid[]>();
  const asked = new Set(urls.map(roughUrl));
  for (const { id, forms } of await peopleWithForms(writing, "urls", [...asked]))
    for (const form of new Set(forms)) if (asked.has(form)) add(found, form, id);
  return found;
}

/** The forms of a list in an index, and the condition of the index. */
const INDEXES = {
  emails: { forms: "email_forms(emails)", where: `emails::text collate "C" ~ '[^ -@[-~]'` },
  phones: { forms: "phone_digits(phones)", where: "json_array_length(phones) > 0" },
  urls: { forms: "url_forms(urls)", where: "json_array_length(urls) > 0" },
} as const;

function peopleWithForms(
  { query, caller }: InWorkspace,
  list: keyof typeof INDEXES,
  wanted: string[],
): Promise<{ id: Uuid; texts: string[]; forms: string[] }[]> {
  if (wanted.length === 0) return Promise.resolve([]);
  const { forms, where } = INDEXES[list];
  return query(
    `select p.id, p.texts, p.forms
     from (select array_agg(form) as forms from unnest($2::text[]) with ordinality u(form, n) group by n / ${KEYS_PER_LOOKUP}) k
     cross join lateral (select id, ${list} as texts, ${forms} as forms from people
       where workspace_id = $1 and ${where} and ${forms} && k.forms offset 0) p
     order by p.id`,
    [caller.workspaceId, wanted],
  );
}

// The rough forms are those of the functions of the migration 0013, which the indexes hold.

function roughEmail(address: string): string {
  return address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[^!-~]/g, "");
}

const URL_FORM_LENGTH_MAX = 300;

/** A URL without scheme, `www.`, fragment, slash at the end, letter case, and all that is not ASCII. */
export function roughUrl(url: string): string {
  return url
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll(/^\s*(?:[a-z][a-z\d+.-]*:)?\/\/|#[\s\S]*$|[^!-~]/g, "")
    .replace(/^www\./, "")
    .replace(/\/$/, "")
    .slice(0, URL_FORM_LENGTH_MAX);
}

function add(found: Map<string, Uuid[]>, key: string | undefined, id: Uuid): void {
  if (key === undefined) return;
  const known = found.get(key);
  if (!known) found.set(key, [id]);
  else if (!known.includes(id)) known.push(id);
}
