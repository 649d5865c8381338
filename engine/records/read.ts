import type { Answered } from "../../base/contract/answer.ts";
import type { Caller } from "../../base/contract/caller.ts";
import { tagOf } from "../../base/contract/etag.ts";
import { type Page, pageRoom } from "../../base/contract/page.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { jsonList } from "../../base/values/json.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import { readPageRows } from "../rows/large-pages.ts";
import { findIds, type ListOptions, pageOf, recordsOf } from "./find-ids.ts";
import { namesBeside, type RecordNames } from "./names.ts";
import { AS_GIVEN, BY_ID, type Order, readerOf, statementOf } from "./select.ts";
import { lengthOfMemberships, shownOfTexts } from "./shown-record.ts";
import { showRows } from "./shown-texts.ts";

/** Known facts about a page before it is read: the maximum number of its rows, and their table. */
export interface AskedPage {
  limit: number;
  table: string;
}

/** Dependencies of reads: a way to run statements, and the definitions of the process. */
export interface Reading {
  query: Query;
  /**
   * Looks up names for rows that were read, on a connection of its own: there they need not wait behind the pages of
   * other requests, while their rows are kept.
   */
  queryNames: Query;
  /**
   * Runs work that reads a page and makes its text, of which few may run at once; the caller's workspace waits for its
   * turn. The work reads with the query that it is given: large pages have a connection of their own, so that small
   * ones need not wait behind them.
   */
  pageTurn<Result>(
    caller: Pick<Caller, "workspaceId">,
    page: AskedPage,
    work: (query: Query) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Runs one statement alone on a connection, planned for its values: for filters, whose best plan depends on them. $1
   * is the workspace; the statement waits for its turn behind others of this workspace.
   */
  queryPlanned: Query;
  definitionsCache: DefinitionsCache;
}

/**
 * One record with its tag, or null if the scope has no record with this uuid. One query, and more only if the uuid may
 * belong to a merged record, or custom values refer to others. docs/guides/merging.md#aliases
 */
export async function readRecord(
  reading: Pick<Reading, "query" | "queryNames" | "definitionsCache">,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  uuid: Uuid,
): Promise<Answered | null> {
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
  const version = row[readerOf(resource).place.version ?? 0];
  return text === undefined ? null : { data: text, etag: tagOf({ uuid: uuidIn(resource, row) ?? uuid, version }) };
}

/**
 * A page of the records that meet the conditions, in the order that is asked for, or that of their creation.
 * docs/guides/lists.md#lists
 * @throws ApiError 422 for conditions that make no sense, with all issues
 */
export async function listRecords(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<Page> {
  const { limit, conditions = [], sort } = options;
  const { table } = resource;
  if (conditions.length === 0 && sort === undefined) {
    const bind = recordsOf(caller);
    const page = pageOf(options, scope, bind);
    return reading.pageTurn(caller, { limit, table }, async (query) => {
      const wanted: Wanted = { conditions: `and ${page.behind}`, order: BY_ID, limit: page.limit };
      const read = await readTexts(query, resource, caller, wanted, bind.values);
      const isLast = !read.isCut && read.rows.length <= limit;
      return presentPage(reading, resource, caller, read.rows.slice(0, limit), isLast);
    });
  }
  const found = await findIds(reading, resource, caller, scope, options);
  const shown = found.slice(0, limit);
  if (shown.length === 0) return { items: "[]", next: null };
  const positions = new Map(shown.map(({ uuid, position }) => [uuid, position]));
  return reading.pageTurn(caller, { limit, table }, async (query) => {
    const wanted: Wanted = { conditions: "and r.id = any($2::uuid[])", order: sort === undefined ? BY_ID : AS_GIVEN };
    const read = await readTexts(query, resource, caller, wanted, [caller.workspaceId, printUuids(positions.keys())]);
    const page = await presentPage(reading, resource, caller, read.rows, !read.isCut);
    if (page.next !== null) return { ...page, next: positions.get(page.next as Uuid) ?? null };
    // A record that was deleted since its id was found is missing. The next page begins behind it all the same.
    return found.length <= limit ? page : { ...page, next: shown.at(-1)?.position ?? null };
  });
}

/** Parts of a statement that reads a page over the row `r`. */
interface Wanted {
  conditions: string;
  order: Order;
  limit?: string;
}

/** The rows of a page, by conditions on `r` and in an order. $1 is the workspace. */
function readTexts(
  query: Query,
  resource: RecordType,
  { workspaceId }: Caller,
  { conditions, order, limit = "" }: Wanted,
  values: unknown[],
): Promise<{ rows: TextRow[]; isCut: boolean }> {
  const { select, counted, columns } = readerOf(resource);
  return readPageRows({
    table: resource.table,
    workspaceId,
    read: (counts) => {
      const wanted = `${conditions} ${order} ${limit}`;
      const statement = counts
        ? statementOf(counted[order].select, `${wanted} ${counted[order].end}`)
        : statementOf(select, wanted);
      return query<TextRow>(statement, values, "texts");
    },
    countOf: (row) => Number(row[columns.length]),
    lengthOf: (row) => lengthOfMemberships(resource, row),
  });
}

/**
 * A page of these rows, or of as many of the first of them as an answer has room for: of one at least.
 * docs/guides/lists.md#pages
 * @param isLast whether no rows follow
 */
async function presentPage(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  rows: TextRow[],
  isLast: boolean,
): Promise<Page> {
  const texts = await presentRead(reading, resource, caller, rows, new Map(), pageRoom());
  const hasNext = texts.length < rows.length || !isLast;
  return { items: jsonList(texts), next: hasNext ? uuidIn(resource, rows[texts.length - 1]) : null };
}

function uuidIn(resource: RecordType, row: TextRow | undefined): Uuid | null {
  return (row?.[readerOf(resource).place.uuid ?? 0] ?? null) as Uuid | null;
}

/**
 * Rows that were read as JSON texts in their order, each as the caller may see it. All rows are of one statement, so
 * the first one tells the version of the definitions.
 */
async function presentRead(
  { queryNames, definitionsCache }: Pick<Reading, "queryNames" | "definitionsCache">,
  resource: RecordType,
  caller: Caller,
  rows: TextRow[],
  names: RecordNames,
  fits?: (text: string) => boolean,
): Promise<string[]> {
  const [first] = rows;
  if (!first) return [];
  const version = Number(first[readerOf(resource).place.definitionsVersion ?? 0]);
  const definitions = await definitionsCache.atLeast(caller.workspaceId, version);
  const shownOf = shownOfTexts(resource);
  return showRows({ query: queryNames, definitions, caller }, resource, { rows, shownOf, names, fits });
}
