import { isUnavailable } from "../database/database.ts";

/**
 * The types of Moleculer's errors which say that a service or the bus does not answer, or not in time. Moleculer gives
 * them codes like 404, 429 and 504; a client gets 503 for each of them.
 * docs/guides/conventions.md#when-something-is-away
 */
const AWAY_TYPES = new Set([
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "REQUEST_TIMEOUT",
  "REQUEST_REJECTED",
  "REQUEST_SKIPPED",
  "QUEUE_FULL",
  "BAD_GATEWAY",
]);

/** Whether an error is Moleculer's and says that something is away, so that a later try may succeed. */
export function isFrameworkAway(error: unknown): boolean {
  const type = property(error, "type");
  return typeof type === "string" && AWAY_TYPES.has(type);
}

/**
 * Whether something that a request needs is away: a service, the bus, the database, or any of them behind another node.
 * The gateway answers these with 503.
 */
export function isAway(error: unknown): boolean {
  return property(error, "unavailable") === true || isFrameworkAway(error) || isUnavailable(error);
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
