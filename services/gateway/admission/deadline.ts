import { REQUEST_MS_MAX } from "../../../config/limits.ts";
import { unavailable } from "../../../lib/contract/errors.ts";

/** How long a request may still take. */
export interface Deadline {
  /** Rejects with 503 when the time is over. */
  passed: Promise<never>;
  /** Stops the time while the client is still sending. */
  pause(): void;
  /** The last byte of the request is there, so the whole time begins now. */
  restart(): void;
  /** The request is over. */
  clear(): void;
}

/**
 * Ends a request in time, whatever it waits for: every answer is sent within 10 s of the last byte of its request. What the
 * request has begun goes on by itself and ends by its own time-outs. docs/guides/limits.md#under-load
 */
export function startDeadline(): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let expire: (error: Error) => void = () => undefined;
  const passed = new Promise<never>((_, reject) => {
    expire = reject;
  });
  const pause = () => clearTimeout(timer);
  const restart = () => {
    pause();
    timer = setTimeout(() => expire(unavailable("The server could not answer in time. Try again.")), REQUEST_MS_MAX);
  };
  restart();
  return { passed, pause, restart, clear: pause };
}
