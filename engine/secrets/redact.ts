import { isKey } from "./api-keys.ts";

/** API keys and signing secrets of webhooks, whole or cut off. What lists show of a key is shorter. */
const SECRETS = /\b(cwk_|whsec_)[\w+/=-]{16,}/gi;
const KEYS = /cwk_[\w-]{51}/g;

/** A text in which secrets are shortened to their prefix, `cwk_…`, for messages that quote user input. */
export function redact(text: string): string {
  return text.replaceAll(SECRETS, "$1…");
}

/** Whether a text holds a whole API key. */
export function containsKey(text: string): boolean {
  return (text.match(KEYS) ?? []).some(isKey);
}

/** Whether a text holds a secret, or a part of one. */
export function containsSecret(text: string): boolean {
  return redact(text) !== text;
}
