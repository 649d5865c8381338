import { setMaxListeners } from "node:events";
import { WEBHOOK_REQUESTS_AT_ONCE, WEBHOOK_STOP_MS_MAX } from "../../../config/limits.ts";
import { type AttemptRate, createAttemptRate } from "./attempt-rate.ts";
import type { Asker } from "./attempt-slots.ts";
import { type Connections, openConnections } from "./connections.ts";
import type { Due, Result } from "./deliveries.queries.ts";
import type { Delivered } from "./delivering.ts";
import { createPendingDeliveries, type PendingDeliveries } from "./pending-deliveries.ts";
import type { Health, Queue } from "./queues.queries.ts";

/** For how long nothing has to be due before an endpoint is given back. */
const IDLE_MS = 500;
/** Number of deliveries that are read in advance; the next ones are read when this number is left. */
const READ_AHEAD = 50;
const READ_AGAIN_BELOW = 25;
/** After a failure of the database, and while a webhook whose target is gone is switched off. */
const PAUSE_MS = 1000;
/** Time after which an endpoint goes to the end of the line if others wait. */
const SLICE_MS = 5000;

/** The parts of a process that an endpoint needs. */
export interface Surroundings {
  deliver(queue: Queue, due: Due, connections: Connections, signal: AbortSignal): Promise<Delivered>;
  /** Writes a result; gives whether this process still holds the queue. */
  write(result: Result): Promise<boolean>;
  /** Is called when it may begin something. */
  ask(asker: Asker): void;
  /** Is called when it has room for more deliveries. */
  wantPage(): void;
  /** True if other endpoints wait to be served by this process; for a failing one, if other failing ones wait. */
  isCrowded(isFailing: boolean): boolean;
  /** Makes the webhook inactive when its target is gone, or all has failed for too long; gives whether it did. */
  stopWebhook(endpoint: Endpoint, gone: string | null): Promise<boolean>;
  cancelStopped(queue: Queue, signal: AbortSignal): Promise<void>;
  onFailure(error: Error): void;
}

/** A webhook whose deliveries this process sends. */
export interface Endpoint extends Asker {
  readonly queue: Queue;
  readonly line: PendingDeliveries;
  readonly pace: AttemptRate;
  readonly health: HealthNotes;
  readonly connections: Connections;
  /** Aborted when attempts that are under way have to end. */
  readonly ending: AbortController;
  /** Number of attempts under way. */
  flying: number;
  /** Attempts and what follows them. */
  readonly working: Set<Promise<void>>;
  /** Nothing begins any more. */
  isClosed: boolean;
  /** When the last attempt has ended. */
  idleSince: number;
  readonly heldSince: number;
  isFailing(): boolean;
  /** Ends the wait for the next moment in which an attempt may begin. */
  timer?: NodeJS.Timeout;
  readonly closed: Promise<void>;
  close(): void;
}

export function createEndpoint(queue: Queue, around: Surroundings): Endpoint {
  const pace = createAttemptRate(WEBHOOK_REQUESTS_AT_ONCE, queue.isFailing);
  let resolve: () => void = () => undefined;
  const closed = new Promise<void>((resolveClosed) => {
    resolve = resolveClosed;
  });
  const endpoint: Endpoint = {
    queue,
    line: createPendingDeliveries(),
    pace,
    health: createHealthNotes(),
    connections: openConnections(WEBHOOK_REQUESTS_AT_ONCE),
    ending: new AbortController(),
    flying: 0,
    working: new Set(),
    isClosed: false,
    idleSince: performance.now(),
    heldSince: performance.now(),
    closed,
    close() {
      endpoint.isClosed = true;
      endpoint.line.clear();
      clearTimeout(endpoint.timer);
      resolve();
    },
    isFailing: pace.isFailing,
    mayHang: pace.mayHang,
    begin: () => begin(endpoint, around),
  };
  setMaxListeners(0, endpoint.ending.signal);
  return endpoint;
}

/** Sends due deliveries until there are none, or the signal is aborted. No attempt is running afterwards. */
export async function serve(endpoint: Endpoint, around: Surroundings, signal: AbortSignal): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const stop = () => {
    late = setTimeout(() => endpoint.ending.abort(), WEBHOOK_STOP_MS_MAX);
    endpoint.close();
  };
  // Hundreds of endpoints share the signal.
  setMaxListeners(0, signal);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  else if (endpoint.queue.status === "active") around.wantPage();
  else await closeStopped(endpoint, around);
  await endpoint.closed;
  while (endpoint.working.size > 0) await Promise.all(endpoint.working);
  signal.removeEventListener("abort", stop);
  clearTimeout(late);
  endpoint.connections.close();
}

/** Number of deliveries that a page can have; 0 if no page is wanted. `take` must be called with the page. */
export function askForPage(endpoint: Endpoint, around: Surroundings): { most: number; take(page: Due[]): void } {
  const { line } = endpoint;
  if (isSliceOver(endpoint, around)) endpoint.close();
  if (endpoint.isClosed || line.waiting() >= READ_AGAIN_BELOW) return { most: 0, take: () => undefined };
  const add = line.asked();
  return {
    most: READ_AHEAD + line.known(),
    take(page) {
      add(page);
      if (endpoint.isClosed) line.clear();
      else if (page.length > 0) around.ask(endpoint);
      else if (isIdle(endpoint, around.isCrowded(endpoint.isFailing()) ? 0 : IDLE_MS)) endpoint.close();
    },
  };
}

/** Whether others that wait are to be served now. One that hangs or fails would keep its place for days. */
function isSliceOver(endpoint: Endpoint, { isCrowded }: Surroundings): boolean {
  return isCrowded(endpoint.isFailing()) && performance.now() - endpoint.heldSince >= SLICE_MS;
}

function isIdle({ line, working, idleSince }: Endpoint, forMs: number): boolean {
  return line.known() === 0 && working.size === 0 && performance.now() - idleSince >= forMs;
}

function begin(endpoint: Endpoint, around: Surroundings): Promise<void> | null {
  const { line, pace, working } = endpoint;
  if (endpoint.isClosed || endpoint.flying >= pace.atOnce() || !line.hasNext()) return null;
  const now = performance.now();
  const waitMs = pace.waitMs(now);
  if (waitMs > 0) {
    clearTimeout(endpoint.timer);
    endpoint.timer = setTimeout(() => around.ask(endpoint), Math.ceil(waitMs));
    return null;
  }
  const due = line.next();
  if (!due) return null;
  pace.begun(now);
  endpoint.flying += 1;
  if (line.waiting() === READ_AGAIN_BELOW - 1) around.wantPage();
  const flight = fly(endpoint, around, due);
  // The work after an attempt runs beside the next attempts.
  const work: Promise<void> = flight
    .then((delivered) => (delivered ? finish(endpoint, around, due, delivered) : undefined))
    .finally(() => {
      working.delete(work);
      if (around.isCrowded(endpoint.isFailing()) && line.waiting() === 0) around.wantPage();
    });
  working.add(work);
  return flight.then(() => undefined);
}

/** Null when the database has failed: the delivery then waits again, before the others. */
async function fly(endpoint: Endpoint, around: Surroundings, due: Due): Promise<Delivered | null> {
  const { queue, connections, ending, pace, line } = endpoint;
  try {
    const delivered = await around.deliver(queue, due, connections, ending.signal);
    if (delivered.was === "sent") {
      pace.ended(delivered.hasSucceeded, delivered.durationMs);
      // Nothing begins until the webhook is inactive.
      if (delivered.gone !== null) pace.pause(performance.now(), PAUSE_MS);
      // Those that fail wait for a part of the places. Each makes one attempt, and the next one has its turn.
      if (pace.isFailing() && around.isCrowded(true)) endpoint.close();
    }
    line.ended(due);
    return delivered;
  } catch (error) {
    around.onFailure(error as Error);
    pace.pause(performance.now(), PAUSE_MS);
    if (!endpoint.isClosed) line.putBack(due);
    return null;
  } finally {
    endpoint.flying -= 1;
    endpoint.idleSince = performance.now();
  }
}

async function finish(endpoint: Endpoint, around: Surroundings, due: Due, delivered: Delivered): Promise<void> {
  try {
    await settle(endpoint, around, delivered);
  } catch (error) {
    around.onFailure(error as Error);
  } finally {
    endpoint.line.written(due);
  }
}

async function settle(endpoint: Endpoint, around: Surroundings, delivered: Delivered): Promise<void> {
  switch (delivered.was) {
    case "sent":
      return settleSent(endpoint, around, delivered);
    case "ended":
      return write(endpoint, around, delivered.result);
    case "closed":
      if (delivered.isDeleted) endpoint.queue.status = null;
      return closeStopped(endpoint, around);
    case "stopped":
      // Waiting deliveries are older than the change. Those that are not will be found again.
      endpoint.line.clear();
      return around.cancelStopped(endpoint.queue, endpoint.ending.signal);
    case "lost":
      return endpoint.close();
    case "settled":
    case "interrupted":
  }
}

/** If another process has the queue, the write reports it, and this process sends nothing more. */
async function write(endpoint: Endpoint, around: Surroundings, result: Result): Promise<void> {
  if (!(await around.write(result))) endpoint.close();
}

async function settleSent(
  endpoint: Endpoint,
  around: Surroundings,
  { result, hasSucceeded, gone }: Extract<Delivered, { was: "sent" }>,
): Promise<void> {
  endpoint.health.note(hasSucceeded);
  await write(endpoint, around, result);
  if (result.status === "failed" && (await around.stopWebhook(endpoint, gone))) await closeStopped(endpoint, around);
}

/**
 * Ends the work on a webhook that takes no deliveries any more. The purge deletes the pending ones of a deleted
 * webhook.
 */
async function closeStopped(endpoint: Endpoint, around: Surroundings): Promise<void> {
  if (endpoint.isClosed) return;
  endpoint.isClosed = true;
  endpoint.line.clear();
  try {
    if (endpoint.queue.status !== null) await around.cancelStopped(endpoint.queue, endpoint.ending.signal);
  } finally {
    endpoint.close();
  }
}

/** Outcomes of attempts that are not written yet. */
interface HealthNotes {
  note(hasSucceeded: boolean): void;
  /** Whether an attempt has succeeded that is not written down. */
  hasSucceeded(): boolean;
  /** Returns the outcomes and forgets them; null if there are none. */
  take(): Health | null;
  /** Takes back outcomes that could not be written. Outcomes noted since then are newer. */
  giveBack(older: Health): void;
}

export function createHealthNotes(): HealthNotes {
  let noted: Health | null = null;
  return {
    note(hasSucceeded) {
      const before = noted?.hasSucceeded ?? false;
      noted = hasSucceeded ? { hasSucceeded, hasFailed: false } : { hasSucceeded: before, hasFailed: true };
    },
    hasSucceeded: () => noted?.hasSucceeded ?? false,
    take() {
      const taken = noted;
      noted = null;
      return taken;
    },
    giveBack(older) {
      if (noted?.hasSucceeded) return;
      noted = { hasSucceeded: older.hasSucceeded, hasFailed: older.hasFailed || noted !== null };
    },
  };
}
