import type { CountryCode } from "libphonenumber-js/min";
import { piecesOf, sampleOf, sizeOf } from "../file-pieces.ts";
import { ReadError } from "../read-error.ts";
import { readCalendar } from "./calendar/calendar.ts";
import { readChat } from "./chat/chat.ts";
import type { DateOrder } from "./chat/date-order.ts";
import type { People } from "./chat/people.ts";
import { chatInZip } from "./chat/zip.ts";
import { FORMS, type Form, formOf, SAMPLE_BYTES } from "./form.ts";
import { readMbox } from "./mail/mbox.ts";
import { readNdjson } from "./ndjson.ts";
import type { Read } from "./read.ts";
import type { Source } from "./source.ts";

/** Options for reading a file that the file itself does not answer. */
export interface ReadOptions {
  /** The IANA name of the zone of times that name none; without it that of the calendar, or of this machine. */
  zone?: string | undefined;
  /** The order of day, month and year in a chat. */
  dates?: DateOrder | undefined;
  /** Names in a chat and the people they mean. */
  people?: People | undefined;
  /** Country of phone numbers without a country code. */
  country?: CountryCode | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

export interface InteractionFile {
  name: string;
  /** Unit that `place` counts. */
  unit: "line" | "mail" | "event";
  /** All bytes that are read, for progress: the size of the file as often as it is read. */
  bytes: number;
  /**
   * Everything in the file; `onBytes` gets the number of bytes read so far. A caller that stops early has to return
   * from it.
   */
  read(onBytes?: (bytes: number) => void): AsyncGenerator<Read>;
}

type Reader = (source: Source, options: ReadOptions, onBytes?: (bytes: number) => void) => AsyncGenerator<Read>;

const zoneOf = ({ zone }: ReadOptions) => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Form → how often the file is read, and how. */
const READERS: Record<Exclude<Form, "zip">, { times: number; reader: Reader }> = {
  ndjson: { times: 1, reader: (source, _options, onBytes) => readNdjson(source.pieces(onBytes)) },
  mbox: { times: 1, reader: (source, _options, onBytes) => readMbox(source.pieces(onBytes)) },
  calendar: {
    times: 2,
    reader: (source, options, onBytes) =>
      readCalendar(source, {
        zone: zoneOf(options),
        isZoneGiven: options.zone !== undefined,
        now: options.now,
        onBytes,
      }),
  },
  chat: {
    times: 2,
    reader: (source, options, onBytes) =>
      readChat(source, { ...options, zone: zoneOf(options), people: options.people ?? new Map(), onBytes }),
  },
};

/**
 * Opens a file of interactions in any of the forms. docs/guides/import-interactions.md
 * @throws ReadError when it cannot be read, or is none
 */
export async function openInteractions(name: string, options: ReadOptions): Promise<InteractionFile> {
  if (name === "-")
    throw new ReadError("Interactions are not read from standard input: write it into a file, and import that.");
  const form = formOf(name, sampleOf(name, SAMPLE_BYTES, "a file"));
  const source = form === "zip" ? await chatInZip(name) : fileSource(name);
  const { times, reader } = READERS[form === "zip" ? "chat" : form];
  if (options.people && reader !== READERS.chat.reader)
    throw new ReadError(`${name} is not a chat: a file for --map names the people of a chat.`);
  return {
    name: source.name,
    unit: FORMS[form].unit,
    bytes: source.bytes * times,
    read: (onBytes) => reader(source, options, onBytes),
  };
}

function fileSource(name: string): Source {
  return { name, bytes: sizeOf(name), pieces: (onBytes) => piecesOf(name, onBytes) };
}
