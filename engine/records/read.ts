import type { Answered } from "../../base/contract/answer.ts";
import type { Caller } from "../../base/contract/caller.ts";
import { unprocessable } from "../../base/contract/errors.ts";
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
import { placeBehind, sortedPage } from "../sorting/page.ts";
import { printPlace } from "../sorting/place.ts";
import { sortOf } from "../sorting/sort-field.ts";
import { byDefinitions } from "./by-definitions.ts";
import { findIds, type ListOptions, pageOf, recordsOf } from "./find-ids.ts";
import { namesBeside, type RecordNames } from "./names.ts";
import { BY_ID, byIds, inPlaces, readerOf, statementOf } from "./select.ts";
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
 * @throws ApiError 422 for conditions or an order that make no sense, with all issues
 */
export function listRecords(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<Page> {
  const { conditions = [], sort } = options;
  if (conditions.length > 0) return listFound(reading, resource, caller, scope, options);
  if (sort === undefined) return listCreated(reading, resource, caller, scope, options);
  return listSorted(reading, resource, caller, scope, { ...options, sort });
}

/** The page of a list in the order of creation. Its statement is the same for all pages. */
async function listCreated(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<Page> {
  const bind = recordsOf(caller);
  const page = pageOf(options, scope, bind);
  const wanted = `and ${page.behind} ${BY_ID} ${page.limit}`;
  const read = await readPage(reading, resource, caller, {
    limit: options.limit,
    statement: (counts) => byIds(resource, wanted, counts),
    values: bind.values,
  });
  return nextBehind(read, read.hasNext ? uuidIn(resource, read.last) : null);
}

/**
 * The page of a list in the order of a field. There are as many statements as there are kinds of fields, directions and
 * kinds of places where pages begin.
 */
function listSorted(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  { limit, after, sort: sent }: ListOptions & { sort: string },
): Promise<Page> {
  const { definitionsCache } = reading;
  const { place, columns } = readerOf(resource);
  return byDefinitions(definitionsCache, caller.workspaceId, async (definitions) => {
    const sort = sortOf({ resource, scope, definitions, caller }, sent);
    if ("issue" in sort) throw unprocessable([sort.issue]);
    const behind = await placeBehind(reading.query, resource, caller.workspaceId, sort, after);
    const bind = recordsOf(caller);
    const page = { sort, behind, conditions: ["true"], within: within(scope, bind) };
    const source = sortedPage(resource, page, limit + 1, bind);
    const first = `p.place <= ${bind(limit + 1, "integer")}`;
    const read = await readPage(reading, resource, caller, {
      limit,
      statement: (counts) => inPlaces(resource, { source, where: first }, counts),
      values: bind.values,
    });
    const { last } = read;
    if (!last) {
      const { version } = await definitionsCache.current(caller.workspaceId);
      return { result: { items: "[]", next: null }, version };
    }
    const position = printPlace(sort.keys, { id: last[place.uuid ?? 0] as Uuid, key: last[columns.length] ?? null });
    return {
      result: nextBehind(read, read.hasNext ? position : null),
      version: Number(last[place.definitionsVersion ?? 0]),
    };
  });
}

/** The page of a list with conditions. Its ids are found first. docs/decisions/0004-filters.md */
async function listFound(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<Page> {
  const { limit } = options;
  const found = await findIds(reading, resource, caller, scope, options);
  const shown = found.slice(0, limit);
  const uuids = shown.map(({ uuid }) => uuid);
  const order = options.sort === undefined ? "of ids" : "as found";
  const read = await readFound(reading, resource, caller, uuids, order);
  // A record that was deleted since its id was found is missing. The next page begins behind it all the same.
  const last = read.hasNext ? shown.find(({ uuid }) => uuid === uuidIn(resource, read.last)) : shown.at(-1);
  return nextBehind(read, read.hasNext || found.length > limit ? (last?.position ?? null) : null);
}

/** A page whose next one is not known yet. */
interface ReadPage {
  page: Page;
  /** The row of the last record; undefined if there are none. */
  last: TextRow | undefined;
  /** Whether there are rows behind it. */
  hasNext: boolean;
}

/** Sets where the next page begins, in the page itself: a copy would keep the items in memory after `takeItems`. */
function nextBehind({ page }: ReadPage, next: string | null): Page {
  page.next = next;
  return page;
}

/**
 * Records that were found, in that order, as JSON of as many of the first ones as an answer has room for. Those that
 * were deleted since are missing.
 * @param order of the uuids. In that of ids the rows are read along the primary key, which is cheaper
 */
export async function readFound(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  uuids: readonly Uuid[],
  order: "of ids" | "as found" = "as found",
): Promise<ReadPage> {
  if (uuids.length === 0) return { page: { items: "[]", next: null }, last: undefined, hasNext: false };
  return readPage(reading, resource, caller, {
    limit: uuids.length,
    statement: (counts) =>
      order === "of ids"
        ? byIds(resource, FOUND_BY_ID, counts)
        : inPlaces(resource, { source: FOUND, where: "true" }, counts),
    values: [caller.workspaceId, printUuids(uuids)],
  });
}

const FOUND_BY_ID = `and r.id = any($2::uuid[]) ${BY_ID}`;
const FOUND = "(select id, place, null::text as key from unnest($2::uuid[]) with ordinality u (id, place))";

/** Page to read: the statement of its rows, one more than the page has if there are more. $1 is the workspace. */
interface PageStatement {
  limit: number;
  /** @param counts whether it counts bytes, and ends where they are enough */
  statement(counts: boolean): string;
  values: unknown[];
}

/**
 * The JSON of a page, or of as many of its first records as an answer has room for: of one at least.
 * docs/guides/lists.md#pages
 */
function readPage(
  reading: Reading,
  resource: RecordType,
  caller: Caller,
  { limit, statement, values }: PageStatement,
): Promise<ReadPage> {
  const { table } = resource;
  return reading.pageTurn(caller, { limit, table }, async (query) => {
    const { rows, isCut } = await readPageRows({
      table,
      workspaceId: caller.workspaceId,
      read: (counts) => query<TextRow>(statement(counts), values, "texts"),
      countOf: (row) => Number(row.at(-1)),
      lengthOf: (row) => lengthOfMemberships(resource, row),
    });
    const texts = await presentRead(reading, resource, caller, rows.slice(0, limit), new Map(), pageRoom());
    const page = { items: jsonList(texts), next: null };
    return { page, last: rows[texts.length - 1], hasNext: texts.length < rows.length || isCut };
  });
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
