import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Tells a client that waits for it (`Expect: 100-continue`) to send its body, when the body is about to be read: who is refused
 * by what the head says, has no need to send ten megabytes before it is told.
 */
export function continueOnReading(request: IncomingMessage, response: ServerResponse): void {
  request.once("resume", () => {
    if (!response.headersSent) response.writeContinue();
  });
}
