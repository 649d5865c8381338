import type { Participant } from "contact-workspace-readers/interaction";
import { participantKey } from "contact-workspace-readers/participants";
import type { Uuid } from "../../../../base/values/ids.ts";
import type { ImportedInteraction } from "../../../../engine/interactions/imported.ts";
import { dialledForms } from "../../../../engine/interactions/phone-numbers.ts";
import type { WriteContext } from "../../../../engine/records/draft.ts";
import { peopleByEmail, peopleByPhone } from "../../../../engine/records/find-by-address.ts";
import type { Definitions } from "../../../../model/definitions/definitions.ts";

/** Owners of an address: a user of the workspace, or people. Several people can share an address. */
export type Match = { userId: Uuid } | { personIds: Uuid[] };

/** Address, as `participantKey` makes it → its owners; addresses without any are missing. */
export type Matches = Map<string, Match>;

const EMAIL = "email:";
const PHONE = "phone:+";

/** All participants of an interaction: the one who began it, then the others. */
export function everybody({ from, to }: Pick<ImportedInteraction, "from" | "to">): Participant[] {
  return [from, ...to];
}

/**
 * Finds users and people by the addresses of participants. An address of a user is not looked for among people: what
 * users write to each other is with nobody else. docs/guides/import-interactions.md#who-took-part
 */
export async function findMatches(
  writing: WriteContext,
  participants: Participant[],
  country?: Country,
): Promise<Matches> {
  const keys = new Set(participants.flatMap((one) => participantKey(one) ?? []));
  const matches: Matches = new Map();
  for (const key of keys) {
    const user = userOf(writing.definitions, key);
    if (user) matches.set(key, { userId: user });
  }
  const open = [...keys].filter((key) => !matches.has(key));
  const addresses = open.flatMap((key) => (key.startsWith(EMAIL) ? key.slice(EMAIL.length) : []));
  for (const [address, personIds] of await peopleByEmail(writing, addresses))
    matches.set(EMAIL + address, { personIds });
  const forms = new Map(
    open.filter((key) => key.startsWith(PHONE)).map((key) => [key, dialledForms(key.slice("phone:".length), country)]),
  );
  const byDigits = await peopleByPhone(writing, [...new Set([...forms.values()].flat())]);
  for (const [key, digits] of forms) {
    const personIds = [...new Set(digits.flatMap((one) => byDigits.get(one) ?? []))];
    if (personIds.length > 0) matches.set(key, { personIds });
  }
  return matches;
}

type Country = Parameters<typeof dialledForms>[1];

function userOf({ usersByEmail }: Definitions, key: string): Uuid | undefined {
  return key.startsWith(EMAIL) ? usersByEmail.get(key.slice(EMAIL.length))?.uuid : undefined;
}
