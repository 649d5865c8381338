import { createHash } from "node:crypto";
import { inOrder } from "../in-order.ts";
import { startParser } from "../parser.ts";
import type { Outcome, Read } from "../read.ts";
import type { RawMail } from "./mail.ts";
import { type ArchivedMail, createMboxSplitter, MAIL_BYTES_MAX } from "./mbox-splitter.ts";

/** The mails of an archive. docs/guides/import-interactions.md#archives-of-mails */
export async function* readMbox(pieces: AsyncIterable<Buffer>): AsyncGenerator<Read> {
  const parser = startParser<RawMail, Outcome>({ reads: "mails" });
  const isCopy = createCopyFinder();
  try {
    const reads = inOrder(mailsOf(pieces), {
      sizeOf: ({ mail }) => mail?.bytes.length ?? 0,
      work: async ({ place, mail }) => ({ place, ...(mail ? await parser.parse(mail) : TOO_LARGE) }),
    });
    for await (const read of reads)
      yield "interaction" in read && isCopy(read.interaction.id) ? { place: read.place, leftOut: "copies" } : read;
  } finally {
    await parser.close();
  }
}

/** Bytes of a hash that tell a billion ids apart. */
const HASH_BYTES = 12;

/**
 * Tells of each id in turn whether it came before. An archive may hold several copies of a mail, such as the one that
 * was sent and the one that a mailing list has returned: the first one counts, so that every run writes the same.
 */
function createCopyFinder(): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    const hash = createHash("sha256").update(id).digest().toString("base64", 0, HASH_BYTES);
    if (seen.has(hash)) return true;
    seen.add(hash);
    return false;
  };
}

const TOO_LARGE: Outcome = {
  refused: `The mail has more than ${MAIL_BYTES_MAX / 1024 / 1024} MiB beside its attachments`,
};

async function* mailsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<ArchivedMail> {
  const splitter = createMboxSplitter();
  for await (const piece of pieces) yield* splitter.push(piece);
  yield* splitter.end();
}
