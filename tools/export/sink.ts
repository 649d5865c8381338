import { finished } from "node:stream/promises";
import type { Admin } from "../terminal/admin.ts";
import { writeOut } from "../terminal/output.ts";
import { writeWhole } from "../terminal/whole-file.ts";

/** Takes texts or bytes, one after the other. Returns false when the reader has gone. */
export type Take = (part: string | Uint8Array) => Promise<boolean>;

/** Destination of an export: a file, or standard output. */
export interface OutputOptions {
  output?: string;
  /** Whether a file that is there is overwritten. */
  force?: boolean;
}

const STANDARD_OUTPUT = "-";

/**
 * Writes an export to a file, or to standard output. The file gets its name when it is complete, so that one which was
 * cut short is never taken for whole.
 * @throws CommandError when the file cannot be written
 */
export async function toOutput<Result>(
  { write }: Pick<Admin, "write">,
  { output: file, force = false }: OutputOptions,
  work: (take: Take) => Promise<Result>,
): Promise<Result> {
  if (file === undefined || file === STANDARD_OUTPUT) return work((part) => write(String(part)));
  return writeWhole(file, force, async (stream) => {
    const closed = finished(stream);
    // The next writer gets the error.
    closed.catch(() => undefined);
    const result = await work(async (part) => {
      if (!(await writeOut(stream, part))) await closed;
      return true;
    });
    stream.end();
    await closed;
    return result;
  });
}
