import { whenFirstCloses } from "../../../base/budgets/closing.ts";
import { bareStatusOf } from "../connection/connections.ts";
import type { Exchange } from "../connection/exchange.ts";
import type { Reply } from "../response/reply.ts";
import { isTaken } from "../response/unsent.ts";
import { type AccessLog, createAccessLog, type Ending, type LogTarget } from "./access-log.ts";
import { type Answered, isGone } from "./answered.ts";
import { countBegun, countOver, countRefusal } from "./http-metrics.ts";
import { endRequestSpan } from "./request-span.ts";

/** Status that is logged but never sent. */
const CLIENT_GONE = 499;

/** Sees every request once when it comes and once when it is over, for the metrics and the access log. */
export interface Observer {
  begun(): void;
  /**
   * Notes a request whose answer was just sent: at once when the system has taken all of it, and otherwise when its
   * client has got it, or has gone; a stream, when it ends.
   * @param bytes those of the body that were handed over
   */
  sent(exchange: Exchange, answered: Answered, reply: Reply, bytes: number): void;
  /** Notes bytes that were no request, and the status that they were answered with. */
  unreadable(status: number): void;
  flush(): void;
}

/** @param target where the access log goes; undefined when there is none */
export function createObserver(target: LogTarget | undefined): Observer {
  const log: AccessLog | undefined = target && createAccessLog(target);

  function over(exchange: Exchange, answered: Answered, ending: Ending): void {
    endRequestSpan(exchange, answered, ending);
    countOver(answered, ending);
    log?.add(answered, ending);
  }

  return {
    begun: countBegun,
    sent(exchange, answered, reply, bytes) {
      if (reply.refusal) countRefusal(reasonOf(reply.refusal, answered));
      const encoding = String(reply.headers["Content-Encoding"] ?? "identity");
      const isStream = reply.open !== undefined;
      const gone = isGone(exchange);
      const status = bareStatusOf(exchange.response) ?? (gone ? CLIENT_GONE : answered.status);
      if (gone || (!isStream && isTaken(exchange))) {
        const isAborted = status === CLIENT_GONE;
        over(exchange, answered, { status, bytes, encoding, durationMs: answered.durationMs, isStream, isAborted });
        return;
      }
      const { response, begunMs } = exchange;
      const { socket } = exchange.request;
      const before = socket.bytesWritten;
      whenFirstCloses([response, socket], () => {
        const isAborted = !isStream && !response.writableFinished;
        const written = isStream || isAborted ? Math.max(0, socket.bytesWritten - before) : bytes;
        const durationMs = performance.now() - begunMs;
        over(exchange, answered, { status, bytes: written, encoding, durationMs, isStream, isAborted });
      });
    },
    unreadable(status) {
      countRefusal("unreadable");
      log?.addUnreadable(status);
    },
    flush: () => log?.flush(),
  };
}

/** Without a valid key it is the address that has a limit. */
function reasonOf(refusal: string, { caller }: Answered): string {
  return refusal === "rate_limit" && !caller ? "address_limit" : refusal;
}
