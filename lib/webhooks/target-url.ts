import type { createAddressRules } from "./addresses.ts";
import { literalAddressOf } from "./addresses.ts";

const BEGINNING = /^https?:\/\/(?<authority>[^/?#\\]+)/i;
/** Blanks of every kind, control characters, and the backslash, which some programs read as a slash. */
const NEVER_IN_A_URL = /[\s\p{Cc}\\]/u;

/**
 * Why a text is no address for a webhook; null when it is one. A name is not looked up: what it stands for is judged at each
 * delivery. docs/guides/webhooks.md#targets
 */
export function refuseTarget(text: string, rules: ReturnType<typeof createAddressRules>): string | null {
  const authority = BEGINNING.exec(text)?.groups?.authority;
  if (authority === undefined) return "It has to be an absolute URL that begins with http:// or https:// and a host";
  if (NEVER_IN_A_URL.test(text)) return "A URL has no blanks, control characters and backslashes. Encode them";
  if (text.includes("#")) return "A URL with a fragment is refused, since a fragment is never sent. Leave out the #";
  if (authority.includes("@"))
    return "A URL with a user or a password is refused, since answers and logs show it. Put a token into the path";
  const url = URL.parse(text);
  if (url === null) return "This is not a valid URL";
  const address = literalAddressOf(url);
  return address === null ? null : rules.refusalOf(address);
}
