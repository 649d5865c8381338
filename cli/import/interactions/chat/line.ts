/** Marks for the direction of writing, which telephones put around names and in front of what they write themselves. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A date and a time as telephones write them: in any order, with 12 or 24 hours, and blanks of several kinds. */
const WHEN = String.raw`(?<first>\d{1,4})(?<sign>[./-])\s?(?<second>\d{1,2})\k<sign>\s?(?<third>\d{1,4})\.?,?\s+(?<hour>\d{1,2})[:.](?<minute>\d\d)(?:[:.](?<seconds>\d\d))?(?:\s?(?<half>[ap])\.?\s?m\.?)?`;
/** `[31/12/2023, 22:15:01] Ada: …` of iPhones, and `31/12/2023, 22:15 - Ada: …` of Android. */
const FORMS = [new RegExp(String.raw`^\[${WHEN}\]\s?`, "i"), new RegExp(String.raw`^${WHEN}\s[-–]\s`, "i")];
const SENDER = /^(?<sender>[^:]{1,200}):(?:\s|$)/;

/** The numbers of a date in the order in which they stand, and the sign between them. */
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
  const bare = line.replace(/^[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/, "");
  const match = FORMS.map((form) => form.exec(bare)).find((found) => found !== null);
  if (!match?.groups) return null;
  const { first = "", second = "", third = "", sign = "" } = match.groups;
  const rest = bare.slice(match[0].length);
  const named = SENDER.exec(rest);
  const written = named ? rest.slice(named[0].length) : rest;
  return {
    date: { numbers: [first, second, third], sign },
    timeMs: timeOf(match.groups),
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

function timeOf({ hour = "", minute = "", seconds = "0", half = "" }: { [name: string]: string | undefined }): number {
  const isAfternoon = half.toLowerCase() === "p";
  const hours = half === "" || Number(hour) > 12 ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return ((hours * 60 + Number(minute)) * 60 + Number(seconds)) * 1000;
}
