import { createHash } from "node:crypto";
import type { CountryCode } from "libphonenumber-js/min";
import { IMPORTED_BOUNDS, type ImportedWhatsapp, type Participant } from "../interaction.ts";
import { linesOf } from "../lines.ts";
import { eachOnce, participantKey } from "../participants.ts";
import { fitted, plain } from "../plain-text.ts";
import type { Outcome, Read } from "../read.ts";
import type { Source } from "../source.ts";
import { instantOf } from "../wall-time.ts";
import { type DateOrder, dayOf } from "./date-order.ts";
import { type MessageLine, messageLine, withoutMarks } from "./line.ts";
import { byNumber, nameKey, type People } from "./people.ts";
import { CHAT_LINE_BYTES_MAX, type Survey, surveyOf } from "./survey.ts";
import { isSystemMessage } from "./system-messages.ts";

export interface ChatOptions {
  /** IANA name of the time zone of the phone. */
  zone: string;
  /** The order of day, month and year, if it is not to be found out. */
  dates?: DateOrder | undefined;
  people: People;
  /** Country of phone numbers without a country code. */
  country?: CountryCode | undefined;
  onBytes?: ((bytes: number) => void) | undefined;
}

/** A message whose lines come one by one. */
interface Message {
  place: number;
  line: MessageLine;
  lines: string[];
  length: number;
}

/**
 * The messages of a chat exported from WhatsApp. The file is read twice, because only the whole of it shows the order
 * of its dates and the people who write in it. docs/guides/import-interactions.md#whatsapp-chats
 */
export async function* readChat(source: Source, options: ChatOptions): AsyncGenerator<Read> {
  const { onBytes = () => undefined } = options;
  const outcomeOf = createReader(await surveyOf(source, options.dates, onBytes), options);
  const pieces = source.pieces((bytes) => onBytes(source.bytes + bytes));
  let message: Message | null = null;
  for await (const { number, bytes } of linesOf(pieces, CHAT_LINE_BYTES_MAX)) {
    const text = bytes.toString("utf8");
    const line = messageLine(text);
    if (!line) {
      if (message) goOn(message, withoutMarks(text));
      continue;
    }
    if (message) yield { place: message.place, ...outcomeOf(message) };
    message = { place: number, line, lines: [line.text], length: line.text.length };
  }
  if (message) yield { place: message.place, ...outcomeOf(message) };
}

/** Adds a line to a message. Text beyond the maximum length is cut off later, so it is not kept. */
function goOn(message: Message, text: string): void {
  if (message.length <= IMPORTED_BOUNDS.text) message.lines.push(text);
  message.length += text.length + 1;
}

function createReader(survey: Survey, options: ChatOptions): (message: Message) => Outcome {
  const cast = castOf(survey, options.people, options.country);
  const idOf = createIds(cast);
  const told = new Set<string>();

  /** Reports the fault of a person once, however many messages that person has. */
  function once(name: string, reason: string): Outcome {
    if (told.has(name)) return { leftOut: "unmapped" };
    told.add(name);
    return { refused: reason };
  }

  return ({ line, lines }) => {
    const { text, isCut } = fitted(plain(lines.join("\n")).trim(), IMPORTED_BOUNDS.text);
    const sender = survey.senders.get(nameKey(line.sender ?? ""));
    if (line.sender === null || text === "" || isSystemMessage(line, sender)) return { leftOut: "systemMessages" };
    const day = dayOf(line.date, survey.order);
    if (day === null)
      return {
        refused: `"${line.date.numbers.join(line.date.sign)}" is not a date of the Gregorian or the Buddhist calendar`,
      };
    const member = cast.member(line.sender);
    if (!member) return once(line.sender, howToMap(line.sender, sender?.messages ?? 1));
    const { person: from, others: to } = member;
    const fault = faultOf(to);
    if (fault) return once(line.sender, fault);
    const dateTime = new Date(instantOf(day + line.timeMs, options.zone)).toISOString();
    const id = idOf(dateTime, from, text);
    const interaction: ImportedWhatsapp = { id, interactionType: "whatsapp", dateTime, content: { text }, from, to };
    return { interaction, ...(isCut && { isCut }) };
  };
}

function faultOf(to: Participant[]): string | null {
  if (to.length === 0) return "No other member of the chat is known. Name them in a file for --map";
  if (to.length <= IMPORTED_BOUNDS.recipients) return null;
  return `The chat has ${to.length + 1} people, more than ${IMPORTED_BOUNDS.recipients + 1}`;
}

function howToMap(name: string, messages: number): string {
  const count = messages === 1 ? "1 message" : `${messages} messages`;
  return `"${name}" is not a telephone number, so the sender is not known of ${count}. Write a line "${name}: +44…", or an e-mail address, into a file for --map`;
}

/**
 * Creates the ids of messages, in the order of the chat. A later export of the same chat begins with the same messages,
 * and they get the same ids. A number distinguishes equal messages of one person at one time.
 */
function createIds({ key }: Cast): (dateTime: string, from: Participant, text: string) => string {
  let last = "";
  let counts = new Map<string, number>();
  return (dateTime, from, text) => {
    if (dateTime !== last) counts = new Map();
    last = dateTime;
    const message = JSON.stringify([key, dateTime, participantKey(from), text]);
    const count = counts.get(message) ?? 0;
    counts.set(message, count + 1);
    return `sha256:${createHash("sha256").update(`${count} ${message}`).digest("hex")}`;
  };
}

/** A member of the chat who was matched with a participant. */
interface Member {
  person: Participant;
  others: Participant[];
}

/** All known members of a chat. */
interface Cast {
  /** Null for a name that the people file does not have. */
  member(name: string): Member | null;
  /** Parts of the chat that stay the same in a later export. */
  key: string[];
}

/**
 * Those who write in the chat, and those whom the map names, also when they write nothing. A chat of two is known by
 * the two; of a group nothing lasts, since people join and leave it and its name is changed.
 */
function castOf({ senders }: Survey, people: People, country?: CountryCode): Cast {
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
