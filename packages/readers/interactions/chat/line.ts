import { hourBeside } from "./day-periods.ts";

/** Marks for the direction of writing, which telephones put around names and before system messages. */
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const MARKS_IN_FRONT = new RegExp(`^(?:${MARKS.source})+`);

/** A blank or a mark; several of them can be between two parts of a date. */
const GAP = String.raw`[\s\u061c\u200e\u200f]`;
/** A word, or a few: "pm", "p. m.", "下午", "अपराह्न", "klo". */
const WORD = String.raw`\p{L}[\p{L}\p{M}.]{0,15}(?:\s[\p{L}\p{M}.]{1,15}){0,2}`;
/** `31/12/2023`, `31. 12. 2023`, `2023年12月31日`, with digits of any script. */
const DATE = String.raw`(?<first>\p{Nd}{1,4})${GAP}*(?<sign>[./-]|年|년)${GAP}*(?<second>\p{Nd}{1,2})${GAP}*(?:\k<sign>|月|월)${GAP}*(?<third>\p{Nd}{1,4})(?!\p{Nd})(?:日|일|\s?г)?\.?`;
/** `22:15:01`, `19.02`, `19 h 02`. */
const TIME = String.raw`(?<hour>\p{Nd}{1,2})\s?[:.h]\s?(?<minute>\p{Nd}{2})(?:\s?[:.]\s?(?<seconds>\p{Nd}{2}))?`;
/**
 * A date and a time as telephones write them: in any order, with 12 or 24 hours, with words between and behind them.
 */
const WHEN = `${DATE}[,،、，]?${GAP}*(?:(?<before>${WORD})${GAP}*)?${TIME}(?:${GAP}*(?<behind>${WORD}))?${GAP}*`;
/** `[31/12/2023, 22:15:01] Ada: …` of iPhones, `31/12/2023, 22:15 - Ada: …` of Android, and its form in Korean. */
const FORMS = [
  new RegExp(String.raw`^\[${WHEN}\]\s?`, "iu"),
  new RegExp(String.raw`^${WHEN}[-–]\s`, "iu"),
  new RegExp(String.raw`^(?=\p{Nd}{4}년)${WHEN},\s`, "iu"),
];
const SENDER = /^(?<sender>[^:]{1,200}):(?:\s|$)/;

/** The numbers of a date in their order, and the sign between them. */
export interface WrittenDate {
  numbers: [string, string, string];
  sign: string;
}

/** A line that begins a message. */
export interface MessageLine {
  date: WrittenDate;
  /** Milliseconds since midnight. */
  timeMs: number;
  /** Null for a line that the telephone has written, not a person. */
  sender: string | null;
  /** The first line of the text, without marks. */
  text: string;
  /** Whether the text begins with a mark, which those have that iPhones write themselves. */
  isMarked: boolean;
}

/** The beginning of a message, null for a line that goes on with the message before. */
export function messageLine(line: string): MessageLine | null {
  const bare = line.replace(MARKS_IN_FRONT, "");
  const match = FORMS.map((form) => form.exec(bare)).find((found) => found !== null);
  if (!match?.groups) return null;
  const timeMs = timeOf(match.groups);
  if (timeMs === null) return null;
  const { first = "", second = "", third = "", sign = "" } = match.groups;
  const rest = bare.slice(match[0].length);
  const named = SENDER.exec(rest);
  const written = named ? rest.slice(named[0].length) : rest;
  return {
    date: { numbers: [inAscii(first), inAscii(second), inAscii(third)], sign },
    timeMs,
    sender: named?.groups?.sender === undefined ? null : nameOf(named.groups.sender),
    text: withoutMarks(written),
    isMarked: withoutMarks(written.slice(0, 1)) === "" && written !== "",
  };
}

export function withoutMarks(text: string): string {
  return text.replaceAll(MARKS, "");
}

/** A name as it is shown: contacts that the telephone does not have stand behind a tilde. */
export function nameOf(text: string): string {
  return withoutMarks(text).replaceAll(/\s+/g, " ").trim().replace(/^~ ?/, "");
}

/**
 * Milliseconds since midnight. A word before the time can be the half of the day or any other word, such as "klo"; a
 * word behind it is the half of the day. Null if the word behind is not: the line is then part of a message.
 */
function timeOf({ hour = "", minute = "", seconds = "0", before = "", behind = "" }: Groups): number | null {
  const told = Number(inAscii(hour));
  const beside = [behind, before].map((word) => (word === "" ? null : hourBeside(word, told)));
  if (behind !== "" && beside[0] === null) return null;
  const hours = told > 12 ? told : (beside[0] ?? beside[1] ?? told);
  return ((hours * 60 + Number(inAscii(minute))) * 60 + Number(inAscii(seconds))) * 1000;
}

interface Groups {
  [name: string]: string | undefined;
}

const DIGIT = /\p{Nd}/u;

/**
 * A number with its digits in ASCII. The digits of a script stand in one row of ten, so a digit is as many as precede
 * it.
 */
function inAscii(digits: string): string {
  return Array.from(digits, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let preceding = 0;
    while (DIGIT.test(String.fromCodePoint(code - preceding - 1))) preceding += 1;
    return preceding % 10;
  }).join("");
}
