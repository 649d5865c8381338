import type { CountryCode } from "libphonenumber-js/min";
import { type ImportedInteraction, importedIssues } from "../../../engine/interactions/imported.ts";
import { normalForm } from "../../../engine/interactions/normal-form.ts";
import { inWords } from "../../../tools/terminal/issue-words.ts";
import { type Line, linesOf } from "./lines.ts";
import type { Outcome, Read } from "./read.ts";

const MIB = 1024 * 1024;
/** docs/guides/import.md#lines-of-json */
const LINE_BYTES_MAX = 12 * MIB;

/** The interactions of a file that has one in each line. docs/guides/import.md#lines-of-json */
export async function* readNdjson(pieces: AsyncIterable<Buffer>, country?: CountryCode): AsyncGenerator<Read> {
  for await (const line of linesOf(pieces, LINE_BYTES_MAX)) {
    const outcome = readLine(line, country);
    if (outcome) yield { place: line.number, ...outcome };
  }
}

/** Null for a line of blanks. */
function readLine({ bytes, isTooLong }: Line, country: CountryCode | undefined): Outcome | null {
  if (isTooLong) return { refused: `The line has more than ${LINE_BYTES_MAX / MIB} MiB` };
  const value = parsed(bytes);
  if (value === undefined) return null;
  if ("refused" in value) return value;
  const [issue, ...more] = importedIssues(value.json);
  // The schema has found nothing wrong, so it is one.
  if (!issue) return { interaction: normalForm(value.json as ImportedInteraction, country) };
  const path = issue.path.join(".");
  const rest = more.length > 0 ? ` (and ${more.length} more)` : "";
  return { refused: `${wordsOf(issue)}${rest}`, ...(path !== "" && { path }) };
}

function wordsOf(issue: Parameters<typeof inWords>[0]): string {
  return issue.code === "unrecognized_keys" ? issue.message : inWords(issue);
}

function parsed(bytes: Buffer): { json: unknown } | { refused: string } | undefined {
  let text: string;
  try {
    // The decoder drops a byte order mark.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch {
    return { refused: "The line is not in UTF-8" };
  }
  if (text === "") return undefined;
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return { refused: `The line is not valid JSON: ${(error as Error).message.slice(0, 200)}` };
  }
}
