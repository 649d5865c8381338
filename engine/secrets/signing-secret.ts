import { randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Number of characters of a secret shown behind the prefix and at the end, and of stars that stand for the others. */
const SHOWN = { first: 2, stars: 22, last: 4 };

/** A new signing secret, in the form of Standard Webhooks: the bytes that the base64 after the prefix encodes sign. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** A secret as answers show it once it was handed out. docs/guides/webhooks.md#the-signing-secret */
export function redactedSecret(secret: string): string {
  const first = secret.slice(0, PREFIX.length + SHOWN.first);
  return `${first}${"*".repeat(SHOWN.stars)}${secret.slice(-SHOWN.last)}`;
}

/** A secret that was replaced and goes on signing for a while. */
export interface ReplacedSecret {
  /** The encrypted secret, in base64. */
  secret: string;
  /** The timestamp at which it no longer signs. */
  until: string;
}

/** Those that still sign. docs/guides/webhooks.md#rotating-the-secret */
export function stillSigning(replaced: readonly ReplacedSecret[], now: Date): ReplacedSecret[] {
  return replaced.filter(({ until }) => new Date(until) > now);
}
