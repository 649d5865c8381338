import { createSealing } from "../../engine/secrets/cipher.ts";
import { readKeys } from "../../engine/secrets/keys.ts";
import { storedSecrets } from "../../engine/secrets/stored.ts";
import { keyPlaces, keyWarnings } from "../installation/encryption-keys.ts";
import type { Examine } from "./examine.ts";

/** Whether everything that is stored encrypted can be read. docs/guides/running.md#encryption */
export const examineEncryption: Examine = async (query, env) => {
  const { open } = createSealing(await readKeys(keyPlaces(env), query, { makes: false }));
  let count = 0;
  for await (const page of storedSecrets(query))
    for (const { sealed, purpose } of page) {
      open(sealed, purpose);
      count += 1;
    }
  return { ok: true, message: [`${count} secrets can be read`, ...keyWarnings(env)].join(". ") };
};
