import type { Catalog } from "../catalog/catalog.ts";
import type { Catalogs } from "../catalog/catalogs.ts";
import type { Caller } from "../contract/caller.ts";
import type { Page } from "../contract/page.ts";
import type { Query, TextRow } from "../database/query.ts";
import { printUuids } from "../database/uuid-list.ts";
import { resolveAliases } from "../resources/aliases.ts";
import type { RecordType } from "../resources/record-type.ts";
import { type Scope, within } from "../resources/scope.ts";
import type { Uuid } from "../values/ids.ts";
import type { Writing } from "./draft.ts";
import { findIds, type ListOptions, pageOf, recordsOf } from "./find-ids.ts";
import { addNames, namesBeside, type RecordNames } from "./names.ts";
import { present } from "./present.ts";
import { type RecordRow, readerOf, statementOf } from "./select.ts";
import { type ShownRecord, shownOfRow, shownOfTexts } from "./shown-record.ts";

/** What reads need: a way to run statements, and the catalogs of the process. */
export interface Reading {
  query: Query;
  /**
   * Looks up names for rows that were read, on a connection of its own: there they need not wait behind the pages of other
   * requests, while their rows are kept.
   */
  queryNames: Query;
  /** Runs work that reads a page of up to `limit` records and makes its text, of which few may run at once; the caller's workspace waits for its turn. */
  pageTurn<Result>(caller: Pick<Caller, "workspaceId">, limit: number, work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs one statement alone on a connection, planned for its values: for filters, whose best plan depends on them. $1 is the
   * workspace, behind whose other statements it waits for its turn.
   */
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
    const select = statementOf(readerOf(resource).select, `and ${page.behind} ${page.order} ${page.limit}`);
    return reading.pageTurn(caller, limit, async () => {
      const rows = await reading.query<TextRow>(select, bind.values, "texts");
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? uuidIn(resource, shown.at(-1)) : null;
      return { items: `[${(await presentRead(reading, resource, caller, shown)).join(",")}]`, next: last };
    });
  }
  const ids = await findIds(reading, resource, caller, scope, options);
  const shown = ids.slice(0, limit);
  return reading.pageTurn(caller, limit, async () => {
    const rows = await readTexts(reading.query, resource, caller, shown);
    const texts = await presentRead(reading, resource, caller, rows);
    return { items: `[${texts.join(",")}]`, next: ids.length > limit ? (shown.at(-1) ?? null) : null };
  });
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
