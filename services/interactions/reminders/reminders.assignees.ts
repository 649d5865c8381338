import { custom, type Issue } from "../../../base/contract/issues.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import type { TaskRow } from "../../../model/resources/task-row.ts";

interface Sent {
  /** New visibility of the reminder; undefined when it was not sent. */
  visibility: "public" | "private" | undefined;
  /** Undefined when none were sent. */
  assigned: Uuid[] | undefined;
}

/**
 * The users who are reminded after a write; undefined when it leaves them as they are. A public reminder has assignees,
 * a private one is for the caller. docs/guides/reminders.md#public-and-private
 * @param current null for a reminder to be made
 * @param issues takes assignees that are missing, or too many
 */
export function assigneesAfter(
  { visibility, assigned }: Sent,
  current: TaskRow | null,
  { userId, definitions }: { userId: Uuid; definitions: Definitions },
  issues: Issue[],
): Uuid[] | undefined {
  const wasPublic = current?.isPublic ?? false;
  const isPublic = visibility === undefined ? wasPublic : visibility === "public";
  if (!isPublic) {
    if (assigned && assigned.length > 0) issues.push(custom(["assignedUsers"], REFUSED));
    return current === null || wasPublic ? [userId] : undefined;
  }
  const present = (current?.assignedUserIds ?? []).filter((uuid) => definitions.users.get(uuid)?.removed === false);
  if ((assigned ?? present).length === 0) issues.push(custom(["assignedUsers"], REQUIRED));
  return assigned;
}

const REQUIRED = "A public reminder needs 1 to 50 assignedUsers";
const REFUSED = "A private reminder reminds its creator: leave out assignedUsers, or send an empty list";
