import { setImmediate } from "node:timers/promises";
import type { DateOrder } from "contact-workspace-readers/date-order";
import { openInteractions, type ReadOptions } from "contact-workspace-readers/interactions";
import { nameKey, type People, participantOf } from "contact-workspace-readers/people";
import { isCountry } from "contact-workspace-readers/phone-numbers";
import type { Outcome, Read } from "contact-workspace-readers/read";
import { isZone } from "contact-workspace-readers/wall-time";
import type { CountryCode } from "libphonenumber-js/min";
import { isMap, isScalar } from "yaml";
import type { Caller } from "../../../base/contract/caller.ts";
import { type ImportedInteraction, importedIssues } from "../../../engine/interactions/imported.ts";
import { normalForm } from "../../../engine/interactions/normal-form.ts";
import { type Admin, CommandError } from "../../terminal/admin.ts";
import { inWords } from "../../terminal/issue-words.ts";
import { createProgress } from "../../terminal/progress.ts";
import { nameOf, nodeIn, readYaml } from "../../terminal/yaml-file.ts";
import { createTally, type InteractionsAnswer, type Tally, type Written } from "./tally.ts";

/** An item that was read and judged: an interaction in the normal form, or the reason why there is none. */
export type Judged = { place: number } & (
  | { interaction: ImportedInteraction; isCut?: boolean }
  | Exclude<Outcome, { interaction: unknown } | { json: unknown }>
);

/** Number of things that are given before everything else in the process gets its turn. */
const IN_A_TURN = 50;

/**
 * All that is read, judged. What is given is sure to be valid, so that no reader can make the server refuse the others
 * that are sent with it. `country` is where numbers without a country code are dialled.
 */
export async function* judged(reads: AsyncIterable<Read>, country: CountryCode | undefined): AsyncGenerator<Judged> {
  let given = 0;
  for await (const read of reads) {
    given += 1;
    if (given % IN_A_TURN === 0) await setImmediate();
    if ("json" in read) yield { place: read.place, ...judgeWritten(read.json, country) };
    else if ("interaction" in read) {
      const judged = judgeMade(read.interaction, country);
      yield "refused" in judged ? { place: read.place, ...judged } : { ...read, ...judged };
    } else yield read;
  }
}

/** A line of JSON, which a person may have written: all that is wrong with it is counted. */
function judgeWritten(json: unknown, country: CountryCode | undefined) {
  const [issue, ...more] = importedIssues(json);
  // The schema has found nothing wrong, so it is one.
  if (!issue) return judgeMade(json as ImportedInteraction, country);
  const words = issue.code === "unrecognized_keys" ? issue.message : inWords(issue);
  const path = issue.path.join(".");
  return { refused: `${words}${more.length > 0 ? ` (and ${more.length} more)` : ""}`, ...(path !== "" && { path }) };
}

function judgeMade(made: ImportedInteraction, country: CountryCode | undefined) {
  const interaction = normalForm(made, country);
  const [issue] = importedIssues(interaction);
  return issue ? { refused: issue.message, path: issue.path.join(".") } : { interaction };
}

const MIB = 1024 * 1024;
/** Written in one transaction, and sent over the bus in one message. */
const BATCH_MAX = 200;
const BATCH_LENGTH_MAX = 4 * MIB;

interface Waiting {
  place: number;
  interaction: ImportedInteraction;
}

/**
 * Gathers interactions that are written together. No two of them have one id, since the later one is to find the
 * earlier.
 */
interface Batch {
  /** Gives those that have to be written before this one, when it does not fit behind them. */
  add(waiting: Waiting): Waiting[];
  /** Gives those that are left. */
  rest(): Waiting[];
}

function createBatch(): Batch {
  let batch: Waiting[] = [];
  let ids = new Set<string>();
  let length = 0;

  function rest(): Waiting[] {
    const full = batch;
    batch = [];
    ids = new Set();
    length = 0;
    return full;
  }

  function add(waiting: Waiting): Waiting[] {
    const added = JSON.stringify(waiting.interaction).length;
    const fits = batch.length < BATCH_MAX && length + added <= BATCH_LENGTH_MAX && !ids.has(waiting.interaction.id);
    const full = fits ? [] : rest();
    batch.push(waiting);
    ids.add(waiting.interaction.id);
    length += added;
    return full;
  }

  return { add, rest };
}

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
  /** Unit of the lines of the answer. */
  unit: "line" | "mail" | "event";
  answer: InteractionsAnswer;
}

/**
 * Imports a file of interactions, batch by batch: memory stays the same however long it is. Running it again changes
 * nothing.
 */
export async function runInteractionsImport(
  admin: Admin,
  path: string,
  options: InteractionOptions,
): Promise<ImportedFile> {
  const { workspace, user, create = false, dryRun = false } = options;
  const reading = readOptions(options);
  const file = await openInteractions(path, reading);
  const asked = { workspace, ...(user !== undefined && { user }) };
  const { caller } = await admin.call<{ caller: Caller }>("workspaces.caller", asked);
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
    throw new CommandError(`--country: "${country}" is not a country of ISO 3166, in capital letters like GB.`, 2);
  return { zone, country, dates, now: Date.now(), ...(map !== undefined && { people: readPeople(map, country) }) };
}

/** Returns an item that is to be written. Other items are only counted, and nothing of them is kept. */
function counted(read: Judged, tally: Tally): Waiting | null {
  if ("refused" in read) tally.refuse(read.place, read.refused, read.path);
  else if ("leftOut" in read) tally.leaveOut(read.leftOut);
  else {
    if (read.isCut) tally.cut();
    return { place: read.place, interaction: read.interaction };
  }
  return null;
}

/**
 * Reads who is who: lines `name: telephone number or e-mail address`. `country` is where numbers without a country code
 * are dialled. docs/guides/import-interactions.md#whatsapp-chats
 * @throws CommandError that names file and line
 */
export function readPeople(file: string, country?: CountryCode): People {
  const { documents, fault } = readYaml(file);
  const [document, second] = documents;
  const node = document?.node ?? null;
  if (!isMap(node)) throw fault(0, "must be lines of the form name: telephone number or e-mail address");
  if (second) throw fault(second.node?.range?.[0] ?? 0, "is a second document: a map is one");
  return new Map(
    node.items.map(({ key, value }) => {
      const name = nameOf(key);
      // A number is taken as it is written: read as one it would lose its plus.
      const participant = participantOf(name, nameOf(nodeIn(value)).trim(), country);
      if (participant) return [nameKey(name), participant];
      const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
      throw fault(offset, `${name}: must be a telephone number like +447700900123, or an e-mail address`);
    }),
  );
}
