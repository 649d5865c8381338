import { type Catalogs, type Query } from "../catalog.ts";
import type { Caller } from "../caller.ts";
import type { Resource } from "../resource.ts";
import { namesIn } from "./names.ts";
import { present } from "./present.ts";
import { type RecordRow, selectOf } from "./select.ts";

/** What reads need: a way to run statements, and the catalogs of the process. */
export interface Reading {
  query: Query;
  catalogs: Catalogs;
}

/** One record as JSON text, or null when the caller's workspace has none of this uuid. One statement. */
export async function readRecord({ query, catalogs }: Reading, resource: Resource, caller: Caller, uuid: string): Promise<string | null> {
  const rows = await query<RecordRow>(`${selectOf(resource)} and r.id = $2`, [caller.workspaceId, uuid]);
  const [text] = await presentAll({ query, catalogs }, resource, caller, rows);
  return text ?? null;
}

/**
 * A page of records in order of creation, after the record `after` when given. `items` is the JSON text of their list,
 * `next` the uuid after which the next page begins, null on the last.
 */
export async function listRecords(
  { query, catalogs }: Reading,
  resource: Resource,
  caller: Caller,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<Page> {
  const keyset = after === undefined ? "" : " and r.id > $3";
  const values = [caller.workspaceId, limit + 1, ...(after === undefined ? [] : [after])];
  const rows = await query<RecordRow>(`${selectOf(resource)}${keyset} order by r.workspace_id, r.id limit $2`, values);
  const page = rows.slice(0, limit);
  const texts = await presentAll({ query, catalogs }, resource, caller, page);
  return { items: `[${texts.join(",")}]`, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** A page of a list: the JSON text of its items, and the position after which the next page begins, null on the last. */
export interface Page {
  items: string;
  next: string | null;
}

/** Rows as JSON texts, in their order, each as the caller may see it. */
export async function presentAll({ query, catalogs }: Reading, resource: Resource, caller: Caller, rows: RecordRow[]): Promise<string[]> {
  const [first] = rows;
  if (!first) return [];
  const catalog = await catalogs.atLeast(caller.workspaceId, Number(first.catalogVersion));
  const view = { catalog, caller, named: await namesIn(query, catalog, rows) };
  return rows.map((row) => JSON.stringify(present(resource, row, view)));
}
