import { REQUEST_MS_MAX } from "../../../config/limits.ts";
import { unavailable } from "../../../lib/contract/errors.ts";

/** How long a request may still take. */
export interface Deadline {
  /** Rejects with 503 when the time is over. */
  passed: Promise<never>;
  /** The time does not run while the client still sends. */
  pause(): void;
  /** The last byte is there: the whole time from now on. */
  restart(): void;
  clear(): void;
}

/**
 * Ends a request in time, whatever it waits for: gaps 8, "every request ends within 10 s of its last byte". What it has begun goes
 * on by itself and ends by its own time-outs.
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
