import type { Env } from "../config/env.ts";
import type { Database } from "../database/database.ts";

/**
 * Things that a process hands to each of its services. A service file default-exports
 * `function peopleService(context: ServiceContext): ServiceSchema`.
 */
export interface ServiceContext {
  env: Env;
  database: Database;
  /** Destination of the access log of a gateway: standard output. Undefined when there is none. */
  accessLog?: { isTTY?: boolean; readonly writableLength?: number; write(text: string): unknown };
}
