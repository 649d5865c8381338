import { newUuid, toId, type Uuid } from "../../base/values/ids.ts";
import { comparableEmail } from "../../base/values/text.ts";
import type { PublishedEvent } from "../../engine/feed/published.ts";
import type { Definitions, Group, Role, User } from "../../model/definitions/definitions.ts";
import type { EventBody, EventType } from "../../model/events.ts";

/** A user of definitions that are in no database. */
export function userOf(email: string, { removed = false }: { removed?: boolean } = {}): User {
  const uuid = newUuid();
  return { uuid, id: toId("user", uuid), email, fullName: email, role: "member", createdAt: "", removed };
}

/** A group with these members: private, unless it is told that it is public. */
export function groupOf(members: readonly [User, Role][], visibility: Group["visibility"] = "private"): Group {
  const uuid = newUuid();
  return {
    uuid,
    id: toId("group", uuid),
    name: "Group",
    visibility,
    members: new Map(members.map(([user, role]): [Uuid, Role] => [user.uuid, role])),
    objectTypes: [],
    fields: new Map(),
    fieldsByUuid: new Map(),
  };
}

/** An event of the workspace of definitions, as it is read from the log. */
export function eventOf(
  { workspaceId }: Definitions,
  type: EventType,
  body: EventBody = {},
  sight: PublishedEvent["sight"] = null,
): PublishedEvent {
  return { position: 1, workspaceId, id: newUuid(), type, recordId: newUuid(), body, sight };
}

export function definitionsOf(users: readonly User[], groups: readonly Group[]): Definitions {
  return {
    workspaceId: newUuid(),
    version: 1,
    users: new Map(users.map((user) => [user.uuid, user])),
    usersByEmail: new Map(users.filter(({ removed }) => !removed).map((user) => [comparableEmail(user.email), user])),
    groups: new Map(groups.map((group) => [group.uuid, group])),
  };
}
