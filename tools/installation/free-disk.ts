import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { freeBytes } from "contact-workspace-postgres";
import type { Env } from "../../config/env.ts";

const MIB = 1024 * 1024;
/** PostgreSQL ends when there is no room for its log, which grows by 16 MiB at a time. */
const FREE_BYTES_LEAST = 256 * MIB;

/** Number of free bytes for a folder, which need not exist yet. */
export function freeBytesFor(folder: string): number {
  const path = resolve(folder);
  return existsSync(path) ? freeBytes(path) : freeBytesFor(dirname(path));
}

/** Warning about the disk of the embedded database: one sentence, or null when there is room. */
export function diskWarning({ databaseUrl, dataDir }: Env): string | null {
  if (databaseUrl !== undefined) return null;
  const free = freeBytesFor(dataDir);
  return free < FREE_BYTES_LEAST
    ? `${dataDir} has only ${Math.floor(free / MIB)} MiB left: make room, since PostgreSQL stops when none is left`
    : null;
}
