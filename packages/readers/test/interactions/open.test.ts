import { afterAll, describe, expect, it } from "@jest/globals";
import { importedIssues } from "../../../../engine/interactions/imported.ts";
import { testFolder } from "../../../../test/support/folder.ts";
import { zipOf } from "../../../../test/support/zip.ts";
import type { Participant } from "../../interactions/interaction.ts";
import { openInteractions, type ReadOptions } from "../../interactions/open.ts";
import { all } from "./pieces.ts";

const files = testFolder();
afterAll(() => files.remove());

const ada: Participant = { type: "email", value: "ada@acme.test" };
const bob: Participant = { type: "phone", value: "+447700900123" };
const people = new Map<string, Participant>([
  ["Ada", ada],
  ["Bob", bob],
]);
const NOW = Date.parse("2026-06-01T00:00:00Z");

const NDJSON = `${JSON.stringify({ id: "n", interactionType: "call", dateTime: "2026-03-01T09:30:00Z", content: { status: "missed", duration: 0 }, from: ada, to: [bob] })}\n`;
const MBOX = "From x Thu Jan  5 10:00:00 2024\nMessage-ID: <m>\nFrom: ada@acme.test\nTo: bob@acme.test\n\nhi\n";
const CALENDAR =
  "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTART:20260310T090000Z\r\nORGANIZER:mailto:ada@acme.test\r\nATTENDEE:mailto:bob@acme.test\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
const CHAT = "13/7/23, 22:15 - Ada: Hi\n";

async function read(name: string, content: string | Buffer, options: Partial<ReadOptions> = {}) {
  const file = await openInteractions(files.write(name, content), { zone: "Europe/London", now: NOW, ...options });
  const seen: number[] = [];
  const reads = await all(file.read((bytes) => seen.push(bytes)));
  return {
    ...file,
    seen,
    reads,
    ids: reads.map((one) =>
      "interaction" in one
        ? one.interaction.interactionType
        : "json" in one
          ? Reflect.get(Object(one.json), "interactionType")
          : one,
    ),
  };
}

describe("A file of interactions (docs/guides/import-interactions.md)", () => {
  it.each([
    ["calls.ndjson", NDJSON, {}, "call", "line"],
    ["calls", `\ufeff\n${NDJSON}`, {}, "call", "line"],
    ["All mail.mbox", MBOX, {}, "email", "mail"],
    ["mail", `\r\n${MBOX}`, {}, "email", "mail"],
    ["calendar.ics", CALENDAR, {}, "calendar", "event"],
    ["calendar.txt", CALENDAR.toLowerCase(), {}, "calendar", "event"],
    ["WhatsApp Chat with Ada.txt", CHAT, { people }, "whatsapp", "line"],
    ["_chat.txt", `Some words\n${CHAT}`, { people }, "whatsapp", "line"],
    ["chat.zip", zipOf({ "_chat.txt": CHAT, "1.jpg": "picture" }), { people }, "whatsapp", "line"],
    ["chat.zip", zipOf({ "WhatsApp Chat with Ada.txt": CHAT }), { people }, "whatsapp", "line"],
    ["chat.zip", zipOf({ "_chat.txt": CHAT, "notes.txt": "words" }), { people }, "whatsapp", "line"],
  ] as const)("is known by how it begins: %s", async (name, content, options, type, unit) => {
    const file = await read(name, content, options);
    expect(file.ids).toEqual([type]);
    expect(file.unit).toBe(unit);
    for (const one of file.reads) if ("interaction" in one) expect(importedIssues(one.interaction)).toEqual([]);
  });

  it("tells how far it is, up to all of its bytes", async () => {
    for (const [name, content] of Object.entries({
      "a.ndjson": NDJSON,
      "a.mbox": MBOX,
      "a.ics": CALENDAR,
      "a.txt": CHAT,
      "a.zip": zipOf({ "_chat.txt": CHAT }),
    })) {
      const { seen, bytes } = await read(name, content, /txt|zip/.test(name) ? { people } : {});
      expect(seen.at(-1)).toBe(bytes);
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
    }
  });

  it("named like NDJSON is read as such though its first line is broken", async () => {
    expect((await read("a.jsonl", `broken\n${NDJSON}`)).ids).toEqual([expect.objectContaining({ place: 1 }), "call"]);
  });

  it.each([
    [
      "words.txt",
      "words\n",
      /is not a file of interactions: its first line is "words", .*. There are: interactions in NDJSON.*; an archive of mails.*ics.*WhatsApp.*import people/,
    ],
    ["all.mbox.gz", Buffer.from("1f8b08", "hex"), /is packed: unpack it, and import the file in it\.$/],
    ["list.json", "[{}]", /is not a file of interactions/],
    ["empty.mbox", "", /is empty/],
    ["mails.zip", zipOf({ "All mail.mbox": MBOX }), /archive with 0 text files.*unpack it/s],
    ["texts.zip", zipOf({ "a.txt": CHAT, "b.txt": CHAT }), /archive with 2 text files.*unpack it/s],
    ["broken.zip", "PK\u0003\u0004 and no more", /cannot be read as an archive/],
  ])("%s is refused", async (name, content, reason) => {
    await expect(read(name, content)).rejects.toThrow(reason);
  });

  it("that is not there, or a folder, is refused", async () => {
    const options = { now: NOW };
    await expect(openInteractions(`${files.path}/nothing.ics`, options)).rejects.toThrow(/There is no file/);
    await expect(openInteractions(files.path, options)).rejects.toThrow(/is a folder: name a file in it/);
    await expect(openInteractions("-", options)).rejects.toThrow(/not read from standard input/);
  });

  it("of another form takes no map of people", async () => {
    await expect(read("a.ndjson", NDJSON, { people })).rejects.toThrow(/is not a chat/);
  });
});
