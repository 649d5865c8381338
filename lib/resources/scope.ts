import type { EntityKey, Group } from "../catalog/catalog.ts";
import type { Binder } from "../database/binder.ts";

/**
 * Which records a request is about. People and companies belong to the workspace; objects are of one type in one group,
 * and addressed with another they do not exist. API document, "Object".
 */
export interface Scope {
  /** Whose custom fields count: person, company, or the uuid of an object type. */
  entity: EntityKey;
  /** The group that objects live in. */
  home: Group | null;
}

/** The condition on `r` that keeps a statement within its scope: empty, or one that begins with `and`. */
export function within({ entity, home }: Scope, bind: Binder): string {
  return home ? ` and r.object_type_id = ${bind(entity)}` : "";
}
