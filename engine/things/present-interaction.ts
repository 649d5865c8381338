import type { Caller } from "../../base/contract/caller.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { InteractionRow, StoredParticipant } from "./find-interaction.ts";

/** Dependencies of showing interactions: the viewer, the users, and the names of people among the participants. */
export interface InteractionView {
  caller: Caller;
  definitions: Definitions;
  /** The name of a person; undefined for one who is gone. */
  personName(uuid: Uuid): string | undefined;
}

type Participant = { type: string; value: string; name?: string; userId?: string };

/** An interaction as it is answered. docs/guides/interactions.md#fields */
export function presentInteraction(row: InteractionRow, view: InteractionView): Record<string, unknown> {
  const { interactionType, dateTime, privacyLevel, activityType, entityKind } = row;
  const hidden = hiddenFrom(row, view.caller);
  return {
    id: row.sourceId ?? toId("interaction", row.uuid),
    interactionType,
    ...participantsOf(row, view),
    ...(hidden.has("title") ? {} : { title: row.title }),
    content: contentOf(row, hidden),
    entity: { id: toId(entityKind, row.entityId), entityType: entityKind, fullName: row.entityName },
    dateTime: dateTime.toISOString(),
    privacyLevel,
    type: activityType,
    activityType,
  };
}

const HIDDEN = ["body", "description", "text", "summary", "transcript"];
const HIDDEN_OF_SENSITIVE = [...HIDDEN, "title", "subject", "snippet"];

/** Members that only the participants see. docs/guides/interactions.md#privacy */
function hiddenFrom({ privacyLevel, userIds }: InteractionRow, { userId }: Caller): Set<string> {
  if (privacyLevel === "full" || userIds.includes(userId)) return new Set();
  return new Set(privacyLevel === "sensitive" ? HIDDEN_OF_SENSITIVE : HIDDEN);
}

function contentOf({ participants, content, more }: InteractionRow, hidden: Set<string>): unknown {
  if (!participants) return content;
  const all = Object.entries({ ...(JSON.parse(content) as object), ...more });
  return Object.fromEntries(all.filter(([name]) => !hidden.has(name)));
}

function participantsOf(row: InteractionRow, view: InteractionView): Record<string, unknown> {
  if (!row.participants) return { from: loggedBy(row, view), to: loggedWith(row) };
  const { from, to } = row.participants;
  const [sender, ...recipients] = [from, ...to].map((one) => importedParticipant(one, view));
  return { from: sender, to: recipients[0] ?? sender, participants: [sender, ...recipients] };
}

/** The user who logged it. One who was removed has no name. */
function loggedBy({ userIds: [uuid] }: InteractionRow, { definitions }: InteractionView): Participant {
  const user = uuid && definitions.users.get(uuid);
  if (!user) return { type: "user", value: "" };
  return { type: "user", value: user.email, ...(!user.removed && { name: user.fullName }), userId: user.id };
}

function loggedWith({ entityKind, entityId, entityName }: InteractionRow): Participant {
  return { type: entityKind, value: toId(entityKind, entityId), name: entityName };
}

/** The name is that of the user or person with the address, else the one that came with it, else the address. */
function importedParticipant(
  { type, value, name, userId, personId }: StoredParticipant,
  view: InteractionView,
): Participant {
  const user = userId && view.definitions.users.get(userId);
  const known = user && !user.removed ? user.fullName : personId && view.personName(personId);
  return { type, value, name: known || name || value, ...(user && { userId: user.id }) };
}
