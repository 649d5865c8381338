import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { errorCode, property } from "./errors.ts";
import type { RowForm } from "./query.ts";
import type { SessionSettings } from "./session.ts";
import { SQLSTATE } from "./sqlstates.ts";

/**
 * A connection keeps every named statement until it closes, some ten kilobytes each. So one on which this many were
 * prepared is replaced.
 */
export const STATEMENTS_PER_CONNECTION_MAX = 400;

interface StatementName {
  name: string;
  generation: number;
}

const names = new LRUCache<string, StatementName>({ max: 1000 });

/** The name under which a statement is prepared: the same text has the same name on every connection. */
function statementName(sql: string): string {
  let known = names.get(sql);
  if (!known) {
    known = { name: nameOf(sql, 0), generation: 0 };
    names.set(sql, known);
  }
  return known.name;
}

/**
 * Whether a statement failed, before it did anything, because of what the server has prepared under its name and not
 * because of what it says. The server may have nothing under the name, since the first Parse failed or was forgotten,
 * or a migration may have changed the columns of the result since.
 */
export function isStaleStatement(error: unknown): boolean {
  const code = errorCode(error);
  if (code === SQLSTATE.invalidStatementName || code === SQLSTATE.duplicatePreparedStatement) return true;
  // The message, "cached plan must not change result type", stands in the language of the server.
  return code === SQLSTATE.featureNotSupported && property(error, "routine") === "RevalidateCachedQuery";
}

/** Gives a statement a new name when what is prepared under `name` is of no use. */
function renameStatement(sql: string, name: string): void {
  const known = names.get(sql);
  // If several failed together, only the first changes the name.
  if (known?.name !== name) return;
  known.generation += 1;
  known.name = nameOf(sql, known.generation);
}

/**
 * Sends a statement under its name. If the server cannot use what it has prepared under that name, gives the statement
 * a new name and throws the error of the server. The statement has done nothing then, so the caller may send it again.
 */
export async function sendNamed<T>(sql: string, send: (name: string) => Promise<T>): Promise<T> {
  const name = statementName(sql);
  try {
    return await send(name);
  } catch (error) {
    if (isStaleStatement(error)) renameStatement(sql, name);
    throw error;
  }
}

/**
 * Sends a statement under its name. If the server cannot use what it has prepared under that name, sends the statement
 * again without a name. It does not use the new name, because another request may be preparing that, and if it fails,
 * this one would fail too.
 */
export async function sendNamedOrPlain<T>(sql: string, send: (name?: string) => Promise<T>): Promise<T> {
  try {
    return await sendNamed(sql, send);
  } catch (error) {
    if (!isStaleStatement(error)) throw error;
    return send();
  }
}

function nameOf(sql: string, generation: number): string {
  return `${createHash("sha1").update(sql).digest("base64url").slice(0, 20)}_${generation}`;
}

/**
 * Settings for connections whose statements are always the same: each is planned once. By default PostgreSQL replans
 * every execution, because it underrates what planning costs, which is half the time of a list of 20. The plans use
 * indexes, because one that was made while a table was empty would go on reading all of it.
 * docs/decisions/0006-processes.md
 */
export const PLAN_ONCE: SessionSettings = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off" };

/**
 * Settings for connections whose statements are planned for their very values each time they run. They are prepared all
 * the same: reading the text is a quarter of what a filter costs PostgreSQL. One that looks at every record takes one
 * processor and not all of them, which others need at the same time.
 */
export const PLAN_EACH: SessionSettings = { plan_cache_mode: "force_custom_plan", max_parallel_workers_per_gather: 0 };

const AS_TEXTS = { rowMode: "array", types: { getTypeParser: () => (text: string) => text } } as const;

/** Options of a statement for pg besides its text and values, for rows of this form. */
export function formOptions(form: RowForm | undefined): Partial<typeof AS_TEXTS> {
  return form === "texts" ? AS_TEXTS : {};
}
