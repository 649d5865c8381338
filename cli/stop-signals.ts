const PARENT_CHECK_MS = 500;
/**
 * Signals within this time count as one. Ctrl-C reaches the whole process group, and npm hands on what it got, so one
 * press of the keys arrives here twice.
 */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `stop` once with the reason: SIGTERM, SIGINT, or that npm, which started this process, is gone. When npm is
 * killed with SIGKILL, a server that went on would keep the port without anybody knowing it. A second signal ends the
 * process at once.
 * docs/guides/running.md#stopping
 */
export function onStopSignal(stop: (reason: string) => void): void {
  let stoppingSince: number | undefined;
  const begin = (reason: string) => {
    if (stoppingSince === undefined) {
      stoppingSince = Date.now();
      stop(reason);
    } else if (Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
  };
  process.on("SIGTERM", begin);
  process.on("SIGINT", begin);
  if (process.env.npm_lifecycle_event) watchParent(() => begin("npm is gone"));
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    onGone();
  }, PARENT_CHECK_MS);
  check.unref();
}
