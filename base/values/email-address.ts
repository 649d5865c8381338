/** Letters, marks and digits of every script, and the signs that RFC 5322 allows without quotes. */
const LOCAL_PART = /^(?:[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")$/u;
const LABEL = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
/** An address of IPv4 or IPv6 in brackets. */
const IP_LITERAL = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-f:.]+)\]$/i;
const LOCAL_PART_LENGTH_MAX = 64;
const LABEL_LENGTH_MAX = 63;

/**
 * True if mail can be sent to this text: a local part, possibly in quotes, an `@`, and a domain with a dot, or an IP
 * address in brackets. Addresses of all scripts count. docs/guides/import-columns.md#addresses-that-are-none
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  return local.length <= LOCAL_PART_LENGTH_MAX && LOCAL_PART.test(local) && isDomain(domain);
}

function isDomain(domain: string): boolean {
  if (IP_LITERAL.test(domain)) return true;
  const labels = domain.split(".");
  const last = labels.at(-1) ?? "";
  // A name without a dot is known within one network only, and is more often a domain that was cut short.
  if (labels.length < 2 || last.length < 2 || /^\d+$/.test(last)) return false;
  return labels.every((label) => label.length <= LABEL_LENGTH_MAX && LABEL.test(label));
}
