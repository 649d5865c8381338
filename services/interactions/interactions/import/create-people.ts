import type { Participant } from "contact-workspace-readers/interaction";
import { participantKey } from "contact-workspace-readers/participants";
import { issuesOf } from "../../../../base/contract/validate.ts";
import type { Draft, Writing } from "../../../../engine/records/draft.ts";
import { writeDrafts } from "../../../../engine/records/write.ts";
import { people } from "../../../../model/resources/people.ts";
import type { Matches } from "./match.ts";

/**
 * Makes people of participants who are nobody in the workspace yet, and adds them to the matches. Whose address is none, or longer
 * than a person's may be, stays nobody. docs/guides/import.md#who-took-part
 */
export async function createPeople(writing: Writing, participants: Participant[], matches: Matches): Promise<void> {
  const wanted = participants.flatMap((participant) => {
    const key = participantKey(participant);
    const { type, value, name = "" } = participant;
    const address = type === "email" ? { emails: [value] } : { phones: [value] };
    const sent = { ...address, ...(name !== "" && { fullName: name }) };
    return key !== null && issuesOf(people.createBody, sent).length === 0 ? [{ key, sent }] : [];
  });
  const drafts = wanted.map(
    ({ sent }): Draft => ({ at: [], sent, current: null, scope: { entity: "person", home: null }, groups: "add" }),
  );
  for (const [i, written] of (await writeDrafts(writing, people, drafts)).entries()) {
    const key = wanted[i]?.key;
    if (key !== undefined && "row" in written) matches.set(key, { personIds: [written.row.uuid] });
  }
}
