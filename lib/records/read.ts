import type { Catalog } from "../catalog/catalog.ts";
import type { Catalogs } from "../catalog/catalogs.ts";
import type { Caller } from "../contract/caller.ts";
import { type ApiError, isApiError } from "../contract/errors.ts";
import type { Page } from "../contract/page.ts";
import { type Binder, createBinder } from "../database/binder.ts";
import type { Query, TextRow } from "../database/query.ts";
import { parseUuids, printUuids } from "../database/uuid-list.ts";
import { type Checked, checkConditions } from "../filters/check.ts";
import { aliasesIn, compile } from "../filters/compile.ts";
import type { Combinator, Condition } from "../filters/condition.ts";
import { resolveAliases } from "../resources/aliases.ts";
import type { RecordType } from "../resources/record-type.ts";
import { type Scope, within } from "../resources/scope.ts";
import type { Uuid } from "../values/ids.ts";
import type { Writing } from "./draft.ts";
import { addNames, namedRecord, type RecordNames } from "./names.ts";
import { present } from "./present.ts";
import { type RecordRow, readerOf, statementOf } from "./select.ts";
import { type ShownRecord, shownOfRow, shownOfTexts } from "./shown-record.ts";

/** Before every uuid that is ever made. */
const FIRST = "00000000-0000-0000-0000-000000000000" as Uuid;

/** What reads need: a way to run statements, and the catalogs of the process. */
export interface Reading {
  query: Query;
  /**
   * Looks up names for rows that were read, on a connection of its own: there they need not wait behind the pages of other
   * requests, while their rows are kept.
   */
  queryNames: Query;
  /** Runs work that reads a page of a list and makes its text, of which few may run at once. */
  pageTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs one statement alone on a connection, planned for its values: for filters, whose best plan depends on them. */
  queryAlone: Query;
  catalogs: Catalogs;
}

/**
 * One record as JSON text, or null when there is none of this uuid in the scope. One query; more only when the uuid may be that
 * of a merged record, or custom values name others. docs/guides/merging.md#aliases
 */
export async function readRecord(
  reading: Pick<Reading, "query" | "queryNames" | "catalogs">,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  uuid: Uuid,
): Promise<string | null> {
  const { query } = reading;
  const read = (id: Uuid) => {
    const bind = recordsOf(caller);
    const statement = statementOf(readerOf(resource).selectNamed, `and r.id = ${bind(id)}${within(scope, bind)}`);
    return query<TextRow>(statement, bind.values, "texts");
  };
  let [row] = await read(uuid);
  if (!row) {
    const survivor = (await resolveAliases(query, caller.workspaceId, resource.kind, [uuid])).get(uuid);
    if (survivor !== undefined) [row] = await read(survivor);
  }
  if (!row) return null;
  const [text] = await presentRead(reading, resource, caller, [row], namesBeside(resource, row));
  return text ?? null;
}

/** The names of linked records that `selectNamed` gives with a row. */
function namesBeside(resource: RecordType, row: TextRow): RecordNames {
  const names: RecordNames = new Map();
  const { columns, place } = readerOf(resource);
  const text = row[columns.length];
  if (!text) return names;
  const labels = JSON.parse(text) as Record<Uuid, string>;
  for (const { name, storage } of resource.links)
    for (const uuid of parseUuids(row[place[name] ?? 0] ?? "{}")) {
      const label = labels[uuid];
      if (label === undefined) continue;
      const record = namedRecord(storage.target, uuid, label);
      names.set(record.id, record);
    }
  return names;
}

/** Which page of which list. The page begins behind the record with the uuid `after`. */
export interface ListOptions {
  limit: number;
  after?: string | undefined;
  conditions?: Condition[] | undefined;
  combinator?: Combinator | undefined;
}

/**
 * A page of the records that meet the conditions, in the order of their creation. docs/guides/filters.md#lists
 * @throws ApiError 422 for conditions that make no sense, with all issues
 */
export async function listRecords(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<Page> {
  const { limit, conditions = [] } = options;
  if (conditions.length === 0) {
    const bind = recordsOf(caller);
    const page = pageOf(options, scope, bind);
    const select = statementOf(readerOf(resource).select, `and ${page.behind} ${page.order}`);
    return reading.pageTurn(async () => {
      const rows = await reading.query<TextRow>(select, bind.values, "texts");
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? uuidIn(resource, shown.at(-1)) : null;
      return { items: `[${(await presentRead(reading, resource, caller, shown)).join(",")}]`, next: last };
    });
  }
  const ids = await findIds(reading, resource, caller, scope, options);
  const shown = ids.slice(0, limit);
  return reading.pageTurn(async () => {
    const rows = await readTexts(reading.query, resource, caller, shown);
    const texts = await presentRead(reading, resource, caller, rows);
    return { items: `[${texts.join(",")}]`, next: ids.length > limit ? (shown.at(-1) ?? null) : null };
  });
}

/** Conditions and order of a page. It takes one record more than the page has, which tells whether there is a next page. */
function pageOf({ limit, after = FIRST }: ListOptions, scope: Scope, bind: Binder): { behind: string; order: string } {
  return {
    behind: `r.id > ${bind(after)}${within(scope, bind)}`,
    order: `order by r.workspace_id, r.id limit ${bind(limit + 1)}`,
  };
}

/** Rows of records in the order of their ids; what does not exist is missing. */
function readTexts(query: Query, resource: RecordType, caller: Caller, uuids: Uuid[]): Promise<TextRow[]> | TextRow[] {
  if (uuids.length === 0) return [];
  const select = statementOf(readerOf(resource).select, "and r.id = any($2::uuid[]) order by r.workspace_id, r.id");
  return query<TextRow>(select, [caller.workspaceId, printUuids(uuids)], "texts");
}

function uuidIn(resource: RecordType, row: TextRow | undefined): Uuid | null {
  return (row?.[readerOf(resource).place.uuid ?? 0] ?? null) as Uuid | null;
}

/** A binder for a statement on records, where the workspace is $1. */
function recordsOf({ workspaceId }: Caller): Binder {
  const bind = createBinder();
  bind(workspaceId);
  return bind;
}

/**
 * The ids of a page of records that meet the conditions, and one more when there is a next page. The statement is planned for its
 * values and looks at indexes alone; the records are read by one that is planned already. docs/decisions/0004-filters.md
 *
 * It is put together by the catalog that the process has, and tells the version of its own snapshot. When the catalog is older,
 * all is done again by the newer one.
 */
async function findIds(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<Uuid[]> {
  const { catalogs } = reading;
  let catalog = await catalogs.kept(caller.workspaceId);
  for (;;) {
    const outcome = await findIdsBy(reading, resource, { catalog, caller, scope }, options);
    const latest = await ("refused" in outcome
      ? catalogs.current(caller.workspaceId)
      : catalogs.atLeast(caller.workspaceId, outcome.version));
    if (latest.version > catalog.version) catalog = latest;
    else if ("refused" in outcome) throw outcome.refused;
    else return outcome.ids;
  }
}

/** The ids by this catalog with the version of the one that counts, or the error of conditions that make no sense by it. */
async function findIdsBy(
  { query, queryAlone }: Reading,
  resource: RecordType,
  { catalog, caller, scope }: { catalog: Catalog; caller: Caller; scope: Scope },
  options: ListOptions,
): Promise<{ ids: Uuid[]; version: number } | { refused: ApiError }> {
  const { conditions = [], combinator = "and" } = options;
  let checked: Checked[];
  try {
    checked = checkConditions(resource, scope, catalog, caller, conditions);
  } catch (error) {
    if (isApiError(error)) return { refused: error };
    throw error;
  }
  const aliases = await aliasesIn(query, caller.workspaceId, checked);
  const bind = recordsOf(caller);
  const { behind, order } = pageOf(options, scope, bind);
  const where = compile({ resource, catalog, caller, aliases, bind }, checked, combinator);
  const ids = `select r.id from ${resource.searchTable} r where r.workspace_id = $1 and ${behind} and ${where} ${order}`;
  const [row] = await queryAlone<TextRow>(
    `select array(${ids}), catalog_version from workspaces where id = $1`,
    bind.values,
    "texts",
  );
  return { ids: parseUuids(row?.[0] ?? "{}"), version: Number(row?.[1] ?? 0) };
}

/**
 * Rows that were read as JSON texts in their order, each as the caller may see it. All rows are of one statement, so the first
 * one tells the version of the catalog.
 */
async function presentRead(
  { queryNames, catalogs }: Pick<Reading, "queryNames" | "catalogs">,
  resource: RecordType,
  caller: Caller,
  rows: TextRow[],
  names: RecordNames = new Map(),
): Promise<string[]> {
  const [first] = rows;
  if (!first) return [];
  const version = Number(first[readerOf(resource).place.catalogVersion ?? 0]);
  const catalog = await catalogs.atLeast(caller.workspaceId, version);
  const records = rows.map((row) => shownOfTexts(resource, row));
  return presentShown({ query: queryNames, catalog, caller }, resource, records, names);
}

/** Rows that were written as JSON texts in their order, each as the caller may see it. */
export function presentRows(writing: Writing, resource: RecordType, rows: RecordRow[]): Promise<string[]> {
  const records = rows.map((row) => shownOfRow(resource, row));
  return presentShown(writing, resource, records, new Map(writing.linked));
}

async function presentShown(
  view: { query: Query; catalog: Catalog; caller: Caller },
  resource: RecordType,
  records: ShownRecord[],
  names: RecordNames,
): Promise<string[]> {
  return present(resource, records, { ...view, names: await addNames(names, view, resource, records) });
}
