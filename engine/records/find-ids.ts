import type { Caller } from "../../base/contract/caller.ts";
import { type ApiError, isApiError } from "../../base/contract/errors.ts";
import { NIL_UUID, type Uuid } from "../../base/values/ids.ts";
import { type Binder, createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { parseUuids } from "../../database/uuid-list.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import { type Checked, checkConditions } from "../filters/check.ts";
import { aliasesIn, type Compiling, compile } from "../filters/compile.ts";
import type { Combinator, Condition } from "../filters/condition.ts";
import { findSorted } from "../sorting/find-sorted.ts";
import { sortOf } from "../sorting/sort-field.ts";
import { BY_ID } from "./select.ts";

interface Finding {
  query: Query;
  queryPlanned: Query;
  definitionsCache: DefinitionsCache;
}

/** List and page to read. The page begins behind the position `after` of a record. */
export interface ListOptions {
  limit: number;
  after?: string | undefined;
  conditions?: Condition[] | undefined;
  combinator?: Combinator | undefined;
  /** The order, as it was sent; that of creation if undefined. */
  sort?: string | undefined;
}

/** A record of a page, and its position for a next page. */
export interface FoundId {
  uuid: Uuid;
  position: string;
}

/**
 * The ids of a page of records that meet the conditions, in the order of the list, and one more when there is a next
 * page. A statement with conditions is planned for its values and looks at indexes alone; the records are read by one
 * that is planned already. docs/decisions/0004-filters.md
 *
 * It is put together by the definitions that the process has, and tells the version of its own snapshot. When the
 * definitions are older, all is done again by the newer one.
 */
export async function findIds(
  finding: Finding,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<FoundId[]> {
  const { definitionsCache } = finding;
  let definitions = await definitionsCache.kept(caller.workspaceId);
  for (;;) {
    const outcome = await findIdsBy(finding, resource, { definitions, caller, scope }, options);
    const latest = await ("refused" in outcome
      ? definitionsCache.current(caller.workspaceId)
      : definitionsCache.atLeast(caller.workspaceId, outcome.version));
    if (latest.version > definitions.version) definitions = latest;
    else if ("refused" in outcome) throw outcome.refused;
    else return outcome.ids;
  }
}

/**
 * The ids by these definitions with the version of those that count, or the error of conditions or an order that make
 * no sense by them.
 */
async function findIdsBy(
  { query, queryPlanned }: Finding,
  resource: RecordType,
  { definitions, caller, scope }: { definitions: Definitions; caller: Caller; scope: Scope },
  options: ListOptions,
): Promise<{ ids: FoundId[]; version: number } | { refused: ApiError }> {
  const { conditions = [] } = options;
  let checked: Checked[];
  const sort = options.sort === undefined ? undefined : sortOf({ resource, scope, definitions, caller }, options.sort);
  try {
    const found = sort && "issue" in sort ? [sort.issue] : [];
    checked = checkConditions(resource, scope, definitions, caller, conditions, found);
  } catch (error) {
    if (isApiError(error)) return { refused: error };
    throw error;
  }
  const aliases = await aliasesIn(query, caller.workspaceId, checked);
  const compiling = { resource, definitions, caller, aliases };
  if (sort && !("issue" in sort)) {
    const run = conditions.length === 0 ? query : queryPlanned;
    return findSorted({ query, run }, compiling, scope, { ...options, sort }, checked);
  }
  const { sql, values } = idsStatement(compiling, scope, options, checked);
  const [row] = await queryPlanned<TextRow>(
    `select array(${sql}), catalog_version from workspaces where id = $1`,
    values,
    "texts",
  );
  const ids = parseUuids(row?.[0] ?? "{}");
  return { ids: ids.map((uuid) => ({ uuid, position: uuid })), version: Number(row?.[1] ?? 0) };
}

/** The statement that finds these ids. $1 is the workspace. */
export function idsStatement(
  compiling: Omit<Compiling, "bind">,
  scope: Scope,
  options: ListOptions,
  checked: Checked[],
): { sql: string; values: unknown[] } {
  const bind = recordsOf(compiling.caller);
  const page = pageOf(options, scope, bind);
  const conditions = compile({ ...compiling, bind }, checked, options.combinator ?? "and");
  return { sql: idsOf(compiling.resource, page, conditions), values: bind.values };
}

/**
 * SQL for the ids of a page of the records that meet any of the conditions. Each finds a page by its own index, in
 * order, and the page is the first of all of them. With `or` between them the planner could use no index: it would look
 * at every record.
 */
function idsOf({ searchTable }: RecordType, { behind, limit }: PageSql, conditions: string[]): string {
  const pages = conditions.map(
    (condition) =>
      `select r.id from ${searchTable} r where r.workspace_id = $1 and ${behind} and ${condition} ${BY_ID} ${limit}`,
  );
  return pages.length === 1 ? pages.join("") : `(${pages.join(") union (")}) order by id ${limit}`;
}

/**
 * Conditions and order of a page. It takes one record more than the page has, which tells whether there is a next page.
 */
export function pageOf({ limit, after = NIL_UUID }: ListOptions, scope: Scope, bind: Binder): PageSql {
  return {
    behind: `r.id > ${bind(after)}${within(scope, bind)}`,
    limit: `limit ${bind(limit + 1)}`,
  };
}

/** Parts of a statement that reads a page over the row `r`. */
interface PageSql {
  behind: string;
  limit: string;
}

/** A binder for a statement on records, where the workspace is $1. */
export function recordsOf({ workspaceId }: Caller): Binder {
  const bind = createBinder();
  bind(workspaceId);
  return bind;
}
