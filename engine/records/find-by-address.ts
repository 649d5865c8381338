import type { Uuid } from "../../base/values/ids.ts";
import { comparableEmail } from "../../base/values/text.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { people } from "../../model/resources/people.ts";
import { textKey } from "../filters/search-columns.ts";
import { ADDRESS_LISTS, roughEmail, roughUrl } from "./address-forms.ts";
import type { WriteContext } from "./draft.ts";
import { rowsWithKeys } from "./rows-with-keys.ts";

interface InWorkspace {
  query: WriteContext["query"];
  caller: Pick<WriteContext["caller"], "workspaceId">;
}

/**
 * People by e-mail address, which is compared without letter case. Nearly all addresses are written in ASCII and lower
 * case, and found by a key; the others by a rough form. Two statements, and a third for the others. Gives address →
 * people in the order of their creation; an address without people is missing.
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
  const others = await idsWithForms(writing, "emails", addresses.map(roughEmail));
  for (const { id, emails } of await emailsOf(writing, [...new Set(others.map(({ id }) => id))]))
    for (const address of new Set(emails.map(comparableEmail))) if (asked.has(address)) add(found, address, id);
  for (const ids of found.values()) ids.sort();
  return found;
}

async function emailsOf({ query, caller }: InWorkspace, people: Uuid[]): Promise<{ id: Uuid; emails: string[] }[]> {
  if (people.length === 0) return [];
  return query("select id, emails from people where workspace_id = $1 and id = any($2::uuid[])", [
    caller.workspaceId,
    printUuids(people),
  ]);
}

/**
 * People by the digits of telephone numbers. Gives digits → people in the order of their creation; digits without
 * people are missing. One statement, and none without digits.
 */
export function peopleByPhone(writing: InWorkspace, digits: string[]): Promise<Map<string, Uuid[]>> {
  return peopleByForm(writing, "phones", digits);
}

/**
 * People by URLs. Gives the rough form of a URL → people in the order of their creation. One statement, and none
 * without URLs.
 */
export function peopleByUrl(writing: InWorkspace, urls: string[]): Promise<Map<string, Uuid[]>> {
  return peopleByForm(writing, "urls", urls.map(roughUrl));
}

type List = keyof typeof ADDRESS_LISTS;

async function peopleByForm(writing: InWorkspace, list: List, forms: string[]): Promise<Map<string, Uuid[]>> {
  const found = new Map<string, Uuid[]>();
  for (const { id, form } of await idsWithForms(writing, list, forms)) add(found, form, id);
  return found;
}

/** The people with one of these forms, and the form, in the order of their creation. */
async function idsWithForms(
  { query, caller }: InWorkspace,
  list: List,
  forms: string[],
): Promise<{ id: Uuid; form: string }[]> {
  const { letter } = ADDRESS_LISTS[list];
  const wanted = [...new Set(forms)].filter((form) => form !== "").map((form) => letter + form);
  if (wanted.length === 0) return [];
  const rows = await query<{ id: Uuid; form: string }>(
    "select person_id as id, form from person_addresses where workspace_id = $1 and form = any($2::text[]) order by 1",
    [caller.workspaceId, wanted],
  );
  return rows.map(({ id, form }) => ({ id, form: form.slice(letter.length) }));
}

function add(found: Map<string, Uuid[]>, key: string | undefined, id: Uuid): void {
  if (key === undefined) return;
  const known = found.get(key);
  if (!known) found.set(key, [id]);
  else if (!known.includes(id)) known.push(id);
}
