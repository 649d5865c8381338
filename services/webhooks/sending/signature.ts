import { createHmac } from "node:crypto";

/** Prefix of a signing secret, before its Base64. */
const PREFIX = "whsec_";

/** The signed part of a message: the bytes of the body as they are sent. */
export interface Message {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: Buffer;
}

/**
 * The value of `webhook-signature`: a signature by each of the secrets, in their order, by the rules of Standard Webhooks.
 * docs/guides/webhook-deliveries.md#the-request
 */
export function signatureOf({ id, timestamp, body }: Message, secrets: readonly string[]): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
  });
  return signatures.join(" ");
}
