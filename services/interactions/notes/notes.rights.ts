import type { Uuid } from "../../../base/values/ids.ts";
import type { Row, Viewing } from "../../../model/resources/resource.ts";

/** Why a caller may not change a note that they see: only its author may, and admins of the workspace. docs/guides/notes.md#who-sees-what */
export function refuseUnlessAuthor({ createdBy }: Row, { caller, catalog }: Viewing): string | null {
  const isAdmin = catalog.users.get(caller.userId)?.role === "admin";
  return createdBy === caller.userId || isAdmin
    ? null
    : "Only the author of a note and admins of the workspace may change or delete it.";
}

/** The only reader of a private note, its author; undefined for a public one. docs/guides/notes.md#who-sees-what */
export function readersOf({ visibility, createdBy }: Row): Uuid[] | undefined {
  return visibility === "private" ? [createdBy as Uuid] : undefined;
}
