import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Access, askJson } from "../harness/api.ts";

const TRIES_MAX = 10;
const PAUSE_MS = 2_000;

/**
 * Asks for what a program itself needs, before and after its load: processes that have just started, or come back, may
 * be too busy for it at first. Writes have a key, so each is made once.
 */
export async function insist<Data>(at: Access, method: string, path: string, body?: object): Promise<Data> {
  const further = method === "GET" ? undefined : { "Idempotency-Key": randomUUID() };
  for (let tried = 1; ; tried += 1) {
    try {
      return await askJson<Data>(at, method, path, body, further);
    } catch (error) {
      if (tried === TRIES_MAX) throw error;
      await pause(PAUSE_MS);
    }
  }
}
