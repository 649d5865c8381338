/** Where webhooks are received: `WEBHOOK_ALLOW` of the server has it. */
export const RECEIVER_HOST = "127.0.0.2";

/** Milliseconds on the clock that all processes of this machine share, finer than `Date.now`. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}
