import { unavailable } from "../../../base/contract/errors.ts";
import { CALL_MS_MAX, REQUEST_MS_MAX } from "../../../config/limits.ts";

/** Time that is left for a request. */
export interface Deadline {
  /** Rejects with 503 when the time is over. */
  passed: Promise<never>;
  /** Stops the time while the client is still sending. */
  pause(): void;
  /** The request is complete, so the clock continues with the remaining time. */
  resume(): void;
  /** Milliseconds that a call may take if it begins now. */
  callMs(): number;
  /** The request is over. */
  clear(): void;
}

/**
 * Ends a request in time, whatever it waits for: every answer is sent within 10 s of the last byte of its request.
 * All steps of a request share this time: the action has only the time that authentication has left. Work that the
 * request has begun ends by its own time-outs, which are no longer than the time that was left.
 * docs/guides/under-load.md
 * @param begunMs when the request came, in milliseconds of `performance.now()`
 */
export function startDeadline(begunMs: number): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let endMs = begunMs + REQUEST_MS_MAX;
  let pausedMs = 0;
  let expire: (error: Error) => void = () => undefined;
  const passed = new Promise<never>((_, reject) => {
    expire = reject;
  });
  const leftMs = () => endMs - performance.now();
  const run = () => {
    timer = setTimeout(() => expire(unavailable("The server could not answer in time. Try again.")), leftMs());
  };
  const clear = () => clearTimeout(timer);
  run();
  return {
    passed,
    pause() {
      clear();
      pausedMs = performance.now();
    },
    resume() {
      endMs += performance.now() - pausedMs;
      run();
    },
    // Moleculer takes 0 for no time limit.
    callMs: () => Math.max(1, Math.min(CALL_MS_MAX, leftMs())),
    clear,
  };
}

/** Waits for the rest of a request while the clock of the request stops. */
export async function whileSending<Sent>(deadline: Deadline, sent: Promise<Sent>): Promise<Sent> {
  deadline.pause();
  const all = await sent;
  deadline.resume();
  return all;
}
