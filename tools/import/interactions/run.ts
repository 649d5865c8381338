import type { DateOrder } from "contact-workspace-readers/date-order";
import { openInteractions, type ReadOptions } from "contact-workspace-readers/interactions";
import { isCountry } from "contact-workspace-readers/phone-numbers";
import { isZone } from "contact-workspace-readers/wall-time";
import type { Caller } from "../../../base/contract/caller.ts";
import { type Admin, CommandError } from "../../terminal/admin.ts";
import { createProgress } from "../progress.ts";
import { createBatch, type Waiting } from "./batches.ts";
import { type Judged, judged } from "./judged.ts";
import { readPeople } from "./people-file.ts";
import { createTally, type InteractionsAnswer, type Tally, type Written } from "./tally.ts";

export interface InteractionOptions {
  workspace: string;
  zone?: string;
  dates?: DateOrder;
  map?: string;
  country?: string;
  create?: boolean;
  user?: string;
  dryRun?: boolean;
}

export interface ImportedFile {
  /** What the lines of the answer are. */
  unit: "line" | "mail" | "event";
  answer: InteractionsAnswer;
}

/** Imports a file of interactions, batch by batch: memory stays the same however long it is. Running it again changes nothing. */
export async function runInteractionsImport(
  admin: Admin,
  path: string,
  options: InteractionOptions,
): Promise<ImportedFile> {
  const { workspace, user, create = false, dryRun = false } = options;
  const reading = readOptions(options);
  const file = await openInteractions(path, reading);
  const asked = { workspace, ...(user !== undefined && { user }) };
  const { caller } = await admin.call<{ caller: Caller }>("workspaces.importCaller", asked);
  const tally = createTally(dryRun);
  const progress = createProgress(admin, file.bytes);

  async function write(batch: Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    const interactions = batch.map(({ interaction }) => interaction);
    const params = {
      interactions,
      create,
      dryRun,
      // Other archives may hold other copies of a mail.
      firstCounts: file.unit === "mail",
      ...(options.country !== undefined && { country: options.country }),
    };
    const results = await admin.call<Written[]>("interactions-import.write", params, caller);
    for (const [i, { place, interaction }] of batch.entries())
      tally.written(place, interaction, results[i] ?? { refused: "Nothing was written", path: [] });
  }

  try {
    const batch = createBatch();
    for await (const read of judged(file.read(progress.at), reading.country)) {
      const waiting = counted(read, tally);
      if (waiting) await write(batch.add(waiting));
    }
    await write(batch.rest());
  } finally {
    progress.stop();
  }
  return { unit: file.unit, answer: tally.answer() };
}

/** @throws CommandError for a zone or a country that there is not, or a map that cannot be read */
function readOptions({ zone, country, dates, map }: InteractionOptions): ReadOptions {
  if (zone !== undefined && !isZone(zone))
    throw new CommandError(`--zone: there is no time zone "${zone}". One is called Europe/London, for example.`, 2);
  if (country !== undefined && !isCountry(country))
    throw new CommandError(`--country: "${country}" is no country of ISO 3166, in capital letters like GB.`, 2);
  return { zone, country, dates, now: Date.now(), ...(map !== undefined && { people: readPeople(map, country) }) };
}

/** What is to be written; all else is counted, and nothing is left of it. */
function counted(read: Judged, tally: Tally): Waiting | null {
  if ("refused" in read) tally.refuse(read.place, read.refused, read.path);
  else if ("leftOut" in read) tally.leaveOut(read.leftOut);
  else {
    if (read.isCut) tally.cut();
    return { place: read.place, interaction: read.interaction };
  }
  return null;
}
