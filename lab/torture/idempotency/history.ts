import type { Fault } from "../random-faults.ts";

/** What one key is for. */
export interface Work {
  key: string;
  kind: string;
  method: string;
  path: string;
  body: string;
  /** The status of its one answer. */
  status: 200 | 422;
  /** So many people have the key as their first name in the end. */
  people: number;
}

/** A request that a client sent, and what came. Times by `now`. */
export interface Attempt {
  key: string;
  /** Which of the clients that send the request of this key. */
  duplicate: number;
  gateway: number;
  sentAt: number;
  answeredAt: number;
  /** 0 when no whole answer came. */
  status: number;
  body: string;
  replayed: boolean;
  /** In seconds; undefined without the header. */
  retryAfterS?: number;
  error?: string;
}

/** All that happened. Attempts of one duplicate stand in the order in which they were made. */
export interface History {
  attempts: Attempt[];
  faults: Fault[];
}

/** A person that was there in the end. */
export interface Person {
  id: string;
  firstName: string | null;
  [field: string]: unknown;
}

/** Whether an answer ends the attempts of a client: anything but no answer, 503 and 409. */
export function isDefinitive({ status }: Pick<Attempt, "status">): boolean {
  return status !== 0 && status !== 409 && status !== 503;
}
