import { isPlainText, notPlain } from "./text.ts";

const BEGINNING = /^https?:\/\/(?<authority>[^/?#\\]+)/i;
/** Blanks of every kind, control characters, and the backslash, which some programs read as a slash. */
const NEVER_IN_A_URL = /[\s\p{Cc}\\]/u;

/**
 * Why a text is no address to which something may be sent: an absolute URL of http or https that every program reads in the same way,
 * without what answers and logs should not show. Null when it is one. docs/guides/webhooks.md#targets
 */
export function refuseWebAddress(text: string): string | null {
  if (!isPlainText(text)) return notPlain(text);
  const authority = BEGINNING.exec(text)?.groups?.authority;
  if (authority === undefined) return "It has to be an absolute URL that begins with http:// or https:// and a host";
  if (NEVER_IN_A_URL.test(text)) return "A URL has no blanks, control characters and backslashes: encode them";
  if (text.includes("#")) return "A URL with a fragment is refused, since a fragment is never sent: leave out the #";
  if (authority.includes("@"))
    return "A URL with a user or a password is refused, since answers and logs show it: put a token into the path";
  return URL.canParse(text) ? null : "This is not a valid URL";
}
