import { type Sample, showGauge, showSamples } from "../../../base/budgets/gauges.ts";
import { showTally } from "../../../base/budgets/tally.ts";
import type { Ending } from "./access-log.ts";
import type { Answered } from "./answered.ts";

// Counted by hand: prom-client takes a microsecond for what takes 0.03 here, since it makes a text of all labels for
// each number. That would be a hundredth of a small request. docs/decisions/0018-operations.md

/**
 * Upper bounds of the classes of the histogram, in milliseconds. A request takes less than one, or ten seconds at most.
 */
const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];
/** Any other is one that no route has, and is shown as `other`. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface Counted {
  route: string;
  method: string;
  statuses: Map<number, number>;
  /** Number of requests of each class, the last one without a bound. */
  classes: number[];
  sumMs: number;
}

const counted = new Map<string, Map<string, Counted>>();
let inFlight = 0;

const countBytes = showTally("contact_workspace_http_response_bytes_total", "encoding", ["identity", "gzip", "br"]);

export const countRefusal = showTally("contact_workspace_http_refusals_total", "reason", [
  "unauthorized",
  "address_limit",
  "forbidden",
  "rate_limit",
  "body_too_large",
  "timeout",
  "overload",
  "away",
  "unreadable",
  "connections",
]);

showGauge("contact_workspace_http_requests_in_flight", {}, () => inFlight);
showSamples("contact_workspace_http_requests_total", requestSamples);
showSamples("contact_workspace_http_request_duration_seconds", durationSamples);
showSamples("contact_workspace_assistant_calls_total", callSamples);

const calls = new Map<string, Map<string, number>>();

/** Counts a request that has come. */
export function countBegun(): void {
  inFlight += 1;
}

/** Counts a request that is over. */
export function countOver(
  { route, method, tool, errorCode }: Answered,
  { status, durationMs, bytes, encoding, isStream }: Ending,
): void {
  inFlight -= 1;
  const entry = countedOf(labelOf(route), METHODS.has(method) ? method : "other");
  entry.statuses.set(status, (entry.statuses.get(status) ?? 0) + 1);
  countBytes(encoding, bytes);
  if (tool !== null) countToolCall(tool, errorCode ?? "ok");
  if (isStream) return;
  let i = 0;
  while (i < BOUNDS_MS.length && durationMs > (BOUNDS_MS[i] ?? 0)) i += 1;
  entry.classes[i] = (entry.classes[i] ?? 0) + 1;
  entry.sumMs += durationMs;
}

/** The label of a page is its part of the site: there are a hundred pages. */
function labelOf(route: string | null): string {
  if (route === null) return "unknown";
  if (route.startsWith("/docs/") || /^\/[\w-]+\.(txt|ico)$/.test(route)) return "/docs";
  return route.startsWith("/console/") ? "/console" : route;
}

function countedOf(route: string, method: string): Counted {
  const ofRoute = counted.get(route);
  const known = ofRoute?.get(method);
  if (known) return known;
  const classes = new Array<number>(BOUNDS_MS.length + 1).fill(0);
  const entry: Counted = { route, method, statuses: new Map(), classes, sumMs: 0 };
  if (ofRoute) ofRoute.set(method, entry);
  else counted.set(route, new Map([[method, entry]]));
  return entry;
}

function countToolCall(tool: string, result: string): void {
  const ofTool = calls.get(tool) ?? new Map<string, number>();
  calls.set(tool, ofTool);
  ofTool.set(result, (ofTool.get(result) ?? 0) + 1);
}

function* entries(): Generator<Counted> {
  for (const ofRoute of counted.values()) yield* ofRoute.values();
}

function* requestSamples(): Generator<Sample> {
  for (const { route, method, statuses } of entries())
    for (const [status, value] of statuses) yield { labels: { route, method, status: String(status) }, value };
}

function* durationSamples(): Generator<Sample> {
  for (const { route, method, classes, sumMs } of entries()) {
    const labels = { route, method };
    let below = 0;
    for (const [i, count] of classes.entries()) {
      below += count;
      const bound = BOUNDS_MS[i];
      const le = bound === undefined ? "+Inf" : String(bound / 1000);
      yield { labels: { ...labels, le }, value: below, suffix: "_bucket" };
    }
    yield { labels, value: sumMs / 1000, suffix: "_sum" };
    yield { labels, value: below, suffix: "_count" };
  }
}

function* callSamples(): Generator<Sample> {
  for (const [tool, ofTool] of calls) for (const [result, value] of ofTool) yield { labels: { tool, result }, value };
}
