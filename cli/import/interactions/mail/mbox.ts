import { inOrder } from "../in-order.ts";
import { startParser } from "../parser.ts";
import type { Outcome, Read } from "../read.ts";
import type { RawMail } from "./mail.ts";
import { type ArchivedMail, createMboxSplitter, MAIL_BYTES_MAX } from "./mbox-splitter.ts";

/** The mails of an archive. docs/guides/import.md#archives-of-mails */
export async function* readMbox(pieces: AsyncIterable<Buffer>): AsyncGenerator<Read> {
  const parser = startParser<RawMail, Outcome>({ reads: "mails" });
  try {
    yield* inOrder(mailsOf(pieces), {
      sizeOf: ({ mail }) => mail?.bytes.length ?? 0,
      work: async ({ place, mail }) => ({ place, ...(mail ? await parser.parse(mail) : TOO_LARGE) }),
    });
  } finally {
    await parser.close();
  }
}

const TOO_LARGE: Outcome = {
  refused: `The mail has more than ${MAIL_BYTES_MAX / 1024 / 1024} MiB beside its attachments`,
};

async function* mailsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<ArchivedMail> {
  const splitter = createMboxSplitter();
  for await (const piece of pieces) yield* splitter.push(piece);
  yield* splitter.end();
}
