import { mapInSlices } from "../../base/loop/in-slices.ts";
import { NIL_UUID, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { withMarksApart } from "../../base/values/nfc.ts";
import { comparable, textItem } from "../../base/values/text.ts";
import { uuidArray } from "../../database/array-parameter.ts";
import { createBinder } from "../../database/binder.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import { textKey, trimmedKey } from "../filters/search-columns.ts";
import { digitsOfPhone } from "../interactions/phone-numbers.ts";
import { ADDRESS_LISTS, roughEmail, roughUrl } from "./address-forms.ts";
import type { WriteContext } from "./draft.ts";
import { type AddressList, formsOfList, type MatchKey, type SentValue } from "./upsert-keys.ts";

/** The values of one record for one key. */
export interface Asked {
  key: MatchKey;
  values: readonly SentValue[];
}

/** One record more than an answer tells of. With as many there may be others. */
export const FOUND_MAX = 11;

/** The records that values find, in the order of their creation: all of them, or `FOUND_MAX`. */
export type Candidates = Map<Asked, Uuid[]>;

/**
 * Finds records by values of match keys, each by an index: never more than one statement for ids, one for aliases, one
 * for names and e-mail addresses, one for texts, one for numbers, and one for each page of rough forms.
 * docs/guides/upsert.md#equal-values
 */
export async function findCandidates(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  asked: readonly Asked[],
): Promise<Candidates> {
  const found = new Map(asked.map((one) => [one, new Set<Uuid>()]));
  const add = (one: Asked, id: Uuid) => found.get(one)?.add(id);
  await Promise.all([
    findIds(writing, resource, scope, asked, add),
    findByTextKeys(writing, resource, scope, asked, add),
    findByForms(writing, resource, asked, found),
    findByValues(writing, resource, asked, add),
  ]);
  return new Map([...found].map(([one, ids]) => [one, [...ids].sort().slice(0, FOUND_MAX)]));
}

type Add = (one: Asked, id: Uuid) => void;

/** Lists of those who ask, by what they ask for. */
function byToken(
  asked: readonly Asked[],
  tokensOf: (one: Asked, value: SentValue) => readonly string[],
): Map<string, Asked[]> {
  const asking = new Map<string, Asked[]>();
  for (const one of asked)
    for (const value of one.values)
      for (const token of tokensOf(one, value)) {
        const known = asking.get(token) ?? [];
        asking.set(token, known);
        if (!known.includes(one)) known.push(one);
      }
  return asking;
}

// ---- ids

async function findIds(
  { query, caller }: WriteContext,
  resource: RecordType,
  scope: Scope,
  asked: readonly Asked[],
  add: Add,
): Promise<void> {
  const asking = byToken(asked, ({ key }, { text }) =>
    key.source.shape === "id" ? [uuidOf(resource.kind, text) ?? ""].filter((uuid) => uuid !== "") : [],
  );
  if (asking.size === 0) return;
  const uuids = [...asking.keys()] as Uuid[];
  const there = await existing(query, caller.workspaceId, resource, scope, uuids);
  const missing = uuids.filter((uuid) => !there.has(uuid));
  const survivors = await resolveAliases(query, caller.workspaceId, resource.kind, missing);
  const seen = await existing(query, caller.workspaceId, resource, scope, [...survivors.values()]);
  for (const [uuid, ones] of asking) {
    const id = there.has(uuid as Uuid) ? (uuid as Uuid) : survivors.get(uuid as Uuid);
    if (id && (there.has(id) || seen.has(id))) for (const one of ones) add(one, id);
  }
}

async function existing(
  query: WriteContext["query"],
  workspaceId: Uuid,
  { table }: RecordType,
  scope: Scope,
  uuids: Uuid[],
): Promise<Set<Uuid>> {
  if (uuids.length === 0) return new Set();
  const bind = createBinder();
  const [workspace, ids] = [bind(workspaceId), bind(printUuids(uuids))];
  const rows = await query<{ id: Uuid }>(
    `select r.id from ${table} r where r.workspace_id = ${workspace} and r.id = any(${ids}::uuid[])${within(scope, bind)}`,
    bind.values,
  );
  return new Set(rows.map(({ id }) => id));
}

// ---- names and e-mail addresses, by the keys of filters

async function findByTextKeys(
  { query, caller }: WriteContext,
  resource: RecordType,
  scope: Scope,
  asked: readonly Asked[],
  add: Add,
): Promise<void> {
  const { workspaceId } = caller;
  const asking = byToken(asked, ({ key: { source } }, { forms }) => {
    if (source.shape === "name")
      return forms.flatMap((form) => [
        textKey(workspaceId, resource.nameField, form),
        trimmedKey(workspaceId, resource, form),
      ]);
    // Most addresses are stored in the form in which they are compared.
    if (source.shape === "list" && source.list === "emails")
      return forms.map((form) => textKey(workspaceId, source.list, form));
    return [];
  });
  if (asking.size === 0) return;
  const bind = createBinder();
  const [workspace, keys] = [bind(workspaceId), bind(uuidArray([...asking.keys()] as Uuid[]))];
  // The look-up in the index is kept apart from the order, for which the planner would rather walk through all records.
  const rows = await query<{ key: string; id: Uuid }>(
    `select k.key, f.id from unnest(${keys}::uuid[]) k (key) cross join lateral (
       select o.id from (select r.id from ${resource.searchTable} r
         where r.workspace_id = ${workspace} and r.text_keys && array[k.key]${within(scope, bind)} offset 0) o
       order by o.id limit ${FOUND_MAX}) f`,
    bind.values,
  );
  for (const { key, id } of rows) for (const one of asking.get(key) ?? []) add(one, id);
}

// ---- addresses, by rough forms

/** Records of one form that are read at once. Nearly all have an address that equals the one that was sent. */
const PAGE = 100;

interface FormRow {
  form: string;
  id: Uuid;
  list: string[];
}

async function findByForms(
  writing: WriteContext,
  resource: RecordType,
  asked: readonly Asked[],
  found: Map<Asked, Set<Uuid>>,
): Promise<void> {
  const inLists = asked.flatMap((one) => one.values.map(({ text }) => ({ text, source: one.key.source })));
  const forms = new Map(
    await mapInSlices(inLists, ({ text, source }): [string, string[]] =>
      source.shape === "list" ? [`${source.list} ${text}`, roughForms(source.list, text)] : ["", []],
    ),
  );
  const asking = byToken(asked, ({ key: { source } }, { text }) =>
    source.shape === "list" ? (forms.get(`${source.list} ${text}`) ?? []) : [],
  );
  const wanted = new Map(asked.map((one) => [one, new Set(one.values.flatMap(({ forms }) => forms))]));
  const add = ({ form, id, list }: FormRow) => {
    const stored = formsOfList(listOf(form), list);
    for (const one of asking.get(form) ?? [])
      if (stored.some((text) => wanted.get(one)?.has(text))) found.get(one)?.add(id);
  };
  const needsMore = (form: string) => asking.get(form)?.some((one) => (found.get(one)?.size ?? 0) < FOUND_MAX);
  let open = new Map([...asking.keys()].map((form) => [form, NIL_UUID]));
  while (open.size > 0) {
    const rows = await pageOfForms(writing, resource, open);
    await mapInSlices(rows, add);
    const full = [...Map.groupBy(rows, ({ form }) => form)].filter(
      ([form, page]) => page.length === PAGE && needsMore(form),
    );
    open = new Map(full.map(([form, page]) => [form, page.at(-1)?.id ?? NIL_UUID]));
  }
}

const LISTS = Object.entries(ADDRESS_LISTS).map(([list, { letter }]) => ({ list: list as AddressList, letter }));

function listOf(form: string): AddressList {
  return LISTS.find(({ letter }) => form.startsWith(letter))?.list ?? "emails";
}

/** The rough forms under which an equal address may stand, whatever the normal form in which it was written. */
function roughForms(list: AddressList, text: string): string[] {
  const { letter } = ADDRESS_LISTS[list];
  const composed = comparable(text);
  const spellings = [text, composed, Array.from(composed, withMarksApart).join("")];
  const forms = list === "phones" ? digitsOfPhone(text) : spellings.map(list === "emails" ? roughEmail : roughUrl);
  return [...new Set(forms)].filter((form) => form !== "").map((form) => letter + form);
}

function pageOfForms(
  { query, caller }: WriteContext,
  { table, addressesTable, recordIdColumn }: RecordType,
  open: Map<string, Uuid>,
): Promise<FormRow[]> {
  return query<FormRow>(
    `select w.form, a.${recordIdColumn} as id, case left(w.form, 1) when 'e' then r.emails when 'p' then r.phones else r.urls end as list
     from unnest($2::text[], $3::uuid[]) w (form, after) cross join lateral (
       select ${recordIdColumn} from ${addressesTable}
       where workspace_id = $1 and form = w.form and ${recordIdColumn} > w.after order by ${recordIdColumn} limit ${PAGE}) a
     join ${table} r on r.workspace_id = $1 and r.id = a.${recordIdColumn}
     order by 2`,
    [caller.workspaceId, [...open.keys()], uuidArray([...open.values()])],
  );
}

// ---- custom fields

/** A kind of custom fields that match, with the column of the index that has their values. */
interface ValueColumn {
  filter: "TEXT" | "NUMBER";
  column: "item" | "number_value";
  type: "uuid" | "numeric";
  valueOf(form: string): string;
}

const VALUE_COLUMNS: readonly ValueColumn[] = [
  { filter: "TEXT", column: "item", type: "uuid", valueOf: (form) => textItem(form) },
  { filter: "NUMBER", column: "number_value", type: "numeric", valueOf: (form) => form },
];

async function findByValues(
  writing: WriteContext,
  resource: RecordType,
  asked: readonly Asked[],
  add: Add,
): Promise<void> {
  await Promise.all(VALUE_COLUMNS.map((column) => findInColumn(writing, resource, asked, column, add)));
}

async function findInColumn(
  { query, caller }: WriteContext,
  { valuesTable, recordIdColumn }: RecordType,
  asked: readonly Asked[],
  of: ValueColumn,
  add: Add,
): Promise<void> {
  const asking = byToken(asked, ({ key: { source } }, { forms }) =>
    source.shape === "custom" && customFieldTypes[source.field.type].filter === of.filter
      ? forms.map((form) => `${source.field.uuid} ${of.valueOf(form)}`)
      : [],
  );
  if (asking.size === 0) return;
  const pairs = [...asking.keys()].map((token) => token.split(" "));
  const rows = await query<{ n: number; id: Uuid }>(
    `select w.n::int as n, f.id
     from unnest($2::uuid[], $3::${of.type}[]) with ordinality w (field_id, value, n) cross join lateral (
       select ${recordIdColumn} as id from ${valuesTable}
       where workspace_id = $1 and field_id = w.field_id and ${of.column} = w.value
       order by ${recordIdColumn} limit ${FOUND_MAX}) f`,
    [caller.workspaceId, uuidArray(pairs.map(([field]) => field as Uuid)), pairs.map(([, value]) => value)],
  );
  const places = [...asking.values()];
  for (const { n, id } of rows) for (const one of places[n - 1] ?? []) add(one, id);
}
