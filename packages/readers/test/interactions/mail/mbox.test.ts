import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { RawMail } from "../../../interactions/mail/mail.ts";
import { readMbox } from "../../../interactions/mail/mbox.ts";
import { startParser } from "../../../interactions/parser.ts";
import type { Outcome, Read } from "../../../interactions/read.ts";
import { all, pieces } from "../pieces.ts";

const MIB = 1024 * 1024;
const FROM = "From ada@acme.test Thu Jan  5 10:00:00 2024\n";
const head = (id: number | string) => `Message-ID: <${id}@acme.test>\nFrom: ada@acme.test\nTo: bob@acme.test\n`;
const mail = (id: number | string, text = "hello") => `${FROM}${head(id)}\n${text}\n\n`;
const idOf = (read: Read) => ("interaction" in read ? read.interaction.id : read);

describe("An archive of mails (docs/guides/import-interactions.md#archives-of-mails)", () => {
  it("gives its mails in their order, with the places of those that are refused and left out", async () => {
    const archive = `${mail("a")}${FROM}\nnothing\n\n${FROM}X-Gmail-Labels: Spam\n${head("b")}\nspam\n\n${mail("c")}`;
    expect((await all(readMbox(pieces(archive, 7)))).map((read) => [read.place, idOf(read)])).toEqual([
      [1, "a@acme.test"],
      [2, { place: 2, refused: "The mail has no sender" }],
      [3, { place: 3, leftOut: "spam" }],
      [4, "c@acme.test"],
    ]);
  });

  it("gives the first of several copies of a mail, and leaves out the others", async () => {
    const archive = mail("a", "sent") + mail("b") + mail("a", "returned by a list");
    const reads = await all(readMbox(pieces(archive, 50)));
    expect(reads.map((read) => [read.place, idOf(read)])).toEqual([
      [1, "a@acme.test"],
      [2, "b@acme.test"],
      [3, { place: 3, leftOut: "copies" }],
    ]);
    expect(reads[0]).toMatchObject({ interaction: { content: { body: "sent" } } });
  });

  it("is read while it comes: what is under way at once is bounded, however many mails there are", async () => {
    const count = 3000;
    let begun = 0;
    let ended = 0;
    let most = 0;
    async function* archive(): AsyncGenerator<Buffer> {
      for (; begun < count; begun += 1) {
        most = Math.max(most, begun - ended);
        yield Buffer.from(mail(begun));
      }
    }
    for await (const read of readMbox(archive())) {
      expect(idOf(read)).toBe(`${ended}@acme.test`);
      ended += 1;
    }
    expect(ended).toBe(count);
    expect(most).toBeLessThanOrEqual(66);
  });

  it("may be left in its middle", async () => {
    for await (const read of readMbox(pieces(mail("a") + mail("b")))) {
      expect(idOf(read)).toBe("a@acme.test");
      break;
    }
  });

  it("refuses a mail of more than 25 MiB beside its attachments, and reads on", async () => {
    async function* archive(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${FROM}${head("large")}\n`);
      const line = Buffer.from(`${"x".repeat(1023)}\n`.repeat(1024));
      for (let i = 0; i < 26; i += 1) yield line;
      yield Buffer.from(mail("small"));
    }
    expect((await all(readMbox(archive()))).map(idOf)).toEqual([
      { place: 1, refused: "The mail has more than 25 MiB beside its attachments" },
      "small@acme.test",
    ]);
  });

  const line = `${"<p>schöne Grüße</p> ".repeat(50)}\n`;
  const large = (type: string) =>
    `${FROM}${head("large")}Content-Type: ${type}; charset=utf-8\n\n${line.repeat(Math.ceil((10 * MIB) / line.length))}`;

  it.each(["text/plain", "text/html"])("holds nothing else up while it reads a mail of 10 MB of %s", async (type) => {
    const archive = large(type);
    let turns = 0;
    let isReading = true;
    let longestRow = 0;
    async function others(): Promise<void> {
      while (isReading) {
        await setImmediate();
        turns += 1;
      }
    }
    const turning = others();
    const before = turns;
    let rowBegan = turns;
    async function* watched(): AsyncGenerator<Buffer> {
      for await (const piece of pieces(archive, 256 * 1024)) {
        await setImmediate();
        longestRow = Math.max(longestRow, piece.length);
        expect(turns).toBeGreaterThan(rowBegan);
        rowBegan = turns;
        yield piece;
      }
    }
    const [read] = await all(readMbox(watched()));
    isReading = false;
    await turning;
    expect(read && "interaction" in read && read.isCut).toBe(true);
    // Reading in this thread would give the others a turn between the pieces only.
    expect(turns - before).toBeGreaterThan(10 * Math.ceil(archive.length / longestRow));
  });
});

describe("The thread that reads mails", () => {
  const bytes = (text: string): RawMail => ({ envelope: "", bytes: new Uint8Array(Buffer.from(text)) });
  const date = "Date: Thu, 5 Jan 2024 10:00:00 +0000\n";
  const good = bytes(`${head("good")}${date}\nhello`);
  const parts = bytes(
    `${head("parts")}${date}Content-Type: multipart/mixed; boundary=b\n\n${"--b\n\n".repeat(500_000)}`,
  );

  it("is ended by a mail that takes too long, which is refused, and another one reads the next mails", async () => {
    const parser = startParser<RawMail, Outcome>({ reads: "mails" }, { deadlineMs: 1, memoryMib: 512 });
    const outcomes = await Promise.all([parser.parse(parts), parser.parse(parts)]);
    await parser.close();
    expect(outcomes).toEqual([
      { refused: "It takes longer than 0.001 s to read" },
      { refused: "It takes longer than 0.001 s to read" },
    ]);
  });

  it("is ended by a mail that takes too much memory, which is refused, and another one reads the next mails", async () => {
    const parser = startParser<RawMail, Outcome>({ reads: "mails" }, { deadlineMs: 60_000, memoryMib: 24 });
    const [first, second] = await Promise.all([parser.parse(parts), parser.parse(good)]);
    await parser.close();
    expect(first).toEqual({ refused: "It takes more than 24 MiB of memory to read" });
    expect(second).toHaveProperty("interaction.id", "good@acme.test");
  });
});
