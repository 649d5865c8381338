import { loadCatalog } from "../../lib/catalog/catalog.ts";
import type { Query } from "../../lib/database/query.ts";
import { type Dossier, dossierOf } from "../../lib/privacy/dossier.ts";
import { type Erased, erasePerson } from "../../lib/privacy/erase.ts";
import { findSubjects, type Subject } from "../../lib/privacy/subject.ts";
import { sealingOf, useKeys } from "../../lib/secrets/sealing.ts";
import { toId, type Uuid, uuidOf } from "../../lib/values/ids.ts";
import { type Admin, CommandError } from "../admin.ts";
import { keyPlaces } from "../encryption-keys.ts";
import { inSnapshot, inTransaction } from "../own-connection.ts";

/** Everything that a workspace holds about a person, who is named by an e-mail address or an id. */
export async function exportPerson(admin: Admin, slug: string, asked: string): Promise<Dossier> {
  const workspaceId = await workspaceOf(admin, slug);
  return inSnapshot(admin.env, async (query) => {
    const subject = await theSubject(query, workspaceId, asked, slug);
    return dossierOf(query, await catalogOf(query, workspaceId), subject, sealingBy(query, admin));
  });
}

/** What was erased, or would be. Of somebody who is still there also the name, by which a mistake is seen. */
export interface Tried extends Erased {
  fullName?: string;
}

/** Erases a person. A dry run is the real run, undone at its end. */
export async function eraseOrTry(
  admin: Admin,
  slug: string,
  asked: string,
  { dryRun }: { dryRun: boolean },
): Promise<Tried> {
  const workspaceId = await workspaceOf(admin, slug);
  const undo = new Error("A dry run is undone");
  let erased: Tried | undefined;
  try {
    await inTransaction(admin.env, "", async (query) => {
      const subject = await theSubject(query, workspaceId, asked, slug);
      erased = await erasePerson(query, await catalogOf(query, workspaceId), subject, sealingBy(query, admin));
      if (!dryRun) return;
      erased.fullName = subject.fullName;
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (!erased) throw new Error("Nothing was erased");
  return erased;
}

async function workspaceOf(admin: Admin, slug: string): Promise<Uuid> {
  const { id } = await admin.call<{ id: string }>("workspaces.get", { workspace: slug });
  return uuidOf("workspace", id) as Uuid;
}

async function catalogOf(query: Query, workspaceId: Uuid) {
  const catalog = await loadCatalog(query, workspaceId);
  if (!catalog) throw new CommandError("The workspace was removed just now.");
  return catalog;
}

/** @throws CommandError when the workspace has nobody of this address or id, or several */
async function theSubject(query: Query, workspaceId: Uuid, asked: string, slug: string): Promise<Subject> {
  const subjects = await findSubjects(query, workspaceId, asked);
  const [subject] = subjects;
  if (subject && subjects.length === 1) return subject;
  if (!subject)
    throw new CommandError(
      `Nobody in ${slug} has the id or the e-mail address ${asked}. Look for other addresses of the person.`,
    );
  const ids = subjects.map(({ uuid }) => toId("person", uuid)).join(", ");
  throw new CommandError(`${subjects.length} people have the address ${asked}. Give the id of one: ${ids}.`);
}

function sealingBy(query: Query, { env }: Admin) {
  const database = { read: query };
  useKeys(database, keyPlaces(env));
  return () => sealingOf(database);
}
