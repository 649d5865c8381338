import { toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { comparableEmail } from "../../base/values/text.ts";
import type { Query } from "../../database/query.ts";
import type { StoredEntry } from "../../engine/feed/published.ts";
import { peopleByEmail } from "../../engine/records/find-by-address.ts";
import { type LogBody, type LogMore, logTypesOf } from "../../model/log.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import { patternOf, searched } from "./folded-for-search.ts";

/** A person whose data is asked for, or is to be erased. */
export interface Subject {
  uuid: Uuid;
  /** Whether the person was deleted, and lies in the trash. */
  isDeleted: boolean;
  /** Those of people who were merged into this one. */
  formerIds: Uuid[];
  fullName: string;
  /** E-mail addresses that the person has now, or had before a change or a merge that the log still tells. */
  emails: string[];
  phones: string[];
  /** Full names, also with the last name in front. */
  names: string[];
}

interface Known {
  firstName: string;
  lastName: string;
  fullName: string;
  emails: string[];
  phones: string[];
}

/**
 * The people whom an id or an e-mail address names, with or without letter case, also those in the trash; the id of a
 * merged person names the survivor. None when there is no such person, several when they share the address.
 */
export async function findSubjects(query: Query, workspaceId: Uuid, asked: string): Promise<Subject[]> {
  const uuids = await uuidsOf(query, workspaceId, asked.trim());
  const subjects = await Promise.all(uuids.map((uuid) => subjectOf(query, workspaceId, uuid)));
  return subjects.flatMap((subject) => subject ?? []);
}

async function uuidsOf(query: Query, workspaceId: Uuid, asked: string): Promise<Uuid[]> {
  const uuid = uuidOf("person", asked);
  if (uuid !== null) return [(await resolveAliases(query, workspaceId, "person", [uuid])).get(uuid) ?? uuid];
  const address = comparableEmail(asked);
  const present = (await peopleByEmail({ query, caller: { workspaceId } }, [address])).get(address) ?? [];
  return [...new Set([...present, ...(await deletedByEmail(query, workspaceId, address))])];
}

/** The deleted people with this address, as far as the log has kept their rows. */
async function deletedByEmail(query: Query, workspaceId: Uuid, address: string): Promise<Uuid[]> {
  const rows = await query<{ id: Uuid; emails: string[] | null }>(
    `select record_id as id, more -> 'gone' -> 'row' -> 'emails' as emails from change_log t
     where workspace_id = $1 and type = 'person.deleted' and body ->> 'into' is null
       and ${searched("(more -> 'gone' -> 'row' -> 'emails')::text")} like $2
       and not exists (select from people p where p.workspace_id = $1 and p.id = t.record_id)`,
    [workspaceId, patternOf(address)],
  );
  return rows.flatMap(({ id, emails }) => (emails?.some((one) => comparableEmail(one) === address) ? id : []));
}

async function subjectOf(query: Query, workspaceId: Uuid, uuid: Uuid): Promise<Subject | null> {
  const [present] = await query<Known>(
    `select first_name as "firstName", last_name as "lastName", full_name as "fullName", emails, phones from people where workspace_id = $1 and id = $2`,
    [workspaceId, uuid],
  );
  const deleted = present ? null : await deletedOf(query, workspaceId, uuid);
  if (deleted && "into" in deleted) return subjectOf(query, workspaceId, deleted.into);
  const person = present ?? deleted?.known;
  if (!person) return null;
  const aliases = await query<{ id: Uuid }>(
    "select alias_id as id from person_aliases where workspace_id = $1 and person_id = $2 order by 1",
    [workspaceId, uuid],
  );
  const formerIds = deleted?.formerIds ?? aliases.map(({ id }) => id);
  const all = [person, ...(await knownBefore(query, workspaceId, [uuid, ...formerIds]))];
  return {
    uuid,
    isDeleted: deleted !== null,
    formerIds,
    fullName: person.fullName,
    emails: unique(all.flatMap(({ emails }) => emails)),
    phones: unique(all.flatMap(({ phones }) => phones)),
    names: unique(all.flatMap(namesOf)),
  };
}

/** A deleted person as the log has kept it, or the survivor of its merge; null when the log has kept nothing. */
async function deletedOf(
  query: Query,
  workspaceId: Uuid,
  uuid: Uuid,
): Promise<{ known: Known; formerIds: Uuid[] } | { into: Uuid } | null> {
  const [entry] = await query<{ body: LogBody; more: LogMore | null }>(
    `select body, more from change_log where workspace_id = $1 and record_id = $2 and type = 'person.deleted'
     order by seq desc limit 1`,
    [workspaceId, uuid],
  );
  if (entry?.body.into) return { into: entry.body.into };
  const gone = entry?.more?.gone;
  return gone?.row ? { known: knownOf(gone.row), formerIds: (gone.aliases ?? []).toSorted() } : null;
}

/** Names and addresses that people had before a change, a deletion or a merge, as the log tells them. */
async function knownBefore(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<Known[]> {
  const rows = await query<{ body: StoredEntry["body"]; more: LogMore | null }>(
    "select body, more from change_log where workspace_id = $1 and record_id = any($2::uuid[]) and type = any($3)",
    [workspaceId, uuids, logTypesOf(["person.updated", "person.deleted"])],
  );
  return rows.flatMap(({ body: { changes = [], details, merged }, more }) => {
    const before = changes.flatMap((change) => ("before" in change ? [[change.path.join(), change.before]] : []));
    return [Object.fromEntries(before), details, merged?.before, merged?.survivorBefore, more?.gone?.row].map(knownOf);
  });
}

/** Names and addresses among fields of a person, of which any may be missing. */
function knownOf(fields: Record<string, unknown> = {}): Known {
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : "");
  const texts = (name: string) => (Array.isArray(fields[name]) ? (fields[name] as string[]) : []);
  return {
    firstName: text("firstName"),
    lastName: text("lastName"),
    fullName: text("fullName"),
    emails: texts("emails"),
    phones: texts("phones"),
  };
}

function namesOf({ firstName, lastName, fullName }: Known): string[] {
  const isBoth = firstName.trim() !== "" && lastName.trim() !== "";
  return [fullName, ...(isBoth ? [`${firstName} ${lastName}`, `${lastName}, ${firstName}`] : [])];
}

function unique(texts: string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== "");
}

/** All uuids of the person, the own one first. */
export function uuidsOfSubject({ uuid, formerIds }: Subject): Uuid[] {
  return [uuid, ...formerIds];
}

/** Whether a text is nothing but an id of the person, with or without prefix. */
export function isIdOf(subject: Subject): (text: unknown) => boolean {
  const ids = new Set<unknown>(uuidsOfSubject(subject).flatMap((uuid) => [uuid, toId("person", uuid)]));
  return (text) => ids.has(text);
}
