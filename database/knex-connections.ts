import type { Knex } from "knex";
import type pg from "pg";
import { Client } from "./client.ts";
import type { PoolConnection } from "./connection.ts";

// Internals of Knex that this server uses, in the only file that touches them: the connections of its pool, the driver
// that opens them, and the mark by which the pool drops one. Knex's public interface gives a connection only to its own
// statements. Through it each statement costs 70 us of CPU more, and a transaction half of its CPU:
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

/** Lets Knex open connections by our client, in the place of all of pg. */
export function useClient(knex: Knex): void {
  knex.client.driver = { Client };
}

/** A connection of the pool, which is to be released. @throws KnexTimeoutError when none is free in time */
export function acquire(knex: Knex): Promise<PoolConnection> {
  return knex.client.acquireConnection();
}

export function release(knex: Knex, connection: PoolConnection): Promise<void> {
  return knex.client.releaseConnection(connection);
}

/** Lets the pool close a connection when it is released, in the place of giving it to others. */
export function discard(connection: PoolConnection, reason: unknown): void {
  connection.__knex__disposed = reason;
}

/** The connection on which a transaction of Knex runs. */
export function clientOf(transaction: Knex.Transaction): Promise<pg.Client> {
  return transaction.client.acquireConnection();
}
