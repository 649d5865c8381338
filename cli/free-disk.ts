import type { Env } from "../config/env.ts";
import { freeBytes } from "../database/embedded.ts";

const MIB = 1024 * 1024;
/** PostgreSQL ends when there is no room for its log, which grows by 16 MiB at a time. */
const FREE_BYTES_LEAST = 256 * MIB;

/** What is to be said of the disk of the embedded database: one sentence, or null when there is room. */
export function diskWarning({ databaseUrl, dataDir }: Env): string | null {
  if (databaseUrl !== undefined) return null;
  const free = freeBytes(dataDir);
  return free < FREE_BYTES_LEAST
    ? `${dataDir} has only ${Math.floor(free / MIB)} MiB left: make room, since PostgreSQL stops when none is left`
    : null;
}
