import { realpathSync } from "node:fs";
import { join } from "node:path";
import { findPostmaster } from "contact-workspace-postgres/postmaster";
import type { Env } from "../../config/env.ts";
import { Client } from "../../database/client.ts";
import { withDatabase } from "../installation/database-url.ts";
import type { Candidate, KnownKind } from "./candidates.ts";

/** Longest time for the answer: the user waits with a finger on the key. */
const WAIT_MS = 1_000;
/** Maximum number of values shown: a longer list helps no reader. */
const SHOWN_MAX = 500;

/** One statement for each kind, with the columns `value` and `about`. $1 is the slug of a workspace, or null for all of them. */
const STATEMENTS: Record<KnownKind, string> = {
  workspaces: "select slug as value, name as about from workspaces where $1::text is null or true order by slug",
  groups: `select g.name as value, w.slug as about from groups g join workspaces w on w.id = g.workspace_id
    where $1::text is null or w.slug = $1 order by g.id`,
  users: `select u.email as value, u.full_name as about from users u join workspaces w on w.id = u.workspace_id
    where u.removed_at is null and ($1::text is null or w.slug = $1) order by u.id`,
  keys: `select k.prefix as value, concat_ws(', ', k.name, u.email) as about
    from api_keys k join workspaces w on w.id = k.workspace_id join users u on u.workspace_id = k.workspace_id and u.id = k.user_id
    where k.prefix is not null and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and ($1::text is null or w.slug = $1) order by k.id`,
  webhooks: `select 'wbk_' || h.id as value, concat_ws(', ', nullif(h.name, ''), w.slug) as about
    from webhooks h join workspaces w on w.id = h.workspace_id where $1::text is null or w.slug = $1 order by h.id`,
};

/**
 * Values of a kind in the database. Empty when it does not answer soon: an embedded one is not started for it, and no
 * database is migrated.
 */
export async function knownValues(env: Env, kind: KnownKind, workspace: string | undefined): Promise<Candidate[]> {
  try {
    if (env.databaseUrl === undefined && !findPostmaster(join(realpathSync(env.dataDir), "postgres"))?.ready) return [];
    return await withDatabase(env, (url) => ask(url, kind, workspace));
  } catch {
    // A database that is away, or of another release, has nothing to offer. A message would stand in the middle of what is typed.
    return [];
  }
}

async function ask(url: string, kind: KnownKind, workspace: string | undefined): Promise<Candidate[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: WAIT_MS,
    query_timeout: WAIT_MS,
    application_name: "contact-workspace completion",
  });
  // A connection that breaks would else end the process with a message in the middle of what is typed.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Candidate>(`${STATEMENTS[kind]} limit ${SHOWN_MAX}`, [workspace ?? null]);
    return rows;
  } finally {
    await client.end();
  }
}
