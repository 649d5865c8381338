import type { Caller } from "../base/contract/caller.ts";
import type { TSchema } from "../base/contract/schema.ts";
import type { Kept } from "../engine/changes/log-reads.ts";
import type { Store } from "../engine/store/store.ts";
import type { Definitions } from "../model/definitions/definitions.ts";
import type { RecordType } from "../model/resources/record-type.ts";
import type { Scope } from "../model/resources/scope.ts";
import type { PathParams } from "./path.ts";

/** Place of records in the path, for kinds that do not belong to the whole workspace: objects belong to a group. */
export interface Scoping {
  path: Record<string, TSchema>;
  /**
   * The scope that the parameters name.
   * @throws ApiError 404 when the caller sees no such place
   */
  resolve(params: PathParams, definitions: Definitions, caller: Caller): Scope;
}

/** A type of record, and its place in the path. */
export interface ScopedType {
  resource: RecordType;
  scoping?: Scoping;
}

/** A kind of record, with everything that its actions need. */
export interface Records extends ScopedType {
  store: Store;
  /** Time for which history and trash are kept: the settings of the process. */
  kept: Kept;
}

/**
 * The scope of a request: the part that its path names, or the whole workspace.
 * @throws ApiError 404 when the caller cannot see it
 */
export function scopeIn(
  { resource, scoping }: ScopedType,
  definitions: Definitions,
  caller: Caller,
  params: PathParams,
): Scope {
  return scoping ? scoping.resolve(params, definitions, caller) : { entity: resource.kind, homeGroup: null };
}

/**
 * The scope of a read. A kind without scoping needs no definitions before its records have been read, so it waits for
 * none.
 */
export async function scopeOfRead(records: Records, caller: Caller, params: PathParams): Promise<Scope> {
  if (!records.scoping) return { entity: records.resource.kind, homeGroup: null };
  return scopeIn(records, await records.store.definitionsCache.current(caller.workspaceId), caller, params);
}
