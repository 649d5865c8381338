import { showGauge } from "../../../base/budgets/gauges.ts";
import { toId } from "../../../base/values/ids.ts";
import type { Answered } from "./answered.ts";

/** Destination of lines: standard output, as a rule. */
export interface LogTarget {
  isTTY?: boolean;
  /** Bytes that it was given and has not passed on yet. */
  readonly writableLength?: number;
  write(text: string): unknown;
}

/** End of a request. */
export interface Ending {
  /** Status that was sent; 499 when the client had gone before, as in nginx. */
  status: number;
  /** Those of the body, as it was sent. */
  bytes: number;
  /** Coding of the body: `identity`, `br` or `gzip`. */
  encoding: string;
  /** From the head of the request to the last byte of the answer. */
  durationMs: number;
  isStream: boolean;
  /** Whether the client went away before it had the answer. */
  isAborted: boolean;
}

/** One line for each request. docs/guides/monitoring.md#access-log */
export interface AccessLog {
  add(answered: Answered, ending: Ending): void;
  /** Adds the line of bytes that were no request, and were answered with this status. */
  addUnreadable(status: number): void;
  flush(): void;
}

/**
 * For how long lines are gathered. To write each by itself would cost as much as all else that is done for a small
 * request.
 */
const GATHER_MS = 100;
/** Number of characters that are gathered at most before they are written. */
const GATHERED_LENGTH_MAX = 64 * 1024;
/** Lines are dropped while more bytes than this wait for the reader of the output: else they would fill the memory. */
const WAITING_BYTES_MAX = 4 * 1024 * 1024;
/** Successful answers to them are left out: they would be most lines of a quiet server, and tell nothing. */
const PROBES = new Set<string | null>(["/livez", "/readyz"]);

let dropped = 0;
showGauge("contact_workspace_access_log_dropped_total", {}, () => dropped);

export function createAccessLog(target: LogTarget): AccessLog {
  const lineOf = target.isTTY ? asText : asJson;
  let gathered = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== "") target.write(gathered);
    gathered = "";
  }

  function write(line: string): void {
    if ((target.writableLength ?? 0) > WAITING_BYTES_MAX) {
      dropped += 1;
      return;
    }
    gathered += line;
    if (gathered.length > GATHERED_LENGTH_MAX) flush();
    else timer ??= setTimeout(flush, GATHER_MS).unref();
  }

  return {
    add(answered, ending) {
      if (PROBES.has(answered.route) && ending.status === 200) return;
      write(lineOf(answered, ending));
    },
    addUnreadable(status) {
      const time = new Date().toISOString();
      const message = "bytes that are no request";
      write(
        target.isTTY
          ? `${time.slice(11, 23)} INFO  access ${message} ${status}\n`
          : `{"time":"${time}","level":"info","module":"access","message":"${message}","status":${status}}\n`,
      );
    },
    flush,
  };
}

/**
 * Put together by hand: JSON.stringify takes three times as long. No part is of the client's making, so none needs to
 * be escaped.
 */
function asJson(
  { id, traceId, method, route, caller, tool, errorCode }: Answered,
  { status, durationMs, bytes, encoding, isStream, isAborted }: Ending,
): string {
  const who = caller
    ? `,"workspaceId":"${toId("workspace", caller.workspaceId)}","userId":"${toId("user", caller.userId)}","keyId":${caller.keyId ? `"${toId("key", caller.keyId)}"` : null}`
    : "";
  const more = `${tool === null ? "" : `,"tool":"${tool}"`}${errorCode === null ? "" : `,"errorCode":"${errorCode}"`}${encoding === "identity" ? "" : `,"encoding":"${encoding}"`}${isStream ? `,"stream":true` : ""}${isAborted ? `,"aborted":true` : ""}`;
  return `{"time":"${new Date().toISOString()}","level":"info","module":"access","message":"${method} ${route ?? "unknown"} ${status}","requestId":"${id}"${traceId === null ? "" : `,"traceId":"${traceId}"`},"method":"${method}","route":${route === null ? null : `"${route}"`},"status":${status},"durationMs":${durationMs.toFixed(3)},"bytes":${bytes}${who}${more}}\n`;
}

function asText(
  { id, traceId, method, route, caller, tool, errorCode }: Answered,
  { status, durationMs, bytes, isStream, isAborted }: Ending,
): string {
  const words = [
    new Date().toISOString().slice(11, 23),
    "INFO  access",
    method,
    route ?? "unknown",
    String(status),
    `${durationMs.toFixed(1)} ms`,
    `${bytes} B`,
    ...(caller?.keyId ? [toId("key", caller.keyId)] : []),
    ...(tool === null ? [] : [tool]),
    ...(errorCode === null ? [] : [errorCode]),
    ...(isStream ? ["stream"] : []),
    ...(isAborted ? ["aborted"] : []),
    id,
    ...(traceId === null ? [] : [`trace ${traceId}`]),
  ];
  return `${words.join(" ")}\n`;
}
