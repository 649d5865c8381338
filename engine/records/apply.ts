import { divide, mapInSlices } from "../../base/loop/in-slices.ts";
import { newUuid, type Uuid } from "../../base/values/ids.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { LinksStorage } from "../../model/fields/field.ts";
import { nameKey } from "../../model/fields/name.ts";
import { companies as companiesResource } from "../../model/resources/companies.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { wordsOfValue } from "../../model/resources/word-column.ts";
import { insertUnlessThere, type Planned, writeRows } from "./apply-rows.ts";
import type { KeptLink, Plan, PlannedLink, PlannedLinks, WriteContext } from "./draft.ts";
import { companiesByKey } from "./found.ts";
import { namedRecord, type RecordNames } from "./names.ts";
import { recordEntry } from "./record-events.ts";
import { type Columns, createRowSets, type RowSets } from "./row-sets.ts";
import { type Link, type RecordRow, untouched, valueEntries } from "./select.ts";
import { lengthOfTexts, lengthOfValues } from "./value-bytes.ts";

/**
 * Writes what plans say, and tells of it in events, with a number of statements that does not grow with the number of
 * plans, but only with the length of what they write. Gives the rows as they are afterwards, in the order of the plans.
 * The transaction is the caller's.
 */
export async function applyPlans(writing: WriteContext, resource: RecordType, plans: Plan[]): Promise<RecordRow[]> {
  const linkTo = await makeCompanies(writing, plans);
  const planned = await mapInSlices(plans, (plan) => {
    const row = rowAfter(writing, resource, plan, linkTo);
    const entries = recordEntry(resource, writing.definitions, plan.current, row, plan.merged);
    // A version is what an entry of the log has made. docs/guides/versions.md#tags
    if (plan.current && entries.length > 0) row.version = plan.current.version + 1;
    return { plan, row, entries };
  });
  await writeAll(writing, resource, planned);
  writing.log.push(...planned.flatMap(({ entries }) => entries));
  return planned.map(({ row }) => row);
}

/**
 * Writes what plans of records that are there say, and tells nobody: entries of their lists follow from other records.
 * The transaction is the caller's.
 */
export async function applySilently(writing: WriteContext, resource: RecordType, plans: Plan[]): Promise<void> {
  const linkTo = (link: PlannedLink): Link => {
    if ("uuid" in link) return { uuid: link.uuid, label: "" };
    throw new Error("A company is made by a write that tells of it");
  };
  const planned = plans.map((plan) => ({
    plan,
    row: rowAfter({ ...writing, linked: new Map() }, resource, plan, linkTo),
  }));
  await writeAll(writing, resource, planned);
}

/**
 * Maximum length of rows that are written together, in UTF-16 units: putting it together holds the event loop for up to
 * 25 ms, when all of it are mentions. A batch of a hundred ordinary records is far below it.
 */
const WRITTEN_TOGETHER = 512 * 1024;

function lengthOfPlanned({ plan: { memberships, columns } }: Planned): number {
  return (memberships ? lengthOfValues(memberships) : 0) + (columns ? lengthOfTexts(Object.values(columns)) : 0);
}

/**
 * Writes records as they are, with the indexes that follow from their rows, and tells nobody: they come from another
 * workspace or another installation. The transaction is the caller's.
 */
export async function insertRecords(writing: WriteContext, resource: RecordType, rows: RecordRow[]): Promise<void> {
  const planned = rows.map((row) => ({ plan: planOfNew(writing, resource, row), row }));
  await writeAll(writing, resource, planned);
}

/** Writes planned records in parts. The last part is sent, and not waited for if the caller takes it. */
async function writeAll(writing: WriteContext, resource: RecordType, planned: Planned[]): Promise<void> {
  const parts = divide(planned, lengthOfPlanned, WRITTEN_TOGETHER);
  for (const part of parts.slice(0, -1)) await writePlanned(writing, resource, part);
  const last = writePlanned(writing, resource, parts.at(-1) ?? []);
  if (writing.last) writing.last(last);
  else await last;
}

/** Plan for a row that exists already in its final form. Groups and fields that are gone have no index. */
function planOfNew({ definitions }: WriteContext, resource: RecordType, row: RecordRow): Plan {
  const columns = Object.fromEntries(resource.columns.map(({ name }) => [name, row[name]]));
  const links = resource.links.map(({ name }): [string, PlannedLinks] => [name, { before: [], after: [] }]);
  const { uuid, memberships } = row;
  return {
    uuid,
    isNew: true,
    current: null,
    scope: { entity: resource.kind, homeGroup: null },
    columns,
    memberships,
    addedGroups: memberships.flatMap(({ groupId }) => (definitions.groups.has(groupId) ? groupId : [])),
    removedGroups: [],
    warnings: [],
    changedValues: memberships.flatMap(({ groupId, values }) =>
      valueEntries(values).map(([fieldId, stored]) => ({ groupId, fieldId, stored })),
    ),
    links: new Map(links),
  };
}

function writePlanned(writing: WriteContext, resource: RecordType, planned: Planned[]): Promise<void> {
  const plans = planned.map(({ plan }) => plan);
  const sets = createRowSets(writing);
  writeRows(writing, resource, planned, sets);
  writeMemberships(resource, plans, sets);
  writeValues(writing, resource, plans, sets);
  for (const { name, storage } of resource.links) writeLinks(name, storage, planned, sets);
  return sets.written();
}

/** Writes the index of links: the added and removed entries of a list. Only the row has their order. */
function writeLinks(name: string, { table, from, to }: LinksStorage, planned: Planned[], sets: RowSets): void {
  const gone: Record<string, Uuid>[] = [];
  const added: Record<string, Uuid>[] = [];
  for (const { plan, row } of planned) {
    const links = plan.links.get(name);
    if (!links) continue;
    const { before } = links;
    const after = row[name] as Uuid[];
    const link = (uuid: Uuid) => ({ [from]: plan.uuid, [to]: uuid });
    gone.push(...before.filter((uuid) => !after.includes(uuid)).map(link));
    added.push(...after.filter((uuid) => !before.includes(uuid)).map(link));
  }
  const columns: Columns = { [from]: "uuid", [to]: "shared uuid" };
  sets.delete(table, columns, gone);
  sets.insert(table, columns, added);
}

/**
 * Makes the companies that people name and that are not there. When another transaction makes one of them at the same
 * moment, that one is linked. Gives a function from a planned link to a link.
 * docs/guides/people.md#companies-of-a-person
 */
async function makeCompanies(writing: WriteContext, plans: Plan[]): Promise<(link: PlannedLink) => Link | KeptLink> {
  const links = plans.flatMap((plan) => [...plan.links.values()].flatMap(({ after }) => after));
  const names = new Map(
    links.flatMap((link) => ("newCompany" in link ? [[nameKey(link.newCompany), link.newCompany]] : [])),
  );
  const companies = names.size === 0 ? new Map<string, Link>() : await makeNamed(writing, names);
  return (link) => {
    const company = "uuid" in link ? link : companies.get(nameKey(link.newCompany));
    if (!company) throw new Error("A company that was made for its name is not there");
    return company;
  };
}

async function makeNamed(writing: WriteContext, names: Map<string, string>): Promise<Map<string, Link>> {
  const unset = companiesResource.columns.map(({ name, storage }) => [name, storage.unset]);
  const rows = [...names.values()].map(
    (name): RecordRow => ({
      ...Object.fromEntries(unset),
      uuid: newUuid(),
      createdBy: writing.caller.userId,
      version: 1,
      memberships: [],
      name,
    }),
  );
  const made = await insertUnlessThere(writing, companiesResource, rows);
  for (const row of made) writing.log.push(...recordEntry(companiesResource, writing.definitions, null, row));
  return companiesByKey(writing, [...names.keys()]);
}

/**
 * The row of a record as its plan leaves it: what is written, and what is answered, since what this very transaction
 * has written need not be read again. docs/decisions/0008-batches.md
 * @param linkTo gives the record that a planned link leads to
 */
export function rowAfter(
  { caller, linked }: WriteContext,
  resource: RecordType,
  { uuid, current, scope, memberships, columns, links }: Plan,
  linkTo: (link: PlannedLink) => Link | KeptLink,
): RecordRow {
  const row: RecordRow = {
    ...(current ?? untouched(resource)),
    uuid,
    createdBy: current?.createdBy ?? caller.userId,
    version: current?.version ?? 1,
    memberships: memberships ?? current?.memberships ?? [],
    ...columns,
  };
  if (scope.homeGroup) for (const name of Object.keys(resource.rowColumns ?? {})) row[name] = scope.entity;
  for (const { name, storage } of resource.links) {
    const after = links.get(name)?.after.map(linkTo);
    if (after) addNamesOf(after, storage, linked);
    row[name] = after?.map((link) => link.uuid) ?? current?.[name] ?? [];
  }
  return row;
}

/** Adds the names of linked records. Those of links that were there before are read when they are needed. */
function addNamesOf(links: (Link | KeptLink)[], { target }: LinksStorage, linked: RecordNames): void {
  for (const { uuid, label } of links) {
    if (label === null) continue;
    const record = namedRecord(target, uuid, label);
    linked.set(record.id, record);
  }
}

/** Writes the index of groups: what records gain and lose. The values in a lost group go out of their index too. */
function writeMemberships(resource: RecordType, plans: Plan[], sets: RowSets): void {
  const { groupsTable, valuesTable, recordIdColumn } = resource;
  const columns: Columns = { [recordIdColumn]: "uuid", group_id: "shared uuid" };
  const removed = plans.flatMap(({ uuid, removedGroups }) =>
    removedGroups.map((group_id) => ({ [recordIdColumn]: uuid, group_id })),
  );
  const added = plans.flatMap(({ uuid, addedGroups }) =>
    addedGroups.map((group_id) => ({ [recordIdColumn]: uuid, group_id })),
  );
  sets.delete(groupsTable, columns, removed);
  sets.delete(valuesTable, columns, removed);
  sets.insert(groupsTable, columns, added);
}

const FIELD_COLUMNS: Columns = { group_id: "shared uuid", field_id: "shared uuid" };
const ENTRY_COLUMNS: Columns = {
  position: "smallint",
  item: "uuid",
  number_value: "numeric",
  date_value: "date",
  folded_text: "text",
  words: "tsvector",
};

/** Writes the rows with which filters find the changed custom values. */
function writeValues({ definitions, caller }: WriteContext, resource: RecordType, plans: Plan[], sets: RowSets): void {
  const { valuesTable, recordIdColumn } = resource;
  const fields: Columns = { [recordIdColumn]: "shared uuid", ...FIELD_COLUMNS };
  const outdated = plans.flatMap(({ uuid, isNew, changedValues }) =>
    isNew
      ? []
      : changedValues.map(({ groupId, fieldId }) => ({ [recordIdColumn]: uuid, group_id: groupId, field_id: fieldId })),
  );
  const rows = plans.flatMap(({ uuid, changedValues }) =>
    changedValues.flatMap(({ groupId, fieldId, stored }) => {
      const field = definitions.groups.get(groupId)?.fieldsByUuid.get(fieldId);
      if (!field || stored === null) return [];
      return customFieldTypes[field.type].indexedAs(stored as never).map((indexed, position) => ({
        [recordIdColumn]: uuid,
        group_id: groupId,
        field_id: fieldId,
        position,
        ...indexed,
        words: indexed.folded_text === undefined ? null : wordsOfValue(caller.workspaceId, indexed.folded_text),
      }));
    }),
  );
  sets.delete(valuesTable, fields, outdated);
  sets.insert(valuesTable, { ...fields, ...ENTRY_COLUMNS }, rows);
}
