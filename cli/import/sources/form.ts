import { CommandError } from "../../admin.ts";
import type { Input } from "./input.ts";

/** The kinds of files that hold records. docs/guides/import.md#what-files-are-read */
export type Form = "csv" | "xlsx" | "vcard";

/** Enough to see how a file begins. */
const SAMPLE_BYTES = 4096;

/** How a file begins that is something else, and what its user can do. Texts are in lower case. */
const OTHERS: { begins: RegExp; told: string }[] = [
  {
    begins: /^\xd0\xcf\x11\xe0/i,
    told: "is an Excel file of the old kind (.xls), or has a password: open it, save it as .xlsx without one, and import that",
  },
  {
    begins: /^pk\x03\x04.{26}mimetypeapplication\/vnd\.oasis\.opendocument/s,
    told: "is a sheet of LibreOffice (.ods): save it as .xlsx or CSV, and import that",
  },
  {
    begins: /^pk[\x03\x05]/,
    told: "is an archive: unpack it, and import the CSV file in it",
  },
  {
    begins: /^(?:\x1f\x8b|bzh|\xfd7zxz|7z\xbc\xaf|rar!|(?:\x28\xb5\x2f\xfd))/i,
    told: "is packed: unpack it, and import the file in it",
  },
  { begins: /^%pdf/, told: "is a PDF: export the records as CSV instead" },
  { begins: /^begin:vcalendar/, told: "is a calendar: import interactions reads those" },
  {
    begins: /^(?:<!doctype html|<html|<table)/,
    told: "is a web page, even if its name says something else: open it in a spreadsheet, save it as .xlsx or CSV, and import that",
  },
  { begins: /^<\?xml/, told: "is XML: save it as .xlsx or CSV, and import that" },
  { begins: /^(?:\[\s*)?\{\s*"/, told: "is JSON: convert it to CSV, or write its records with the API" },
];

/**
 * The kind of a file, by how it begins; its name does not count.
 * @throws CommandError that says what to do with a file that is none of them
 */
export function formOf(input: Input): Form {
  const sample = input.sample(SAMPLE_BYTES);
  const text = beginningOf(sample);
  if (/^begin:vcard/.test(text)) return "vcard";
  if (text.startsWith("pk\x03\x04") && isWorkbook(sample)) return "xlsx";
  const other = OTHERS.find(({ begins }) => begins.test(text));
  if (other) throw new CommandError(`${input.name} ${other.told}.`);
  return "csv";
}

/** Without byte order mark, the zeros of UTF-16 and blanks, in lower case. */
function beginningOf(sample: Buffer): string {
  const text = sample.toString("latin1").toLowerCase();
  if (text.startsWith("pk")) return text;
  return text
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/i, "")
    .replaceAll("\0", "")
    .trimStart();
}

/** Whatever the order of its parts, one of the first in the archive is of an Excel workbook. */
function isWorkbook(sample: Buffer): boolean {
  return /\[Content_Types\]\.xml|_rels\/|docProps\/|xl\//.test(sample.toString("latin1"));
}
