import { custom, type Issue } from "../../base/contract/issues.ts";
import { isProfileUrl } from "../../base/values/comparable-url.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { comparableEmail } from "../../base/values/text.ts";
import { nameKey } from "../../model/fields/name.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { textKey } from "../filters/search-columns.ts";
import { digitsOfPhone } from "../interactions/phone-numbers.ts";
import { roughUrl } from "./address-forms.ts";
import type { WriteContext } from "./draft.ts";
import { peopleByEmail, peopleByPhone, peopleByUrl } from "./find-by-address.ts";
import { companiesByKey } from "./found.ts";
import type { ImportEntry } from "./import-entry.ts";
import {
  type AreHeld,
  createLoad,
  type FindRecords,
  type Load,
  type Matches,
  type Matching,
  matchIds,
  notFound,
  refuseSeveral,
} from "./import-match.ts";
import { areTwo, type Identity, type MatchedBy, nameOf, ownKeys, secondKeys, shareOnly } from "./match-keys.ts";
import { idsWithKeys } from "./rows-with-keys.ts";
import type { RecordRow } from "./select.ts";

/** People are found by id, e-mail address, phone, profile URL, and else by their name together with a second field. */
export const findPeople: FindRecords = async (writing, importing, entries, areHeld) => {
  const matches: Matches = new Map();
  const load = createLoad(writing, importing);
  await matchIds(importing, entries, load, matches);
  const open = () => entries.filter((entry) => !matches.has(entry));
  if (importing.match === "email")
    for (const lookUp of LOOK_UPS) await matchValues(writing, importing, open(), load, lookUp, matches);
  await matchNames(writing, importing, { entries: open(), load, areHeld }, matches);
  return matches;
};

/** A list whose entries identify people, and how. */
interface LookUp {
  by: "emails" | "phones" | "urls";
  word: string;
  /** Gives for an entry of the list those who may have it, however it is written there. */
  find(writing: WriteContext, texts: string[]): Promise<(text: string) => Uuid[]>;
}

const LOOK_UPS: LookUp[] = [
  {
    by: "emails",
    word: "e-mail address",
    find: async (writing, texts) => {
      const found = await peopleByEmail(writing, [...new Set(texts.map(comparableEmail))]);
      return (text) => found.get(comparableEmail(text)) ?? [];
    },
  },
  {
    by: "phones",
    word: "phone",
    find: async (writing, texts) => {
      const found = await peopleByPhone(writing, [...new Set(texts.flatMap(digitsOfPhone))]);
      return (text) => digitsOfPhone(text).flatMap((digits) => found.get(digits) ?? []);
    },
  },
  {
    by: "urls",
    word: "profile URL",
    find: async (writing, texts) => {
      const found = await peopleByUrl(writing, texts.filter(isProfileUrl));
      return (text) => found.get(roughUrl(text)) ?? [];
    },
  },
];

/** A phone or URL that more people have identifies none of them. docs/guides/import-matching.md#matching */
const SHARERS_MAX = 100;

async function matchValues(
  writing: WriteContext,
  importing: Matching,
  entries: ImportEntry[],
  load: Load,
  { by, word, find }: LookUp,
  matches: Matches,
): Promise<void> {
  const asked = withIdentities(entries);
  const texts = asked.flatMap(({ row }) => row[by]);
  if (texts.length === 0) return;
  const finds = await find(writing, texts);
  const having = (text: string) => {
    const uuids = finds(text);
    return by === "emails" || uuids.length <= SHARERS_MAX ? uuids : [];
  };
  const found = asked.map(({ entry, row }) => ({ entry, row, uuids: [...new Set(row[by].flatMap(having))].sort() }));
  const rows = await load(found.flatMap(({ uuids }) => uuids));
  for (const { entry, row, uuids } of found) {
    const candidates = uuids.flatMap((uuid) => rows.get(uuid) ?? []);
    const records = candidates.filter((record) => isFoundBy(by, row, identityOfRecord(record)));
    const [record, other] = records;
    const what = `the ${word} ${row[by].map((text) => JSON.stringify(text)).join(" or ")}`;
    if (other) matches.set(entry, refuseSeveral(importing, records, what));
    else if (record) matches.set(entry, { record, by });
  }
}

/** Whether a row and a person have a value of a list in common, and do not only share it. */
function isFoundBy(by: LookUp["by"], row: Identity, person: Identity): boolean {
  const keysOf = (one: Identity) => ownKeys(one, "email").flatMap((key) => (key.by === by ? key.key : []));
  const keys = new Set(keysOf(row));
  return keysOf(person).some((key) => keys.has(key)) && (by === "emails" || !shareOnly(row, person));
}

function withIdentities(entries: ImportEntry[]): { entry: ImportEntry; row: Identity }[] {
  return entries.flatMap((entry) => (entry.keys.identity ? { entry, row: entry.keys.identity } : []));
}

/** Values of a row about a person, with the companies by their names. */
export function identityOfRow({ derive }: RecordType, { id, fields }: ImportEntry): Identity {
  const { fullName = "" } = derive ? derive(fields, null) : fields;
  const texts = (name: string) => (fields[name] ?? []) as string[];
  return {
    id,
    emails: texts("emails"),
    phones: texts("phones"),
    urls: texts("urls"),
    fullName: String(fullName),
    companies: ((fields.companies ?? []) as { name?: string }[]).flatMap(({ name }) => name ?? []),
    birthday: fields.birthday === undefined ? undefined : String(fields.birthday),
    addresses: texts("addresses"),
  };
}

/** Stored values of a person, with the companies by their uuids. */
function identityOfRecord({ emails, phones, urls, fullName, companies, birthday, addresses }: RecordRow): Identity {
  return {
    emails: emails as string[],
    phones: phones as string[],
    urls: urls as string[],
    fullName: String(fullName),
    companies: companies as Uuid[],
    birthday: birthday === null ? undefined : String(birthday),
    addresses: addresses as string[],
  };
}

// ---- by name

/** A name that more people have identifies no person by itself. docs/guides/import-matching.md#a-name-alone */
const NAMESAKES_MAX = 100;

interface Naming {
  entries: ImportEntry[];
  load: Load;
  areHeld: AreHeld;
}

/**
 * Adds the matches of rows that nothing else has found: by the name with a second field, or the match that makes a
 * person.
 */
async function matchNames(
  writing: WriteContext,
  importing: Matching,
  { entries, load, areHeld }: Naming,
  matches: Matches,
): Promise<void> {
  const asked = await withCompanies(writing, entries);
  const rows = asked.map(({ row }) => row);
  const found = await findNamesakes(writing, rows, importing.match, load);
  const namesakes = Map.groupBy(found, ({ fullName }) => nameOf(String(fullName)));
  const alone: Alone[] = [];
  for (const { entry, row } of asked) {
    const all = namesakes.get(nameOf(row.fullName)) ?? [];
    const people = all.filter((person) => !areTwo(row, identityOfRecord(person)));
    const { records, by } = agreeing(row, people, importing.match);
    const [record, other] = records;
    const name = JSON.stringify(row.fullName);
    if (other) matches.set(entry, refuseSeveral(importing, records, `the name ${name} and ${SECOND[by] ?? ""}`));
    else if (record) matches.set(entry, { record, by });
    else if (all.length > 0 && ownKeys(row, importing.match).length === 0) alone.push({ entry, name, people });
    else matches.set(entry, notFound(importing, entry, all.length > 0));
  }
  await matchAlone(alone, areHeld, matches);
}

/** Values of rows, with the companies by their uuids. */
async function withCompanies(writing: WriteContext, entries: ImportEntry[]) {
  const asked = withIdentities(entries);
  const found = await companiesByKey(writing, [...new Set(asked.flatMap(({ row }) => row.companies.map(nameKey)))]);
  const uuidsOf = (names: readonly string[]) => names.flatMap((name) => found.get(nameKey(name))?.uuid ?? []);
  return asked.map(({ entry, row }) => ({ entry, row: { ...row, companies: uuidsOf(row.companies) } }));
}

/** A row that has only its name in common with existing people, and those people. */
interface Alone {
  entry: ImportEntry;
  name: string;
  people: RecordRow[];
}

/**
 * A name alone finds a person only who has all that the row says already: nothing is overwritten then, and nothing made
 * twice.
 */
async function matchAlone(alone: Alone[], areHeld: AreHeld, matches: Matches): Promise<void> {
  const held = await areHeld(alone.flatMap(({ entry, people }) => people.map((record) => ({ entry, record }))));
  let next = 0;
  for (const { entry, name, people } of alone) {
    const heldHere = held.slice(next, next + people.length);
    next += people.length;
    const same = people[heldHere.indexOf(true)];
    if (same) matches.set(entry, { record: same, by: "sameValues" });
    else if (people.length > NAMESAKES_MAX) matches.set(entry, { refused: tooMany(name) });
    else matches.set(entry, { record: null, nameOnly: true });
  }
}

/** Name of the second field that agrees, as messages write it. */
const SECOND: Partial<Record<MatchedBy, string>> = {
  nameAndCompany: "a company of the row",
  nameAndBirthday: "the birthday of the row",
  nameAndAddress: "an address of the row",
  nameAndEmail: "an e-mail address of the row",
  nameAndPhone: "a phone of the row",
  nameAndUrl: "a URL of the row",
};

/** Those of the people of the same name who have a second field in common with a row, by the first such field. */
function agreeing(
  row: Identity,
  people: RecordRow[],
  match: Matching["match"],
): { records: RecordRow[]; by: MatchedBy } {
  const keysOf = people.map((record) => ({
    record,
    keys: new Set(secondKeys(identityOfRecord(record), match).map(({ by, key }) => by + key)),
  }));
  for (const { by, key } of secondKeys(row, match)) {
    const records = keysOf.flatMap(({ record, keys }) => (keys.has(by + key) ? record : []));
    if (records.length > 0) return { records, by };
  }
  return { records: [], by: "nameAndCompany" };
}

function tooMany(name: string): Issue {
  return custom(
    [],
    `More than ${NAMESAKES_MAX} people have the name ${name}: give an e-mail address, a phone, a profile URL or the id`,
  );
}

/**
 * People who have the name of a row, in the order of their creation: all with a company, a birthday or an address of
 * that row, and as many of the first others as the row needs.
 */
async function findNamesakes(
  { query, caller }: WriteContext,
  rows: Identity[],
  match: Matching["match"],
  load: Load,
): Promise<RecordRow[]> {
  const names = new Set(rows.map(({ fullName }) => nameOf(fullName)).filter((name) => name !== ""));
  const keys = [...names].map((name) => textKey(caller.workspaceId, "fullName", name));
  if (keys.length === 0) return [];
  const pairs = rows.flatMap(({ fullName, companies, birthday, addresses }) =>
    [...companies, ...(birthday ? [birthday] : []), ...addresses].map((value) => ({ name: nameOf(fullName), value })),
  );
  const found = await query<{ id: Uuid }>(
    `with namesakes as (
       select id, full_name, company_ids, birthday, addresses, row_number() over (partition by full_name order by id) as place
       from people where workspace_id = $1 and id = any(array(${idsWithKeys(people, "$1", "$2")})))
     select id from namesakes where place <= case when full_name = any($3::text[]) then ${NAMESAKES_MAX + 1} else 1 end
     union
     select n.id from namesakes n join unnest($4::text[], $5::text[]) w(name, value) on w.name = n.full_name
     where w.value = any(n.company_ids::text[]) or w.value = n.birthday::text
       or exists (select 1 from json_array_elements_text(n.addresses) a where a = w.value)
     order by id`,
    [
      caller.workspaceId,
      keys,
      rows.filter((row) => needsAll(row, match)).map(({ fullName }) => nameOf(fullName)),
      pairs.map(({ name }) => name),
      pairs.map(({ value }) => value),
    ],
  );
  const records = await load(found.map(({ id }) => id));
  return found.flatMap(({ id }) => records.get(id) ?? []);
}

/**
 * Whether a row is compared with all of its name by what the statement does not look at. For others it counts that
 * there is one.
 */
function needsAll(row: Identity, match: Matching["match"]): boolean {
  return match === "name" || ownKeys(row, match).length === 0 || (row.urls.length > 0 && !row.urls.every(isProfileUrl));
}
