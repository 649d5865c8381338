import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import { CommandError } from "../../admin.ts";
import { sampleOf, sizeOf } from "../file-pieces.ts";
import type { Table, TableRow } from "./table.ts";

const DELIMITERS = [",", ";", "\t"];
const SAMPLE_BYTES = 64 * 1024;

/**
 * Opens a CSV file in UTF-8, with or without byte order mark, delimited by comma, semicolon or tab.
 * @throws CommandError when it cannot be read or has no heading
 */
export async function openCsv(name: string): Promise<Table> {
  const delimiter = delimiterOf(sampleOf(name, SAMPLE_BYTES, "a CSV file").toString("utf8"));
  const read = (onBytes?: (bytes: number) => void) => readRows(name, delimiter, onBytes);
  const first = await read().next();
  if (first.done) throw new CommandError(`${name} is empty: it needs a line of headings and a line for each record.`);
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
    let isHeading = true;
    for await (const row of read(onBytes)) {
      if (!isHeading) yield row;
      isHeading = false;
    }
  }
  return { name, headings: first.value.cells, headingLine: first.value.line, delimiter, bytes: sizeOf(name), rows };
}

/** The one that is most frequent in the heading, outside of quotes. */
function delimiterOf(sample: string): string {
  const heading = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(sample)?.[0].replaceAll(/"(?:[^"]|"")*"/g, "") ?? "";
  const counts = DELIMITERS.map((delimiter) => heading.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

async function* readRows(name: string, delimiter: string, onBytes?: (bytes: number) => void): AsyncGenerator<TableRow> {
  const parser = parse({
    delimiter,
    info: true,
    // Rows of another length are refused one by one, and a quote within a word is no reason to refuse a file.
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ["\r\n", "\n", "\r"],
  });
  const source = createReadStream(name);
  const feeding = pipeline(decode(source, name, onBytes), parser);
  // The parser ends with the same error, and whoever reads it hears of it there.
  feeding.catch(() => undefined);
  let counted = 0;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      // The parser counts the line in which a row ends, and a CRLF within quotes as two.
      const breaks = cells.flatMap((cell) => (/[\r\n]/.test(cell) ? (cell.match(/\r\n|\r|\n/g) ?? []) : []));
      counted += breaks.filter((text) => text === "\r\n").length;
      yield { line: info.lines - counted - breaks.length, cells };
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${name}: ${(error as Error).message}`);
  } finally {
    parser.destroy();
    source.destroy();
  }
}

/** Text of the file; anything but UTF-8 would be garbled silently otherwise. */
async function* decode(
  source: AsyncIterable<Buffer>,
  name: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of source) {
      yield decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      onBytes?.(bytes);
    }
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new CommandError(`${name} is not in UTF-8: save it in that encoding.`);
  }
}
