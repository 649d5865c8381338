import { byId, type Uuid } from "../../base/values/ids.ts";
import { canEqual, comparableEmail } from "../../base/values/text.ts";
import { EMAIL_LENGTH_MAX } from "../../config/limits.ts";
import type { Definitions, User } from "./definitions.ts";

/** A user as answers show it. docs/guides/access.md#users */
export function presentUser(user: User): { id: string; fullName: string; email: string } {
  return { id: user.id, fullName: user.fullName, email: user.email };
}

/** The user with this uuid as custom values show them; undefined for one who was removed. */
export function shownUser(definitions: Definitions, uuid: Uuid): ReturnType<typeof presentUser> | undefined {
  const user = definitions.users.get(uuid);
  return user && !user.removed ? presentUser(user) : undefined;
}

/** Whether a user is shown in answers with this name and this address. */
export function isShownAs(user: User, { fullName, email }: { fullName?: unknown; email: string }): boolean {
  return (
    typeof fullName === "string" &&
    canEqual(email, EMAIL_LENGTH_MAX) &&
    comparableEmail(email) === comparableEmail(user.email) &&
    fullName === user.fullName
  );
}

/** The user whom `{ id }` or `{ email }` names; undefined for one who was removed. docs/guides/values.md#text */
export function findUser(
  definitions: Definitions,
  reference: { id?: string | undefined; email?: string | undefined },
): User | undefined {
  const { id, email = "" } = reference;
  if (id === undefined)
    return canEqual(email, EMAIL_LENGTH_MAX) ? definitions.usersByEmail.get(comparableEmail(email)) : undefined;
  const user = byId(definitions.users, "user", id);
  return user?.removed ? undefined : user;
}
