import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { nullable, type Static, Type, trimmedName } from "../../../base/contract/schema.ts";
import { containsSecret } from "../../../engine/secrets/redact.ts";
import { KEY_NAME_LENGTH_MAX } from "../../../model/resources/keys.ts";

/** The name of a key as it is sent; null for none. */
export const keyName = nullable(trimmedName(KEY_NAME_LENGTH_MAX));

/** When a key expires, as it is sent; null for never. */
export const expiry = nullable(Type.String({ format: "date-time" }));

/**
 * A name as it is stored. Keys are found by their ids and their beginnings too, so no name may look like one of these;
 * and a name is shown in lists, so it must not be a secret.
 * @throws ApiError 422 for such a name
 */
export function nameOf(name: Static<typeof keyName>): string | null {
  const trimmed = name?.trim() ?? null;
  if (trimmed === null || !(/^(key|cwk)_/i.test(trimmed) || containsSecret(trimmed))) return trimmed;
  throw unprocessable([
    custom(["name"], "The name of a key cannot begin with key_ or cwk_, or hold a secret: lists show it"),
  ]);
}

/**
 * When a key expires. A time that has passed is a mistake, which would else show only when the key is used.
 * docs/guides/keys.md
 * @throws ApiError 422 for such a time
 */
export function expiryOf(expiresAt: Static<typeof expiry>): Date | null {
  if (expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time > new Date()) return time;
  throw unprocessable([
    custom(
      ["expiresAt"],
      `${time.toISOString()} has passed: the key would never work. Give a later time; a date alone means its start in UTC`,
    ),
  ]);
}
