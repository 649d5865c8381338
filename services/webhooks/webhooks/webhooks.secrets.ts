import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { REPLACED_SECRET_MS, REPLACED_SECRETS_MAX } from "../../../config/limits.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { presentRow, updateRow } from "../../../engine/rows/rows.ts";
import { webhookPurpose } from "../../../engine/secrets/purposes.ts";
import type { Sealing } from "../../../engine/secrets/sealing.ts";
import {
  newSigningSecret,
  type ReplacedSecret,
  redactedSecret,
  stillSigning,
} from "../../../engine/secrets/signing-secret.ts";
import type { Row, Viewer } from "../../../model/resources/resource.ts";
import { webhooks } from "../../../model/resources/webhooks.ts";
import { columnOfKeys } from "./webhooks.keys.ts";
import { databaseTime, raiseVersion } from "./webhooks.queries.ts";
import { columnsOfTakeover } from "./webhooks.takeover.ts";

/** A signing secret as its webhook keeps it. */
export function sealedSecret(sealing: Sealing, uuid: Uuid, secret: string): Buffer {
  return sealing.seal(secret, webhookPurpose(uuid));
}

/** A webhook with its whole secret in the place of the redacted one. */
export function presentWithSecret(row: Row, viewing: Viewer, signingSecret: string): Record<string, unknown> {
  const shown = Object.entries(presentRow(webhooks, row, viewing)).map(([name, value]) =>
    name === "redactedSigningSecret" ? ["signingSecret", signingSecret] : [name, value],
  );
  return Object.fromEntries(shown);
}

/**
 * Gives a locked webhook a new secret, and gives the answer with it. The one before signs too for a day, beside those
 * that were replaced within the last one. docs/guides/webhooks.md#rotating-the-secret
 * @throws ApiError 422 when too many sign already
 */
export async function rotateSecret(writing: WriteContext, sealing: Sealing, current: Row): Promise<string> {
  const { query, caller } = writing;
  // Senders compare with the same clock.
  const now = await databaseTime(query);
  const replaced = stillSigning(current.replacedSecrets as ReplacedSecret[], now);
  if (replaced.length >= REPLACED_SECRETS_MAX) throw tooManySecrets(replaced);
  const before = {
    secret: (current.secret as Buffer).toString("base64"),
    until: new Date(now.getTime() + REPLACED_SECRET_MS).toISOString(),
  };
  const secret = newSigningSecret();
  const row = await updateRow(
    query,
    webhooks,
    writing,
    current,
    {},
    {
      secret: sealedSecret(sealing, current.uuid, secret),
      redacted_secret: redactedSecret(secret),
      replaced_secrets: JSON.stringify([...replaced, before]),
      ...columnOfKeys(caller, current),
      // The user who knows the secret owns the webhook: docs/guides/webhooks.md#who-sees-what.
      ...(caller.userId !== current.createdBy && columnsOfTakeover(writing, current, now)),
    },
  );
  await raiseVersion(query, caller.workspaceId);
  return JSON.stringify(presentWithSecret(row, writing, secret));
}

function tooManySecrets(replaced: ReplacedSecret[]) {
  const message = `The secret was replaced ${replaced.length} times, and each of those secrets signs for a day. The next one can be replaced at ${replaced[0]?.until}`;
  return unprocessable([custom([], message)]);
}
