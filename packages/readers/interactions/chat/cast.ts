import type { CountryCode } from "libphonenumber-js/min";
import type { Participant } from "../interaction.ts";
import { eachOnce, participantKey } from "../participants.ts";
import { byNumber, nameKey, type People } from "./people.ts";
import type { Survey } from "./survey.ts";

/** Somebody of a chat who is known, and to whom his or her messages go. */
export interface Member {
  person: Participant;
  others: Participant[];
}

/** Everybody who takes part in a chat, as far as they are known. */
export interface Cast {
  /** Null for a name that nobody has told. */
  member(name: string): Member | null;
  /** What stays the same of the chat when it is exported again. */
  key: string[];
}

/**
 * Those who write in the chat, and those whom the map names, also when they write nothing. A chat of two is known by the two;
 * of a group nothing lasts, since people join and leave it and its name is changed.
 */
export function castOf({ senders }: Survey, people: People, country?: CountryCode): Cast {
  const writing = [...senders].flatMap(([key, { name }]) => {
    const person = people.get(key) ?? byNumber(name, country);
    return person ? [{ key, person }] : [];
  });
  const all = eachOnce([...writing.map(({ person }) => person), ...people.values()]);
  const members = new Map(
    writing.map(({ key, person }) => {
      const own = participantKey(person);
      return [key, { person, others: all.filter((other) => participantKey(other) !== own) }];
    }),
  );
  return {
    member: (name) => members.get(nameKey(name)) ?? null,
    key: all.length === 2 ? all.flatMap((one) => participantKey(one) ?? []).sort() : ["group"],
  };
}
