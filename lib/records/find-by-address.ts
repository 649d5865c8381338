import { escapeLike } from "../filters/like.ts";
import { foldedField, textKey } from "../filters/search-columns.ts";
import { people } from "../resources/people.ts";
import type { Uuid } from "../values/ids.ts";
import { comparableEmail, foldedText } from "../values/text.ts";
import type { Writing } from "./draft.ts";
import { rowsWithKeys } from "./rows-with-keys.ts";

/**
 * People by e-mail address, which is compared without letter case. Nearly all addresses are written in lower case, and found by a
 * key; the others are looked for in the folded texts. Two statements. Gives address → people in the order of their creation;
 * who is not there is missing.
 * @param addresses as `comparableEmail` makes them
 */
export async function peopleByEmail(writing: Writing, addresses: string[]): Promise<Map<string, Uuid[]>> {
  const { query, caller } = writing;
  const found = new Map<string, Uuid[]>();
  if (addresses.length === 0) return found;
  const byKey = new Map(addresses.map((address) => [textKey(caller.workspaceId, "emails", address), address]));
  const keyed = await rowsWithKeys(query, caller.workspaceId, people, [...byKey.keys()]);
  for (const { id, keys } of keyed) for (const key of keys) add(found, byKey.get(key), id);
  const rest = addresses.filter((address) => !found.has(address));
  for (const { id, emails } of await foldedMatches(writing, rest))
    for (const address of new Set(emails.map(comparableEmail))) if (rest.includes(address)) add(found, address, id);
  return found;
}

/** People who have one of these addresses somewhere in their e-mail addresses, perhaps as a part of another. */
async function foldedMatches(
  { query, caller }: Writing,
  addresses: string[],
): Promise<{ id: Uuid; emails: string[] }[]> {
  if (addresses.length === 0) return [];
  const { column } = foldedField(people, "emails");
  return query(
    `select p.id, p.emails from people p where p.workspace_id = $1 and p.id = any(array(
       select r.id from unnest($2::text[]) a(pattern)
       cross join lateral (select id from person_search r where workspace_id = $1 and ${column} like a.pattern offset 0) r))
     order by p.id`,
    [caller.workspaceId, addresses.map((address) => `%${escapeLike(foldedText(address))}%`)],
  );
}

/**
 * People by the digits of telephone numbers. Gives digits → people in the order of their creation; who is not there is missing. One
 * statement, and none without digits.
 */
export async function peopleByPhone({ query, caller }: Writing, digits: string[]): Promise<Map<string, Uuid[]>> {
  const found = new Map<string, Uuid[]>();
  if (digits.length === 0) return found;
  const rows = await query<{ id: Uuid; digits: string[] }>(
    `select id, phone_digits(phones) as digits from people
     where workspace_id = $1 and json_array_length(phones) > 0 and phone_digits(phones) && $2::text[] order by id`,
    [caller.workspaceId, digits],
  );
  const asked = new Set(digits);
  for (const row of rows) for (const one of new Set(row.digits)) if (asked.has(one)) add(found, one, row.id);
  return found;
}

function add(found: Map<string, Uuid[]>, key: string | undefined, id: Uuid): void {
  if (key === undefined) return;
  const known = found.get(key);
  if (!known) found.set(key, [id]);
  else if (!known.includes(id)) known.push(id);
}
