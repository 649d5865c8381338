import type { Env } from "../../config/env.ts";
import type { Query } from "../../database/query.ts";
import { createSealing, isPlain } from "../../engine/secrets/cipher.ts";
import { readKeys } from "../../engine/secrets/keys.ts";
import { storedSecrets } from "../../engine/secrets/stored-webhooks.ts";
import { keyPlaces, keyWarnings } from "../installation/encryption-keys.ts";

/** Whether all signing secrets can be read. docs/guides/running.md#encryption */
export async function examineEncryption(query: Query, env: Env) {
  const { open } = createSealing(await readKeys(keyPlaces(env), query, { makes: false }));
  let count = 0;
  let plain = 0;
  for await (const page of storedSecrets(query))
    for (const { sealed, purpose } of page) {
      open(sealed, purpose);
      count += 1;
      if (isPlain(sealed)) plain += 1;
    }
  const notes = plain > 0 ? [`${plain} of them are not encrypted: run "encryption rotate"`] : [];
  return { ok: true, message: [`${count} secrets can be read`, ...notes, ...keyWarnings(env)].join(". ") };
}
