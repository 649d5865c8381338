import { extname } from "node:path";
import { ReadError } from "../read-error.ts";
import { isPacked, PACKED_TOLD } from "../tables/form.ts";
import { messageLine } from "./chat/line.ts";
import { fitted } from "./plain-text.ts";

/** The files that an import of interactions takes. docs/guides/import-interactions.md */
export const FORMS = {
  ndjson: { unit: "line", told: "interactions in NDJSON (.ndjson, .jsonl), one JSON object in each line" },
  mbox: { unit: "mail", told: "an archive of mails (.mbox), as Google Takeout and Thunderbird write it" },
  calendar: { unit: "event", told: "a calendar (.ics)" },
  chat: { unit: "line", told: "an exported WhatsApp chat (.txt, or the .zip that the telephone makes)" },
  zip: { unit: "line", told: "" },
} as const;
export type Form = keyof typeof FORMS;

/** Length of the part of the first line that a message shows. */
const LINE_SHOWN_LENGTH = 100;

/** Enough to see how a file begins. */
export const SAMPLE_BYTES = 64 * 1024;

/**
 * The form of a file by its beginning. The name decides only if the beginning does not.
 * @throws ReadError that lists the forms, if the file has none of them
 */
export function formOf(name: string, sample: Buffer): Form {
  if (sample.length === 0) throw new ReadError(`${name} is empty.`);
  const form = byContent(sample) ?? byName(name);
  if (form) return form;
  if (isPacked(sample)) throw new ReadError(`${name} ${PACKED_TOLD}.`);
  const forms = Object.values(FORMS).flatMap(({ told }) => (told === "" ? [] : [told]));
  throw new ReadError(
    `${name} is not a file of interactions${beginning(sample)}. There are: ${forms.join("; ")}. Files of records go to import people, import companies or import and the name of an object type.`,
  );
}

/** The first line of a text and what a chat would have in its place; nothing of a file that is no text. */
function beginning(sample: Buffer): string {
  if (sample.includes(0)) return "";
  const [line = ""] = sample
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart()
    .split(/\r\n|\r|\n/, 1);
  const shown = JSON.stringify(fitted(line, LINE_SHOWN_LENGTH).text);
  return `: its first line is ${shown}, and that of a chat has a date, a time and a name, such as "[31/12/2023, 22:15:01] Ada: Hello" or "31/12/2023, 22:15 - Ada: Hello"`;
}

function byContent(sample: Buffer): Form | null {
  if (sample.subarray(0, ZIP.length).equals(ZIP)) return "zip";
  const text = sample
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();
  if (/^BEGIN:VCALENDAR\s/i.test(text)) return "calendar";
  if (/^From \S/.test(text)) return "mbox";
  if (text.startsWith("{")) return "ndjson";
  return text.split("\n").some((line) => messageLine(line) !== null) ? "chat" : null;
}

const ZIP = Buffer.from("PK\u0003\u0004");

function byName(name: string): Form | null {
  return [".ndjson", ".jsonl"].includes(extname(name).toLowerCase()) ? "ndjson" : null;
}
