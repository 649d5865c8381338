import { randomBytes } from "node:crypto";

/**
 * The place of a request in a distributed trace, by the W3C Trace Context recommendation. It travels as
 * `ctx.meta.trace`. docs/guides/monitoring.md#traces
 */
export interface TraceContext {
  /** `00-TRACE_ID-SPAN_ID-FLAGS`, in lower case hexadecimal. */
  traceparent: string;
  /** Entries of tracing systems, as they were sent. */
  tracestate?: string;
}

/** A version that is not known may have further fields behind the flags. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Flags that version 00 defines: sampled, and random trace id. */
const KNOWN_FLAGS = 0x03;

const STATE_MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;
const STATE_MEMBERS_MAX = 32;
/** The recommendation asks for 512 at least. A longer text is dropped. */
const STATE_LENGTH_MAX = 1024;

/**
 * The context that the headers of a request name; undefined when they name none, or a wrong one, which the
 * recommendation tells to ignore. A wrong `tracestate` is dropped alone.
 * @param parents the lines of `traceparent`
 * @param states gives the lines of `tracestate`; it is called only when `traceparent` is right
 */
export function readTraceContext(
  [parent, second]: readonly string[],
  states: () => readonly string[],
): TraceContext | undefined {
  if (parent === undefined || second !== undefined) return undefined;
  const [, version, traceId, spanId, flags = "", more] = TRACEPARENT.exec(parent) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return undefined;
  const known = Number.parseInt(flags, 16) & KNOWN_FLAGS;
  const tracestate = readTraceState(states());
  return { traceparent: `00-${traceId}-${spanId}-0${known}`, ...(tracestate !== undefined && { tracestate }) };
}

function readTraceState(lines: readonly string[]): string | undefined {
  const text = lines.join(",");
  const members = text.split(",").flatMap((member) => member.trim() || []);
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf("="))));
  const isRight =
    text.length <= STATE_LENGTH_MAX &&
    members.length > 0 &&
    members.length <= STATE_MEMBERS_MAX &&
    keys.size === members.length &&
    members.every((member) => STATE_MEMBER.test(member));
  return isRight ? members.join(",") : undefined;
}

/** The trace id of a context: 32 hexadecimal digits. */
export function traceIdOf({ traceparent }: TraceContext): string {
  return traceparent.slice(3, 35);
}

/**
 * The trace id that a thing with a uuid gives: a request that came without one, and the deliveries of its changes.
 * docs/guides/monitoring.md#traces
 */
export function traceIdFor(uuid: string): string {
  return uuid.replaceAll("-", "");
}

/** A context in a trace that is not recorded here, with a new span id. */
export function unrecorded(traceId: string): TraceContext {
  return { traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-00` };
}
