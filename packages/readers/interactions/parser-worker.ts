import { parentPort, workerData } from "node:worker_threads";
import { createEventReader } from "./calendar/event.ts";
import type { CalendarSetup } from "./calendar/setup.ts";
import { readMail } from "./mail/mail.ts";
import { useQuickBlobs } from "./mail/quick-blob.ts";

// The thread of parser.ts: it answers each message with what became of it, in order.

/** Kind of items that the thread reads, and the facts it needs for that. */
export type ParserSetup = { reads: "mails" } | { reads: "events"; calendar: CalendarSetup };

useQuickBlobs();
const read = readerFor(workerData as ParserSetup);
let last: Promise<unknown> = Promise.resolve();

parentPort?.on("message", (input: unknown) => {
  // parser.ts sends what the reader of its setup takes.
  last = last.then(async () => parentPort?.postMessage(await outcomeOf(input as never)));
});
parentPort?.postMessage("ready");

function readerFor(setup: ParserSetup): (input: never) => unknown {
  return setup.reads === "mails" ? readMail : createEventReader(setup.calendar);
}

async function outcomeOf(input: never): Promise<unknown> {
  try {
    return await read(input);
  } catch (error) {
    return { refused: `It cannot be read: ${(error as Error).message}` };
  }
}
