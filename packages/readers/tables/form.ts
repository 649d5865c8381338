import { messageLine } from "../interactions/chat/line.ts";
import { ReadError } from "../read-error.ts";
import type { Input } from "./input.ts";

/** The kinds of files that hold records. docs/guides/import-files.md#what-files-are-read */
export type Form = "csv" | "xlsx" | "vcard";

/** Enough to see how a file begins. */
const SAMPLE_BYTES = 4096;

const PACKED = ["1f8b", "425a68", "fd377a585a", "377abcaf", "52617221", "28b52ffd"].map((hex) =>
  Buffer.from(hex, "hex"),
);
export const PACKED_TOLD = "is packed: unpack it, and import the file in it";

/** Whether a file is packed by gzip, bzip2, xz, 7-Zip, RAR or Zstandard. */
export function isPacked(sample: Buffer): boolean {
  return PACKED.some((bytes) => startsWith(sample, bytes));
}

/** First bytes of files of other formats, and advice for their user. */
const OTHER_BYTES: { begins: Buffer; told: string }[] = [
  {
    begins: Buffer.from("d0cf11e0", "hex"),
    told: "is an Excel file of the old kind (.xls), or has a password: open it, save it as .xlsx without one, and import that",
  },
  ...PACKED.map((begins) => ({ begins, told: PACKED_TOLD })),
  ...["89504e47", "ffd8ff", "47494638"].map((hex) => ({
    begins: Buffer.from(hex, "hex"),
    told: "is a picture: import reads CSV files, Excel sheets (.xlsx) and vCards",
  })),
  { begins: Buffer.from("%PDF"), told: "is a PDF: export the records as CSV instead" },
];

/** The same of texts, in lower case. */
const OTHER_TEXTS: { begins: RegExp; told: string }[] = [
  { begins: /^begin:vcalendar/, told: "is a calendar: import interactions reads those" },
  { begins: /^from \S[^\n]*\d{4}\s/, told: "is an archive of mails: import interactions reads those" },
  { begins: /^\{[\s\S]*?"interactiontype"/, told: "holds interactions: import interactions reads those" },
  {
    begins: /^(?:<!doctype html|<html|<table)/,
    told: "is a web page, even if its name says something else: open it in a spreadsheet, save it as .xlsx or CSV, and import that",
  },
  { begins: /^<\?xml/, told: "is XML: save it as .xlsx or CSV, and import that" },
  { begins: /^(?:\[\s*)?\{\s*"/, told: "is JSON: convert it to CSV, or write its records with the API" },
];

const ZIP = Buffer.from("PK");

/**
 * The kind of a file by its beginning; its name does not count.
 * @throws ReadError with advice for a file of another kind
 */
export function formOf(input: Input): Form {
  const sample = input.sample(SAMPLE_BYTES);
  const text = textIn(sample);
  if (text.startsWith("begin:vcard")) return "vcard";
  const isZip = startsWith(sample, ZIP) && (sample[2] ?? 0) < 10;
  if (isZip && isWorkbook(sample)) return "xlsx";
  const told = isZip
    ? archiveTold(sample)
    : (
        OTHER_BYTES.find(({ begins }) => startsWith(sample, begins)) ??
        OTHER_TEXTS.find(({ begins }) => begins.test(text))
      )?.told;
  if (told !== undefined) throw new ReadError(`${input.name} ${told}.`);
  if (isChat(sample)) throw new ReadError(`${input.name} is a chat: import interactions reads those.`);
  return "csv";
}

/** Rows of a table begin with a time less often than messages do: most lines have to be such. */
function isChat(sample: Buffer): boolean {
  const lines = sample.toString("utf8").split("\n").slice(0, 20);
  return lines.filter((line) => messageLine(line) !== null).length * 2 > lines.length;
}

function startsWith(sample: Buffer, bytes: Buffer): boolean {
  return sample.subarray(0, bytes.length).equals(bytes);
}

/** Without byte order mark, the zeros of UTF-16 and blanks, in lower case. */
function textIn(sample: Buffer): string {
  return sample
    .toString("latin1")
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .trimStart()
    .toLowerCase();
}

/** The parts of the archive can have any order, but one of the first belongs to an Excel workbook. */
function isWorkbook(sample: Buffer): boolean {
  return /\[Content_Types\]\.xml|_rels\/|docProps\/|xl\//.test(sample.toString("latin1"));
}

function archiveTold(sample: Buffer): string {
  if (/WhatsApp|_chat\.txt/.test(sample.toString("latin1")))
    return "is an archive of a chat: import interactions reads those";
  return sample.includes("application/vnd.oasis.opendocument")
    ? "is a sheet of LibreOffice (.ods): save it as .xlsx or CSV, and import that"
    : "is an archive: unpack it, and import the CSV file in it";
}
