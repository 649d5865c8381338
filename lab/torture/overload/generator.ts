/**
 * A process that sends what its parent orders, one order after the other, so that measuring does not stall what is
 * measured: first a message with the requests and the key, then orders; each is answered with what came of it
 * (order.ts).
 */
import type { Request } from "../../harness/load.ts";
import { target } from "../../harness/load.ts";
import { sendAsAnswered, sendAsDue } from "./arrivals.ts";
import type { Order } from "./order.ts";
import { openTally } from "./tally.ts";

let requests: Buffer[] = [];
let next = 0;
const nextRequest = () => requests[next++ % requests.length] as Buffer;

process.on("message", (message: { requests: Request[]; key: string } | Order) => {
  if ("requests" in message) requests = target(0, message.requests, message.key).bytes;
  else void carryOut(message);
});
process.on("disconnect", () => process.exit());

async function carryOut(order: Order): Promise<void> {
  const tally = openTally();
  const before = process.cpuUsage();
  const sendAll = order.perSecond === undefined ? sendAsAnswered : sendAsDue;
  const lasted = await sendAll(order, nextRequest, tally);
  const { user, system } = process.cpuUsage(before);
  process.send?.(tally.summary({ ...lasted, cpuMs: (user + system) / 1000 }));
}
