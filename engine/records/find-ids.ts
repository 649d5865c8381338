import type { Caller } from "../../base/contract/caller.ts";
import { NIL_UUID, type Uuid } from "../../base/values/ids.ts";
import { type Binder, createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { parseUuids } from "../../database/uuid-list.ts";
import type { DefinitionsCache } from "../../model/definitions/definitions-cache.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import { type Checked, checkConditions } from "../filters/check.ts";
import { aliasesIn, type Compiling, compile } from "../filters/compile.ts";
import type { Combinator, Condition } from "../filters/condition.ts";
import { placeBehind, sortedPage } from "../sorting/page.ts";
import { type Place, printPlace } from "../sorting/place.ts";
import { type Sort, sortOf } from "../sorting/sort-field.ts";
import { byDefinitions } from "./by-definitions.ts";
import { BY_ID } from "./select.ts";

interface Finding {
  query: Query;
  queryPlanned: Query;
  definitionsCache: DefinitionsCache;
}

/** List and page to read. The page begins behind the record with the position `after`. */
export interface ListOptions {
  limit: number;
  after?: string | undefined;
  conditions?: Condition[] | undefined;
  combinator?: Combinator | undefined;
  /** The order, as it was sent; that of creation if undefined. */
  sort?: string | undefined;
}

/** A record of a page, and the position of a page that begins behind it. */
export interface FoundId {
  uuid: Uuid;
  position: string;
}

/**
 * The ids of a page of records that meet the conditions, in the order of the list, and one more when there is a next
 * page. The statement is planned for its values and looks at indexes alone; the records are read by one that is planned
 * already. docs/decisions/0004-filters.md
 * @throws ApiError 422 with all that makes no sense in conditions and order
 */
export function findIds(
  finding: Finding,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  options: ListOptions,
): Promise<FoundId[]> {
  return byDefinitions(finding.definitionsCache, caller.workspaceId, async (definitions) => {
    const { conditions = [], after } = options;
    const sort =
      options.sort === undefined ? undefined : sortOf({ resource, scope, definitions, caller }, options.sort);
    const issues = sort && "issue" in sort ? [sort.issue] : [];
    const checked = checkConditions(resource, scope, definitions, caller, conditions, issues);
    const compiling = {
      resource,
      definitions,
      caller,
      aliases: await aliasesIn(finding.query, caller.workspaceId, checked),
    };
    if (!sort || "issue" in sort) return findCreated(finding, compiling, scope, options, checked);
    const behind = await placeBehind(finding.query, resource, caller.workspaceId, sort, after);
    return findSorted(finding, compiling, scope, { ...options, sort, behind }, checked);
  });
}

/** The ids in the order of creation, with the version of the definitions. */
async function findCreated(
  { queryPlanned }: Finding,
  compiling: Omit<Compiling, "bind">,
  scope: Scope,
  options: ListOptions,
  checked: Checked[],
): Promise<{ result: FoundId[]; version: number }> {
  const { sql, values } = idsStatement(compiling, scope, options, checked);
  const [row] = await queryPlanned<TextRow>(
    `select array(${sql}), catalog_version from workspaces where id = $1`,
    values,
    "texts",
  );
  const ids = parseUuids(row?.[0] ?? "{}");
  return { result: ids.map((uuid) => ({ uuid, position: uuid })), version: Number(row?.[1] ?? 0) };
}

/** The ids in the order of a field, with the version of the definitions. */
async function findSorted(
  { queryPlanned }: Finding,
  compiling: Omit<Compiling, "bind">,
  scope: Scope,
  { sort, behind, limit, combinator = "and" }: Omit<ListOptions, "sort"> & { sort: Sort; behind: Place | undefined },
  checked: Checked[],
): Promise<{ result: FoundId[]; version: number }> {
  const bind = recordsOf(compiling.caller);
  const conditions = compile({ ...compiling, bind }, checked, combinator);
  const page = { sort, behind, conditions, within: within(scope, bind) };
  const source = sortedPage(compiling.resource, page, limit + 1, bind);
  const [row] = await queryPlanned<TextRow>(
    `select (select json_agg(json_build_array(id, key) order by place) from ${source} p where place <= ${bind(limit + 1, "integer")}),
       catalog_version from workspaces where id = $1`,
    bind.values,
    "texts",
  );
  const found = JSON.parse(row?.[0] ?? "[]") as [id: Uuid, key: string | null][];
  const result = found.map(([id, key]) => ({ uuid: id, position: printPlace(sort.keys, { id, key }) }));
  return { result, version: Number(row?.[1] ?? 0) };
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

/** Conditions of a page. It takes one record more than the page has, which tells whether there is a next page. */
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
export function recordsOf({ workspaceId }: Pick<Caller, "workspaceId">): Binder {
  const bind = createBinder();
  bind(workspaceId);
  return bind;
}
