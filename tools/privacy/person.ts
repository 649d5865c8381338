import { isDeepStrictEqual } from "node:util";
import { toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { errorCode } from "../../database/errors.ts";
import { refuseLater } from "../../database/migrate/migration-state.ts";
import type { Query } from "../../database/query.ts";
import { SQLSTATE } from "../../database/sqlstates.ts";
import { sealingOf, useKeys } from "../../engine/secrets/sealing.ts";
import { loadDefinitions } from "../../model/definitions/definitions.ts";
import { keyPlaces } from "../installation/encryption-keys.ts";
import { inSnapshot, inTransaction } from "../installation/own-connection.ts";
import { type Admin, CommandError } from "../terminal/admin.ts";
import { type Dossier, dossierOf } from "./dossier.ts";
import { type Erased, erasePlanned, planErasure } from "./erase.ts";
import type { Wanted } from "./found.ts";
import { marksOf } from "./identifiers.ts";
import { findSubjects, type Subject } from "./subject.ts";

/** Everything that a workspace holds about a person, given by an email address or an id. */
export async function exportPerson(admin: Admin, slug: string, asked: string): Promise<Dossier> {
  const workspaceId = await workspaceOf(admin, slug);
  return inSnapshot(admin.env, async (query) => {
    await refuseLater(query, "This release would leave out data that it does not know: export with that release.");
    const subject = await theSubject(query, workspaceId, asked, slug);
    return dossierOf(query, await definitionsOf(query, workspaceId), subject, sealingBy(query, admin));
  });
}

/** Result of an erasure or a dry run. It has the name of a person who still exists, so that a mistake shows. */
export interface Tried extends Erased {
  fullName?: string;
}

/** Longest wait for transactions that write the person or pass events on. */
const LOCK_WAIT_MS = 5_000;
/** Longest time of one statement of an erasure. */
const STATEMENT_MS = 60_000;
/**
 * It holds locks, so PostgreSQL ends it when this process has fallen silent. Two hundred long mails take it some
 * seconds between two statements.
 */
const SILENT_MS = 60_000;
/** A person who was changed since everything was searched is looked for again. */
const TRIES = 3;

/**
 * Erases a person. Everything is searched first, without locks, and a dry run ends there. Servers continue in that
 * time, and their new rows are searched under the locks.
 */
export async function eraseOrTry(
  admin: Admin,
  slug: string,
  asked: string,
  { dryRun }: { dryRun: boolean },
): Promise<Tried> {
  const workspaceId = await workspaceOf(admin, slug);
  for (let tries = 0; tries < TRIES; tries++) {
    const { subject, plan } = await inSnapshot(admin.env, async (query) => {
      await refuseLater(query, "This release would leave data that it does not know: erase with that release.");
      const subject = await theSubject(query, workspaceId, asked, slug);
      return { subject, plan: await planErasure(query, wantedBy(query, admin, workspaceId, subject)) };
    });
    if (dryRun) return { ...plan.erased, fullName: subject.fullName };
    const erased = await inTransaction(admin.env, "", async (query) => {
      await query(`set local lock_timeout = ${LOCK_WAIT_MS}`, []);
      await query(`set local statement_timeout = ${STATEMENT_MS}`, []);
      await query(`set local idle_in_transaction_session_timeout = ${SILENT_MS}`, []);
      // Transactions that write the person at this moment are waited for, and later ones no longer find the person.
      await query("select from people where workspace_id = $1 and id = $2 for update", [workspaceId, subject.uuid]);
      if (subject.isDeleted) await lockDeletion(query, workspaceId, subject);
      const now = await theSubject(query, workspaceId, asked, slug);
      if (!isDeepStrictEqual(now, subject)) return undefined;
      return erasePlanned(
        query,
        await definitionsOf(query, workspaceId),
        wantedBy(query, admin, workspaceId, subject),
        plan,
      );
    }).catch((error: unknown) => {
      throw BUSY.has(errorCode(error))
        ? busy("Other transactions hold locks that it needs, or the database is very busy")
        : error;
    });
    if (erased) return erased;
  }
  throw busy("The person keeps changing");
}

/** Locks the deletion, so that no restore brings the person back. engine/changes/restore-records.ts */
async function lockDeletion(query: Query, workspaceId: Uuid, { uuid }: Subject): Promise<void> {
  await query(
    "select seq from change_log where workspace_id = $1 and record_id = $2 and type = 'person.deleted' order by seq for update",
    [workspaceId, uuid],
  );
}

const BUSY = new Set<string | undefined>([
  SQLSTATE.lockNotAvailable,
  SQLSTATE.queryCanceled,
  SQLSTATE.deadlockDetected,
  SQLSTATE.idleInTransactionTimeout,
]);

function busy(reason: string): CommandError {
  return new CommandError(`${reason}: nothing was erased. Run the command again in a while.`);
}

function wantedBy(query: Query, admin: Admin, workspaceId: Uuid, subject: Subject): Wanted {
  return { workspaceId, subject, marks: marksOf(subject), sealing: sealingBy(query, admin) };
}

async function workspaceOf(admin: Admin, slug: string): Promise<Uuid> {
  const { id } = await admin.call<{ id: string }>("workspaces.get", { workspace: slug });
  return uuidOf("workspace", id) as Uuid;
}

async function definitionsOf(query: Query, workspaceId: Uuid) {
  const definitions = await loadDefinitions(query, workspaceId);
  if (!definitions) throw new CommandError("The workspace was removed just now.");
  return definitions;
}

/** @throws CommandError when no person of the workspace has this address or id, or several have */
async function theSubject(query: Query, workspaceId: Uuid, asked: string, slug: string): Promise<Subject> {
  const subjects = await findSubjects(query, workspaceId, asked);
  const [subject] = subjects;
  if (subject && subjects.length === 1) return subject;
  if (!subject)
    throw new CommandError(
      `No person in ${slug} has the id or the e-mail address ${asked}. Look for other addresses of the person.`,
    );
  const ids = subjects
    .map(({ uuid, isDeleted }) => `${toId("person", uuid)}${isDeleted ? " (in the trash)" : ""}`)
    .join(", ");
  throw new CommandError(`${subjects.length} people have the address ${asked}. Give the id of one: ${ids}.`);
}

function sealingBy(query: Query, { env }: Admin) {
  const database = { read: query };
  useKeys(database, keyPlaces(env));
  return () => sealingOf(database);
}
