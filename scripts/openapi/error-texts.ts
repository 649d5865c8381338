import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ERRORS, type ErrorCode } from "../../base/contract/errors.ts";

/** Text of an error code, as the guide tells it. */
export interface ErrorText {
  /** The error in a few words. */
  title: string;
  /** The constant part of the `error` of an answer with the code; undefined for an answer without a body. */
  example?: { message: string; details?: object };
}

const GUIDE = join(import.meta.dirname, "..", "..", "docs", "guides", "errors.md");
const ROW = /^\| (\d{3}) \| \[(\w+)\]\(#([\w-]+)\) \| (.+) \|$/gm;
const EXAMPLE = /^```json\n(.+?)^```$/gms;

/**
 * Texts of all error codes, out of the table and the examples of docs/guides/errors.md#codes.
 * @throws Error when the table of the guide has other codes, statuses or anchors than ERRORS
 */
export function readErrorTexts(): Record<ErrorCode, ErrorText> {
  const guide = readFileSync(GUIDE, "utf8");
  const rows = [...guide.matchAll(ROW)];
  const told = rows.map(([, status, code, anchor]) => `${code} ${status} ${anchor}`).sort();
  const known = Object.entries(ERRORS).map(([code, { status, anchor }]) => `${code} ${status} ${anchor}`);
  if (told.join() !== known.sort().join())
    throw new Error(`docs/guides/errors.md has other rows than the table of errors:\n${told.join("\n")}`);
  const examples = [...guide.matchAll(EXAMPLE)].map(([, text = ""]) => JSON.parse(text).error);
  const exampleOf = (code: string) => examples.find((example) => example.code === code);
  return Object.fromEntries(
    rows.map(([, , code = "", , title]) => [code, { title, example: exampleOf(code) }]),
  ) as Record<ErrorCode, ErrorText>;
}
