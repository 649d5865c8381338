import type { Participant } from "contact-workspace-readers/interaction";
import { participantKey } from "contact-workspace-readers/participants";
import type { Uuid } from "../../../../base/values/ids.ts";
import type { ImportedInteraction } from "../../../../engine/interactions/imported.ts";
import type { StoredParticipant } from "../../../../engine/things/find-interaction.ts";
import { everybody, type Matches } from "./match.ts";

/**
 * An imported interaction as it is stored, by the columns of its table, and the people that it is with, in their order.
 */
export interface ImportedRow {
  source_id: string;
  interaction_type: string;
  date_time: Date;
  privacy_level: string;
  title: string | null;
  /** JSON of what lists show. */
  content: string;
  more: object | null;
  participants: { from: StoredParticipant; to: StoredParticipant[] };
  user_ids: Uuid[];
  people: Uuid[];
}

/** Row of an interaction with these participants. It is in the normal form. */
export function rowOf(interaction: ImportedInteraction, matches: Matches): ImportedRow {
  const { from, to } = interaction;
  const found = everybody(interaction).flatMap((one) => matches.get(participantKey(one) ?? "") ?? []);
  const { content, more } = partsOf(interaction);
  return {
    source_id: interaction.id,
    interaction_type: interaction.interactionType,
    date_time: new Date(interaction.dateTime),
    privacy_level: interaction.privacyLevel ?? "full",
    title: interaction.title ?? null,
    content: JSON.stringify(content),
    more,
    participants: { from: stored(from, matches), to: to.map((one) => stored(one, matches)) },
    user_ids: unique(found.flatMap((match) => ("userId" in match ? match.userId : []))),
    people: unique(found.flatMap((match) => ("personIds" in match ? match.personIds : []))),
  };
}

/**
 * Parts of an interaction that lists show, and parts that only a single read shows.
 * docs/guides/interactions.md#imported-content
 */
function partsOf({ interactionType, content }: ImportedInteraction): { content: object; more: object | null } {
  switch (interactionType) {
    case "email": {
      const { body, ...shown } = content;
      return { content: shown, more: { body } };
    }
    case "call": {
      const { transcript, ...shown } = content;
      return { content: shown, more: { transcript } };
    }
    default:
      return { content, more: null };
  }
}

function stored({ type, value, name }: Participant, matches: Matches): StoredParticipant {
  const match = matches.get(participantKey({ type, value }) ?? "");
  const [personId] = match && "personIds" in match ? match.personIds : [];
  return {
    type,
    value,
    ...(name !== undefined && name !== "" && { name }),
    ...(match && "userId" in match && { userId: match.userId }),
    ...(personId !== undefined && { personId }),
  };
}

function unique(uuids: Uuid[]): Uuid[] {
  return [...new Set(uuids)];
}
