import { isUnavailable } from "../lib/database/database.ts";

/**
 * Failures of the framework that say that a service, the bus or time is missing. They carry codes like 404, 429 and 504,
 * all of which are 503 here. gaps 8, "When something is away".
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

/** Whether an error is a failure of the framework that is worth a later try. */
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
