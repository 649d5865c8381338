import type { Binder } from "../../database/binder.ts";
import type { EntityKey, Group } from "../definitions/definitions.ts";

/**
 * Which records a request is about. People and companies belong to the workspace; objects are of one type in one group,
 * and addressed with another they do not exist. docs/guides/objects.md#types-and-groups
 */
export interface Scope {
  /** Entity type the custom fields belong to: person, company, or the uuid of an object type. */
  entity: EntityKey;
  /** The group of the objects; null for people and companies. */
  homeGroup: Group | null;
}

/** SQL that keeps a statement on records `r` within its scope: a condition that begins with `and`, or nothing. */
export function within({ entity, homeGroup }: Scope, bind: Binder): string {
  return homeGroup ? ` and r.object_type_id = ${bind(entity)}` : "";
}
