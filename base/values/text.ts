import { hash } from "node:crypto";
import { nfc } from "./nfc.ts";

/** Whether PostgreSQL and JSON can both hold this text: no NUL, no unpaired surrogate. docs/guides/values.md#text */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/** Message for a client about a text that is not plain; the message shows the text. docs/guides/values.md#text */
export function notPlain(text: string): string {
  return `The value ${JSON.stringify(text).slice(0, 100)} holds a NUL character or an unpaired surrogate`;
}

/** The form of a text, NFC, in which it is compared by code point. docs/guides/values.md#text */
export function comparable(text: string): string {
  return nfc(text);
}

/** `ᾂ` is one unit, and four when it is decomposed. No other character is more. */
const LONGER_TIMES_MAX = 4;

/**
 * Whether a text can equal one that has at most `max` units. One that cannot need not be normalized, which takes its
 * time for a text of megabytes.
 */
export function canEqual(text: string, max: number): boolean {
  return text.length <= max * LONGER_TIMES_MAX;
}

/**
 * Lower-case letters that Unicode's simple case folding counts as forms of another one: a sigma at the end of a word, a
 * long s. Lower case alone keeps them apart, and makes the first of a capital sigma or does not, depending on the
 * letters around it.
 */
const OTHER_FORMS = /\u0345|[\u00b5\u017f\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1c80-\u1c88\u1e9b]/g;

/**
 * The form of a text that `like` compares: NFC, in lower case, each letter in its usual form, and NFC again, because a
 * letter in lower case can become one with its mark where the capital could not. docs/guides/filters.md#like
 */
export function foldedText(text: string): string {
  const lower = comparable(text).toLowerCase();
  return comparable(lower.replaceAll(OTHER_FORMS, (form) => form.toUpperCase().toLowerCase()));
}

/**
 * A uuid that stands for a text in indexes. Equal texts have equal uuids, and a text too long for an index has one too.
 * @param key what is put before the text, to tell those of other keys apart. It needs no normalization, and ends with a
 *   NUL, which keeps it apart from the text.
 */
export function textItem(text: string, key = ""): string {
  const hex = hash("md5", key + comparable(text), "hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * The form of an e-mail address in which it is compared, without letter case: folded, since the lower case of a capital
 * sigma depends on the letters around it. docs/guides/values.md#text
 */
export function comparableEmail(email: string): string {
  return foldedText(email);
}
