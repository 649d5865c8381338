import { hash } from "node:crypto";
import { nfc } from "./nfc.ts";

/** Whether PostgreSQL and JSON can both hold this text: no NUL, no unpaired surrogate. gaps 2, "Text". */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/** What a client is told of a text that is not plain; names it. gaps 2, "Text". */
export function notPlain(text: string): string {
  return `The value ${JSON.stringify(text).slice(0, 100)} holds a NUL character or an unpaired surrogate`;
}

/** Texts are compared by code point after this. gaps 2, "Text". */
export function comparable(text: string): string {
  return nfc(text);
}

/** `ᾂ` is one unit, and four when it is decomposed. No other character is more. */
const LONGER_TIMES_MAX = 4;

/**
 * Whether a text can equal one that has at most `max` units. One that cannot need not be normalized, which takes its time
 * for a text of megabytes.
 */
export function canEqual(text: string, max: number): boolean {
  return text.length <= max * LONGER_TIMES_MAX;
}

/** What "like" compares: Unicode lower case after NFC, whatever the database's locale. gaps 2, "Filters". */
export function foldedText(text: string): string {
  return comparable(text).toLowerCase();
}

/** A uuid that stands for a text in indexes: equal texts have equal ones, and long texts fit. */
export function textItem(text: string): string {
  const hex = hash("md5", comparable(text), "hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** E-mail addresses of users are compared without letter case. gaps 2, "Text". */
export function comparableEmail(email: string): string {
  return comparable(email).toLowerCase();
}
