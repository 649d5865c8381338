import type { Catalog } from "../catalog/catalog.ts";
import type { Catalogs } from "../catalog/catalogs.ts";
import type { Caller } from "../contract/caller.ts";
import type { Page } from "../contract/page.ts";
import { type Binder, createBinder } from "../database/binder.ts";
import type { Query } from "../database/query.ts";
import { checkConditions } from "../filters/check.ts";
import { aliasesIn, compile } from "../filters/compile.ts";
import type { Combinator, Condition } from "../filters/condition.ts";
import { resolveAliases } from "../resources/aliases.ts";
import type { RecordType } from "../resources/record-type.ts";
import { type Scope, within } from "../resources/scope.ts";
import type { Uuid } from "../values/ids.ts";
import { namesIn } from "./names.ts";
import { present } from "./present.ts";
import { type RecordRow, selectOf, statementOf } from "./select.ts";

/** Before every uuid that is ever made. */
const FIRST = "00000000-0000-0000-0000-000000000000";
/** What reads need: a way to run statements, and the catalogs of the process. */
export interface Reading {
  query: Query;
  /** Runs one statement alone on a connection, planned for its values: for filters, whose best plan depends on them. */
  queryAlone: Query;
  catalogs: Catalogs;
}

/**
 * One record as JSON text, or null when there is none of this uuid in the scope. One query; more only when the uuid may be that
 * of a merged record, or custom values name others. docs/guides/merging.md#aliases
 */
export async function readRecord(
  { query, catalogs }: Pick<Reading, "query" | "catalogs">,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  uuid: Uuid,
): Promise<string | null> {
  const read = (id: Uuid) => {
    const bind = recordsOf(caller);
    const statement = statementOf(resource, `and r.id = ${bind(id)}${within(scope, bind)}`);
    return query<RecordRow>(statement, bind.values);
  };
  let rows = await read(uuid);
  if (rows.length === 0) {
    const survivor = (await resolveAliases(query, caller.workspaceId, resource.kind, [uuid])).get(uuid);
    if (survivor !== undefined) rows = await read(survivor);
  }
  const [text] = await presentAll({ query, catalogs }, resource, caller, rows);
  return text ?? null;
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
  const { limit, after = FIRST, conditions = [], combinator = "and" } = options;
  const bind = recordsOf(caller);
  // One record more than the page has tells whether there is a next page.
  const page = `order by r.workspace_id, r.id limit ${bind(limit + 1)}`;
  const behind = `and r.id > ${bind(after)}${within(scope, bind)}`;
  let rows: RecordRow[];
  if (conditions.length === 0) {
    rows = await reading.query<RecordRow>(statementOf(resource, `${behind} ${page}`), bind.values);
  } else {
    const where = await whereOf(reading, resource, caller, scope, { conditions, combinator }, bind);
    // The inner statement finds the ids of the page, and the outer one reads those records: indexes alone tell ids, and most
    // conditions need no more. docs/decisions/0004-filters.md
    const ids = `select r.id from ${resource.table} r where r.workspace_id = $1 ${behind} and ${where} ${page}`;
    rows = await reading.queryAlone<RecordRow>(
      `${selectOf(resource)} and r.id = any(array(${ids})) ${page}`,
      bind.values,
    );
  }
  const shown = rows.slice(0, limit);
  const texts = await presentAll(reading, resource, caller, shown);
  return { items: `[${texts.join(",")}]`, next: rows.length > limit ? (shown.at(-1)?.uuid ?? null) : null };
}

/** A binder for a statement that begins with `selectOf`, where the workspace is $1. */
function recordsOf({ workspaceId }: Caller): Binder {
  const bind = createBinder();
  bind(workspaceId);
  return bind;
}

/** The conditions as SQL over the row `r`. */
async function whereOf(
  { query, catalogs }: Reading,
  resource: RecordType,
  caller: Caller,
  scope: Scope,
  { conditions, combinator }: { conditions: Condition[]; combinator: Combinator },
  bind: Binder,
): Promise<string> {
  const catalog = await catalogs.current(caller.workspaceId);
  const checked = checkConditions(resource, scope, catalog, caller, conditions);
  const aliases = await aliasesIn(query, caller.workspaceId, checked);
  return compile({ resource, catalog, caller, aliases, bind }, checked, combinator);
}

/**
 * Rows as JSON texts in their order, each as the caller may see it. All rows are of one statement, so the first one tells the
 * version of the catalog.
 */
export async function presentAll(
  { query, catalogs }: Pick<Reading, "query" | "catalogs">,
  resource: RecordType,
  caller: Caller,
  rows: RecordRow[],
): Promise<string[]> {
  const [first] = rows;
  if (!first) return [];
  const catalog = await catalogs.atLeast(caller.workspaceId, Number(first.catalogVersion));
  return presentRows({ query, catalog, caller }, resource, rows);
}

/** Rows as JSON texts in their order, each as the caller may see it by this catalog. */
export async function presentRows(
  { query, catalog, caller }: { query: Query; catalog: Catalog; caller: Caller },
  resource: RecordType,
  rows: RecordRow[],
): Promise<string[]> {
  const view = { catalog, caller, named: await namesIn(query, catalog, rows) };
  return rows.map((row) => JSON.stringify(present(resource, row, view)));
}
