import type { Catalog } from "../lib/catalog/catalog.ts";
import type { Caller } from "../lib/contract/caller.ts";
import { notFound } from "../lib/contract/errors.ts";
import type { TSchema } from "../lib/contract/schema.ts";
import type { Writing } from "../lib/records/draft.ts";
import type { RecordRow } from "../lib/records/select.ts";
import { lockRows } from "../lib/records/write.ts";
import type { RecordType } from "../lib/resources/record-type.ts";
import type { Scope } from "../lib/resources/scope.ts";
import type { Store } from "../lib/store/store.ts";
import { uuidOf } from "../lib/values/ids.ts";

/** Where records of a kind live, when that is not simply the workspace: further parameters of the path and what they mean. */
export interface Scoping {
  path: Record<string, TSchema>;
  /** @throws ApiError 404 */
  resolve(params: PathParams, catalog: Catalog, caller: Caller): Scope;
}

/** A kind of record as its actions need it. */
export interface Records {
  resource: RecordType;
  store: Store;
  scoping?: Scoping;
}

export type PathParams = Record<string, string>;

/** The word for one of them in messages. */
export function wordFor({ title }: RecordType): string {
  return title.toLowerCase();
}

/** The scope of a request: that of its path, or the whole workspace. */
export function scopeIn({ resource, scoping }: Records, catalog: Catalog, caller: Caller, params: PathParams): Scope {
  return scoping ? scoping.resolve(params, catalog, caller) : { entity: resource.kind, home: null };
}

/** The scope of a read. Without a scoping no catalog is needed before the records are there. */
export async function scopeOfRead(records: Records, caller: Caller, params: PathParams): Promise<Scope> {
  if (!records.scoping) return { entity: records.resource.kind, home: null };
  return scopeIn(records, await records.store.catalogs.current(caller.workspaceId), caller, params);
}

/** The id in the path. */
export function idIn({ resource }: Records, params: PathParams): string {
  return params[`${resource.kind}Id`] ?? "";
}

/** The row of the id in the path, locked; 404 when there is none in the scope. */
export async function lockOne(
  records: Records,
  writing: Writing,
  scope: Scope,
  params: PathParams,
): Promise<RecordRow> {
  const id = idIn(records, params);
  const uuid = uuidOf(records.resource.kind, id);
  const row = uuid && (await lockRows(writing, records.resource, scope, [uuid])).get(uuid);
  if (!row) throw notFound(wordFor(records.resource), id);
  return row;
}
