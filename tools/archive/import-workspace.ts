import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { linesOf as linesIn } from "contact-workspace-readers/lines";
import { type Id, toId, type Uuid } from "../../base/values/ids.ts";
import { violatedConstraint } from "../../database/database.ts";
import type { Query } from "../../database/query.ts";
import { SLUG_TAKEN } from "../../engine/definitions/workspaces.queries.ts";
import { sealingOf, useKeys } from "../../engine/secrets/sealing.ts";
import { refreshStatistics } from "../import/statistics.ts";
import { keyPlaces } from "../installation/encryption-keys.ts";
import { inTransaction } from "../installation/own-connection.ts";
import { type Admin, CommandError } from "../terminal/admin.ts";
import { PARTS } from "./archived-tables.ts";
import { type NewUuid, newUuids } from "./map-ids.ts";
import { ArchiveFault, openArchive } from "./read.ts";
import { type Restored, restoreWorkspace } from "./restore.ts";

const MIB = 1024 * 1024;
/** Nothing that is archived is as long, and 32 KiB can be unpacked into a line of 32 MiB. */
const LINE_BYTES_MAX = 32 * MIB;

/**
 * The lines of a compressed file, without their line breaks.
 * @throws CommandError when it cannot be read, is not compressed by gzip, ends too early, or has a line that no archive
 *   has
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(file), gunzip);
  // The reader of the lines gets the same error.
  reading.catch(() => undefined);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const pieces = withLineBreaks(gunzip as AsyncIterable<Buffer>, file);
    for await (const { bytes } of linesIn(pieces, Number.POSITIVE_INFINITY)) yield decoder.decode(bytes);
    await reading;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} ${reasonOf(error as NodeJS.ErrnoException)}`);
  } finally {
    gunzip.destroy();
  }
}

/** Ends at a line that is too long, instead of reading on until it ends. */
async function* withLineBreaks(pieces: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let lineBytes = 0;
  for await (const piece of pieces) {
    const lineBreak = piece.lastIndexOf("\n");
    lineBytes = lineBreak < 0 ? lineBytes + piece.length : piece.length - lineBreak - 1;
    if (lineBytes > LINE_BYTES_MAX)
      throw new CommandError(
        `${file} has a line of more than ${LINE_BYTES_MAX / MIB} MiB: it was not made by export --all, or is damaged.`,
      );
    yield piece;
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "is not there.";
  if (code === "EISDIR") return "is a folder: name the archive in it.";
  if (code === "EACCES") return "cannot be read: this user has no right to read it.";
  if (code === "Z_BUF_ERROR") return "is cut short: copy it again, or export anew.";
  if (code?.startsWith("Z_") || code === "ERR_ENCODING_INVALID_ENCODED_DATA")
    return "is not an archive made by export --all, or is damaged.";
  return `cannot be read: ${message}.`;
}

/** Result of the import of an archive, as it is printed. */
export interface ImportedWorkspace {
  workspace: { id: Id; slug: string; name: string };
  /** True if all ids are those of the archive. */
  idsKept: boolean;
  counts: Restored["counts"];
}

/**
 * Makes a workspace of an archive in one transaction: all of it is there afterwards, or nothing, also when the process
 * is killed.
 * docs/guides/export.md#importing-an-archive
 * @throws CommandError for an archive that is not whole or of another release, and for a slug that is taken
 */
export async function importWorkspace(admin: Admin, file: string, slug?: string): Promise<ImportedWorkspace> {
  // It migrates the database.
  const { workspaces } = await admin.call<{ workspaces: { id: string; slug: string }[] }>("workspaces.list", {});
  let wanted = slug ?? "";
  try {
    const opened = await openArchive(linesOf(file));
    const { workspace } = opened.head;
    wanted = slug ?? workspace.slug;
    needFree(wanted, workspaces);
    const isKnown = workspaces.some(({ id }) => id === toId("workspace", workspace.id));
    const withNewIds = (archive: Archive) =>
      importArchive(admin, wanted, archive, newUuids(randomBytes(16).toString("hex")));
    const imported = isKnown
      ? await withNewIds(opened)
      : await importArchive(admin, wanted, opened).catch(async (error: unknown) => {
          if (isIdTaken(error)) return withNewIds(await openArchive(linesOf(file)));
          throw error;
        });
    await refreshStatistics(admin);
    return imported;
  } catch (error) {
    if (error instanceof ArchiveFault) throw new CommandError(`${file}: ${error.message} Nothing was imported.`);
    // Another process has created it in the meantime.
    if (violatedConstraint(error) === SLUG_TAKEN) throw taken(wanted);
    throw error;
  }
}

/** Imports end one after the other, so that each finds the ids of those before it. The number means nothing else. */
const ONE_AT_A_TIME = "select pg_advisory_xact_lock(4931700815)";

const IDS_TAKEN = new Error("Ids of the archive are those of another workspace");

/** Whether nothing was imported because ids that were to be kept are there already. */
function isIdTaken(error: unknown): boolean {
  return error === IDS_TAKEN || violatedConstraint(error) === "workspaces_pkey";
}

type Archive = Awaited<ReturnType<typeof openArchive>>;

/** @param newUuid all ids are kept without it */
function importArchive(
  admin: Admin,
  slug: string,
  { head, things }: Archive,
  newUuid?: NewUuid,
): Promise<ImportedWorkspace> {
  const idsKept = newUuid === undefined;
  return inTransaction(admin.env, "", async (query) => {
    const into = { query, slug, newUuid: newUuid ?? ((uuid) => uuid), sealing: () => sealingOf(keysBy(query, admin)) };
    const { workspaceId, counts } = await restoreWorkspace(into, head, things);
    await query(ONE_AT_A_TIME, []);
    // An archive made by hand can hold any ids, and commands find a thing by its id alone.
    if (idsKept && (await hasIdsOfOthers(query, workspaceId))) throw IDS_TAKEN;
    return { workspace: { id: toId("workspace", workspaceId), slug, name: head.workspace.name }, idsKept, counts };
  });
}

/** docs/guides/workspace-file.md#the-file */
const SLUG = /^[a-z0-9-]{1,63}$/;

function needFree(slug: string, workspaces: { slug: string }[]): void {
  if (!SLUG.test(slug))
    throw new CommandError(`"${slug}" is not a slug: use a-z, 0-9 and -, at most 63 characters.`, 2);
  if (workspaces.some((one) => one.slug === slug)) throw taken(slug);
}

function taken(slug: string): CommandError {
  return new CommandError(
    `There is a workspace "${slug}" already, and an archive becomes a new one: give it another slug with --workspace.`,
  );
}

function keysBy(query: Query, { env }: Admin): { read: Query } {
  const database = { read: query };
  useKeys(database, keyPlaces(env));
  return database;
}

/**
 * Whether a workspace has an id that a thing of the same kind in another workspace has too. All ids are grouped:
 * PostgreSQL knows nothing yet of rows that were imported just now, takes them for one, and would go through the others
 * for each of them.
 */
export async function hasIdsOfOthers(query: Query, workspaceId: Uuid): Promise<boolean> {
  for (const { table, column } of idColumns()) {
    const [shared] = await query(
      `select 1 from ${table} group by ${column} having count(*) > 1 and bool_or(workspace_id = $1) limit 1`,
      [workspaceId],
    );
    if (shared) return true;
  }
  return false;
}

/** Table → column of the ids of its rows. Other rows get their keys from the row they belong to. */
function idColumns(): { table: string; column: string }[] {
  return PARTS.flatMap(({ table, key }) => {
    const column = key.find((name) => name === "id" || name === "alias_id");
    return column === undefined ? [] : [{ table, column }];
  });
}
