import { createWriteStream } from "node:fs";
import { rename, unlink } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { type Admin, CommandError } from "../admin.ts";
import { writeOut } from "../write-out.ts";

/** Takes texts or bytes, one after the other. Gives false when nobody reads them any more. */
export type Take = (part: string | Uint8Array) => Promise<boolean>;

/** Whoever reads an export sees data of people: nobody else on the machine may. */
const OWNER_ONLY = 0o600;

/**
 * Writes an export to a file, or to standard output. The file gets its name when it is complete, so that one which was cut short is
 * never taken for whole.
 * @throws CommandError when the file cannot be written
 */
export async function toOutput<Result>(
  { write }: Pick<Admin, "write">,
  file: string | undefined,
  work: (take: Take) => Promise<Result>,
): Promise<Result> {
  if (file === undefined) return work((part) => write(String(part)));
  const part = `${file}.part`;
  const stream = createWriteStream(part, { mode: OWNER_ONLY });
  const closed = finished(stream);
  const failed = closed.then(
    () => new Promise<never>(() => undefined),
    (error: Error) => {
      throw new CommandError(`${file} cannot be written: ${error.message}.`);
    },
  );
  try {
    const writing = work((text) => writeOut(stream, text as string));
    const result = await Promise.race([writing, failed]);
    stream.end();
    await Promise.race([closed, failed]);
    await rename(part, file);
    return result;
  } catch (error) {
    stream.destroy();
    failed.catch(() => undefined);
    await unlink(part).catch(() => undefined);
    throw error;
  }
}
