import type { CountryCode } from "libphonenumber-js/min";
import type { Participant } from "../../../../lib/interactions/imported.ts";
import { eachOnce, participantKey } from "../../../../lib/interactions/participants.ts";
import { byNumber, nameKey, type People } from "./people.ts";
import type { Survey } from "./survey.ts";

/** Everybody who takes part in a chat, as far as they are known. */
export interface Cast {
  /** Who somebody is, null for a name that nobody has told. */
  person(name: string): Participant | null;
  others(person: Participant): Participant[];
  /** What stays the same of the chat when it is exported again. */
  key: string[];
}

/**
 * Those who write in the chat, and those whom the map names, also when they write nothing. A chat of two is known by the two;
 * of a group nothing lasts, since people join and leave it and its name is changed.
 */
export function castOf({ senders }: Survey, people: People, country?: CountryCode): Cast {
  const person = (name: string) => people.get(nameKey(name)) ?? byNumber(name, country);
  const writing = [...senders.values()].flatMap(({ name }) => person(name) ?? []);
  const all = eachOnce([...writing, ...people.values()]);
  return {
    person,
    others: (one) => all.filter((other) => participantKey(other) !== participantKey(one)),
    key: all.length === 2 ? all.flatMap((one) => participantKey(one) ?? []).sort() : ["group"],
  };
}
