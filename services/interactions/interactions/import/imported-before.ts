import type { ImportedEmail, Participant } from "contact-workspace-readers/interaction";
import type { ImportedInteraction } from "../../../../engine/interactions/imported.ts";
import type { Writing } from "../../../../engine/records/draft.ts";
import type { StoredParticipant } from "../interactions.queries.ts";

interface Stored {
  id: string;
  dateTime: Date;
  privacyLevel: NonNullable<ImportedEmail["privacyLevel"]>;
  title: string | null;
  content: string;
  more: { body: string };
  participants: { from: StoredParticipant; to: StoredParticipant[] };
}

/**
 * Mails as they were imported before, by their ids; those that are new are missing. A mail never changes, but archives hold copies
 * of it that differ in the lines that servers and mailing lists add. docs/guides/import.md#archives-of-mails
 */
export async function asImportedBefore(
  { query, caller }: Writing,
  interactions: readonly ImportedInteraction[],
): Promise<Map<string, ImportedEmail>> {
  const rows = await query<Stored>(
    `select source_id as id, date_time as "dateTime", privacy_level as "privacyLevel", title, content, more, participants
     from interactions where workspace_id = $1 and source_id = any($2::text[]) and interaction_type = 'email'`,
    [caller.workspaceId, interactions.map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.id, mailOf(row)]));
}

function mailOf({ dateTime, title, content, more, participants, ...same }: Stored): ImportedEmail {
  return {
    ...same,
    interactionType: "email",
    dateTime: dateTime.toISOString(),
    ...(title !== null && { title }),
    content: { ...JSON.parse(content), ...more },
    from: withoutMatch(participants.from),
    to: participants.to.map(withoutMatch),
  };
}

/** A participant without the user or the person that the address belonged to then. */
function withoutMatch({ userId: _, personId: __, ...participant }: StoredParticipant): Participant {
  return participant;
}
