import knex, { type Knex } from "knex";
import type pg from "pg";
import type { PoolConnection } from "./connection.ts";
import { type Opening, openClient } from "./open-client.ts";

// Internals of Knex that this server uses, in the only file that touches them: the connections of its pool, the way in
// which they are opened, and the mark by which the pool drops one. Knex's public interface gives a connection only to
// its own statements. Through it each statement costs 70 us of CPU more, and a transaction half of its CPU:
// docs/decisions/0006-processes.md. COPY of a backup and several statements in one write cannot go through it at all.

/** Counts of a pool, by Knex's documentation. Its types leave them out. */
export interface PoolCounts {
  max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
  numPendingCreates(): number;
}

export function countsOf(knex: Knex): PoolCounts {
  return knex.client.pool;
}

/**
 * A Knex of PostgreSQL that opens connections with these settings in our way. It logs nothing: its errors say the same
 * to those who can act.
 */
export function openKnex(settings: Opening, config: Knex.Config): Knex {
  const log = { warn() {}, error() {}, deprecate() {}, debug() {} };
  // Without a connection Knex would have no pool.
  const opened = knex({ ...config, client: "pg", connection: {}, log });
  opened.client.acquireRawConnection = async () => {
    const connection = await openClient(settings);
    const end = (reason?: unknown) => discard(connection, reason ?? "The connection has ended");
    connection.on("error", end);
    connection.on("end", end);
    return connection;
  };
  return opened;
}

/** A connection of the pool, which is to be released. @throws KnexTimeoutError when none is free in time */
export function acquire(knex: Knex): Promise<PoolConnection> {
  return knex.client.acquireConnection();
}

export function release(knex: Knex, connection: PoolConnection): Promise<void> {
  return knex.client.releaseConnection(connection);
}

/** Lets the pool close a connection when it is released, in the place of giving it to others. */
export function discard(connection: object, reason: unknown): void {
  Object.assign(connection, { __knex__disposed: reason });
}

/** The connection on which a transaction of Knex runs. */
export function clientOf(transaction: Knex.Transaction): Promise<pg.Client> {
  return transaction.client.acquireConnection();
}
