import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Tells a client that waits for it (`Expect: 100-continue`) to send its body, when the body is about to be read: a
 * client that is refused because of the head need not send ten megabytes first.
 */
export function continueOnReading(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    if (!response.headersSent) response.writeContinue();
  });
}
