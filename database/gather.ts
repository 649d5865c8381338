import type { Writable } from "node:stream";

const gathering = new WeakSet<Writable>();

/**
 * Lets all statements that this turn of the event loop sends on a connection go out in one write. Each write costs this
 * process a system call, and PostgreSQL too: with 20 clients that read one record five statements go together, which
 * takes a tenth of the CPU of a request.
 */
export function corkUntilNextTurn(stream: Writable): void {
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  setImmediate(() => sendGathered(stream));
}

/** Sends what is gathered at once, when PostgreSQL should not wait for it. */
export function sendGathered(stream: Writable): void {
  if (gathering.delete(stream)) stream.uncork();
}
