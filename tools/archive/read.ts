import { createHash } from "node:crypto";
import { checkJsonSize } from "../../base/values/json.ts";
import { ARCHIVE_FORMAT, ARCHIVE_KIND, PARTS, type Part } from "./archived-tables.ts";
import type { ArchiveEnd, ArchiveHead } from "./write.ts";

/** Fault of an archive, in words for its reader. */
export class ArchiveFault extends Error {}

/** Some things of one part, in the order of the archive. */
export interface ArchivedThings {
  part: Part;
  things: Record<string, unknown>[];
}

/** Things that are given together, and the most characters that their lines have. */
const THINGS = 500;
const CHARACTERS = 4 * 1024 * 1024;

const CUT = "The archive is cut short: its end is missing. Copy it again, or export anew.";

/**
 * Reads the head of an archive, and returns the rest part by part.
 * @throws ArchiveFault if it is not an archive, or has an unknown format; and during the reading if lines are missing
 *   or changed
 */
export async function openArchive(
  lines: AsyncIterator<string>,
): Promise<{ head: ArchiveHead; things: AsyncGenerator<ArchivedThings> }> {
  const first = await lines.next();
  const head = first.done ? undefined : (parsed(first.value, 1) as Partial<ArchiveHead>);
  if (head?.kind !== ARCHIVE_KIND || !head.workspace) throw new ArchiveFault("This is not an archive of a workspace.");
  if (head.format !== ARCHIVE_FORMAT)
    throw new ArchiveFault(
      `The archive has the format ${head.format}; this release reads ${ARCHIVE_FORMAT}. Import it with the release that made it, or a later one.`,
    );
  const sha256 = createHash("sha256").update(`${first.value}\n`);
  return { head: head as ArchiveHead, things: thingsOf(lines, sha256) };
}

/** Puts things of one part that follow each other together. */
async function* thingsOf(
  lines: AsyncIterator<string>,
  sha256: ReturnType<typeof createHash>,
): AsyncGenerator<ArchivedThings> {
  let waiting: ArchivedThings | undefined;
  let characters = 0;
  for await (const { part, thing, length } of eachThing(lines, sha256)) {
    characters += length;
    if (waiting && (waiting.part !== part || waiting.things.length >= THINGS || characters > CHARACTERS)) {
      yield waiting;
      waiting = undefined;
      characters = length;
    }
    waiting ??= { part, things: [] };
    waiting.things.push(thing);
  }
  if (waiting) yield waiting;
}

/** Parts of archives of earlier releases that this one does not read: the log of a workspace tells of merges now. */
const LEFT_OUT = new Set(["merges"]);

interface ArchivedThing {
  part: Part;
  thing: Record<string, unknown>;
  length: number;
}

async function* eachThing(
  lines: AsyncIterator<string>,
  sha256: ReturnType<typeof createHash>,
): AsyncGenerator<ArchivedThing> {
  const parts = new Map(PARTS.map((part) => [part.name, part]));
  const counts: Record<string, number> = Object.fromEntries(PARTS.map(({ name }) => [name, 0]));
  for (let number = 2; ; number += 1) {
    const { value: line, done } = await lines.next();
    if (done) throw new ArchiveFault(CUT);
    const [[name, thing] = ["", undefined]] = Object.entries(parsed(line, number));
    if (name === "end")
      return await checkEnd(lines, thing as ArchiveEnd["end"], { counts, sha256: sha256.digest("hex") });
    sha256.update(`${line}\n`);
    if (LEFT_OUT.has(name)) continue;
    const part = parts.get(name);
    if (!part) throw new ArchiveFault(`Line ${number} holds "${name}", which this release does not know.`);
    counts[name] = (counts[name] ?? 0) + 1;
    yield { part, thing: thing as Record<string, unknown>, length: line.length };
  }
}

function parsed(line: string, number: number): object {
  try {
    // A line that is no longer than others may hold brackets that take a hundred times its memory.
    checkJsonSize(line);
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // A line that is no JSON, or is longer than any entry, gets the message of one that is no object.
  }
  throw new ArchiveFault(
    number === 1 ? "This is not an archive of a workspace." : `Line ${number} of the archive is damaged.`,
  );
}

async function checkEnd(
  lines: AsyncIterator<string>,
  said: ArchiveEnd["end"],
  found: ArchiveEnd["end"],
): Promise<void> {
  for (const [name, count] of Object.entries(found.counts))
    if ((said.counts?.[name] ?? 0) !== count)
      throw new ArchiveFault(
        `The archive has ${count} of "${name}", and says that it has ${said.counts?.[name] ?? 0}.`,
      );
  if (said.sha256 !== found.sha256)
    throw new ArchiveFault("The archive was changed since it was made: its checksum is another.");
  // Reading on finds out whether the compressed file is whole.
  if (!(await lines.next()).done) throw new ArchiveFault("The archive has data after its end.");
}
