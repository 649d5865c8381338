import type { Polling } from "../../../../base/jobs/polling.ts";
import type { Database } from "../../../../database/database.ts";
import type { Sealing } from "../../../../engine/secrets/cipher.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import { type Attempt, createAttempt } from "../../../../services/webhooks/sending/attempt.ts";
import { createResolve } from "../../../../services/webhooks/sending/lookup.ts";
import { startSending } from "../../../../services/webhooks/sending/sender.ts";
import { createAddressRules } from "../../../../services/webhooks/subscriptions/addresses.ts";
import { sealing } from "./stock.ts";

export const PUBLIC_URL = "https://contacts.example.test";
export const WAITS_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

export interface Sender extends Polling {
  /** What was logged. */
  log: string[];
}

export const sendAttempt = createAttempt({ rules: createAddressRules(["127.0.0.2/32"]), resolve: createResolve() });

interface SenderOptions {
  attempt?: Attempt;
  retryWaitsS?: number[];
  /** The keys that it has. */
  opening?: Sealing;
}

/** A sender in this process, that may contact the receivers of the tests. */
export function sender(
  database: Database,
  { attempt = sendAttempt, retryWaitsS = WAITS_S, opening = sealing }: SenderOptions = {},
): Sender {
  const log: string[] = [];
  const note = (...message: unknown[]) => void log.push(message.join(" "));
  const polling = startSending(
    {
      database,
      definitionsCache: storeOf(database).definitionsCache,
      hasWaiting: () => false,
      sealing: async () => opening,
      attempt,
      publicUrl: PUBLIC_URL,
      retryWaitsS,
      random: Math.random,
    },
    { warn: note, info: note },
  );
  return { ...polling, log };
}
