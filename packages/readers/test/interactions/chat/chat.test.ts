import { afterAll, describe, expect, it } from "@jest/globals";
import { importedIssues } from "../../../../../engine/interactions/imported.ts";
import { testFolder } from "../../../../../test/support/folder.ts";
import { readPeople } from "../../../../../tools/import/interactions/run.ts";
import { type ChatOptions, readChat } from "../../../interactions/chat/chat.ts";
import type { ImportedWhatsapp } from "../../../interactions/interaction.ts";
import type { Read } from "../../../interactions/read.ts";
import { all, sourceOf } from "../pieces.ts";

const files = testFolder();
afterAll(() => files.remove());

const people = (yaml: string) => readPeople(files.write("people.yaml", yaml), "GB");
const BOTH = people("Ada: +447700900123\nBob: bob@acme.test\n");
const ada = { type: "phone", value: "+447700900123", name: "Ada" };
const bob = { type: "email", value: "bob@acme.test", name: "Bob" };
const NO_DATE = "is not a date of the Gregorian or the Buddhist calendar";

const read = (content: string | Buffer, options: Partial<ChatOptions> = {}): Promise<Read[]> =>
  all(readChat(sourceOf(content, 11), { zone: "Europe/London", people: BOTH, ...options }));

async function messages(content: string, options?: Partial<ChatOptions>): Promise<ImportedWhatsapp[]> {
  const reads = await read(content, options);
  return reads.flatMap((one) => {
    if (!("interaction" in one)) return [];
    expect(importedIssues(one.interaction)).toEqual([]);
    return [one.interaction as ImportedWhatsapp];
  });
}
const textsOf = async (content: string, options?: Partial<ChatOptions>) =>
  (await messages(content, options)).map(({ content: { text } }) => text);

const day = (...lines: string[]) => lines.map((line) => `13/7/23, 22:15 - ${line}\n`).join("");

describe("A WhatsApp chat (docs/guides/import-interactions.md#whatsapp-chats)", () => {
  it("gives each message, from who wrote it to all others, at the time of the telephone's zone", async () => {
    expect(await messages(day("Ada: Hi", "Bob: Hello"))).toEqual([
      {
        id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        interactionType: "whatsapp",
        dateTime: "2023-07-13T21:15:00.000Z",
        content: { text: "Hi" },
        from: ada,
        to: [bob],
      },
      expect.objectContaining({ from: bob, to: [ada], content: { text: "Hello" } }),
    ]);
    expect((await messages(day("Ada: Hi"), { zone: "Asia/Tokyo" }))[0]?.dateTime).toBe("2023-07-13T13:15:00.000Z");
  });

  it("has messages of several lines, empty ones and lines that look like no message among them", async () => {
    const chat = `${day("Ada: One")}Two\r\n\r\n13/7/23 Three\n${day("Bob: Four")}`;
    expect(await textsOf(chat)).toEqual(["One\nTwo\n\n13/7/23 Three", "Four"]);
  });

  it("tells attachments as text, and places by lines", async () => {
    const chat = day("Ada: <Media omitted>", "Bob: \u200eIMG-1.jpg (file attached)", "Ada: ok");
    expect(await textsOf(chat)).toEqual(["<Media omitted>", "IMG-1.jpg (file attached)", "ok"]);
    expect((await read(`${day("Ada: One")}more\n${day("Bob: Two")}`)).map(({ place }) => place)).toEqual([1, 3]);
  });

  it("leaves out what the telephone writes itself", async () => {
    const android = day(
      "Messages and calls are end-to-end encrypted.",
      "Ada added Bob",
      "Ada: This message was deleted",
      "Bob: null",
      "Ada: yes",
    );
    expect(await textsOf(android)).toEqual(["yes"]);
    const iphone = [
      "Family: \u200eMessages and calls are end-to-end encrypted.",
      "Family: \u200eAda created this group",
      "Ada: \u200eYou added Bob",
      "Bob: \u200eimage omitted",
      "Bob: \u200e<attached: left.jpg>",
      "Bob: \u200eYou deleted this message.",
      "Ada: I added sugar",
    ];
    const chat = iphone.map((line) => `[13/07/2023, 22:15:01] ${line}\r\n`).join("");
    expect(await textsOf(chat)).toEqual(["image omitted", "<attached: left.jpg>", "I added sugar"]);
    expect((await read(chat)).filter((one) => "leftOut" in one)).toHaveLength(4);
    expect((await read(chat)).filter((one) => "refused" in one)).toEqual([]);
  });

  it("knows numbers by themselves, in the chat and in the map", async () => {
    const chat = day("\u202a+49 30 123456\u202c: Hallo", "Ada: Hi");
    expect((await messages(chat))[0]).toMatchObject({ from: { type: "phone", value: "+4930123456" }, to: [ada, bob] });
    expect(
      (await messages(day("Ada: Hi"), { people: people("Ada: 07700 900123\nBob: 0 7700 900124") }))[0],
    ).toMatchObject({
      from: ada,
      to: [{ type: "phone", value: "+447700900124", name: "Bob" }],
    });
  });

  it("refuses somebody whom the map does not name once, with how to name them", async () => {
    const chat = day("Eve: One", "Ada: Two", "Eve: Three");
    expect(await read(chat)).toEqual([
      {
        place: 1,
        refused:
          '"Eve" is not a telephone number, so the sender is not known of 2 messages. Write a line "Eve: +44…", or an e-mail address, into a file for --map',
      },
      expect.objectContaining({ place: 2 }),
      { place: 3, leftOut: "unmapped" },
    ]);
  });

  it("refuses who writes to nobody that is known", async () => {
    expect(await read(day("Ada: One", "Ada: Two"), { people: people("Ada: +447700900123") })).toEqual([
      { place: 1, refused: "No other member of the chat is known. Name them in a file for --map" },
      { place: 2, leftOut: "unmapped" },
    ]);
  });

  it("finds names whatever marks and blanks are in them", async () => {
    expect(await textsOf(day("~\u00a0Ada: One", "\u200eBob\u200f: Two"))).toEqual(["One", "Two"]);
    const zoe = people("Zoë: zoe@acme.test\nBob: bob@acme.test");
    expect(await textsOf(day("Zoe\u0308: One"), { people: zoe })).toEqual(["One"]);
  });

  it("refuses a date that does not exist, and takes the order that was asked for", async () => {
    const chat = "12/7/23, 22:15 - Ada: One\n13/7/23, 22:15 - Ada: Two\n31/6/23, 22:15 - Ada: Three\n";
    expect((await messages(chat)).map(({ dateTime }) => dateTime.slice(0, 10))).toEqual(["2023-07-12", "2023-07-13"]);
    expect((await read(chat))[2]).toEqual({ place: 3, refused: `"31/6/23" ${NO_DATE}` });
    const forced = await read(chat, { dates: "mdy" });
    expect(forced.map((one) => ("refused" in one ? one.refused : "taken"))).toEqual([
      "taken",
      `"13/7/23" ${NO_DATE}`,
      `"31/6/23" ${NO_DATE}`,
    ]);
  });

  it("whose dates may be of two orders is refused as a whole, with the options that help", async () => {
    await expect(read("1/2/23, 22:15 - Ada: One\n")).rejects.toThrow(/--dates dmy or --dates mdy/);
    expect((await messages("1/2/23, 22:15 - Ada: One\n", { dates: "mdy" }))[0]?.dateTime).toBe(
      "2023-01-02T22:15:00.000Z",
    );
  });

  it("that is exported again later has the same ids in front", async () => {
    const lines = ["Ada: Hi", "Ada: Hi", "Bob: Hi", "Ada: Hi"];
    const [earlier, later] = [await messages(day(...lines)), await messages(day(...lines, "Bob: More", "Ada: Hi"))];
    const ids = earlier.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(later.map(({ id }) => id).slice(0, 4)).toEqual(ids);
    expect(new Set(later.map(({ id }) => id)).size).toBe(6);
  });

  it("has ids that last when somebody joins a group, or a name is written in another way", async () => {
    const group = (...more: string[]) => day("Ada: Hi", "Bob: Ho", "+49 30 123456: Hu", ...more);
    const ids = (await messages(group())).map(({ id }) => id);
    expect((await messages(group("+49 30 654321: Ha"))).map(({ id }) => id).slice(0, 3)).toEqual(ids);
    const renamed = people("A. Lovelace: +447700900123\nBob: bob@acme.test");
    expect((await messages(group().replace("Ada", "A. Lovelace"), { people: renamed })).map(({ id }) => id)).toEqual(
      ids,
    );
  });

  it("has other ids than a chat with somebody else in which the same was written", async () => {
    const idIn = async (yaml: string) => (await messages(day("Ada: Happy new year"), { people: people(yaml) }))[0]?.id;
    expect(await idIn("Ada: +447700900123\nBob: bob@acme.test")).not.toBe(
      await idIn("Ada: +447700900123\nEve: eve@acme.test"),
    );
  });

  it("has a message cut that is longer than an interaction may be", async () => {
    const [one] = await read(`${day(`Ada: ${"x".repeat(60_000)}`)}${`${"y".repeat(60_000)}\n`.repeat(3)}`);
    expect(one).toMatchObject({ isCut: true });
    expect(one && "interaction" in one && (one.interaction as ImportedWhatsapp).content.text.length).toBe(100_000);
  });

  it("that holds nothing gives nothing", async () => {
    expect(await read("no chat\n")).toEqual([]);
  });
});

describe("A map of people (docs/guides/import-interactions.md#whatsapp-chats)", () => {
  it("has names as they are written, and numbers that keep their plus and their zeros", () => {
    expect([...people('007: "07700 900123"\n"Bob: the builder": bob@acme.test\nCarl: 07700900124\n').values()]).toEqual(
      [
        { type: "phone", value: "+447700900123", name: "007" },
        { type: "email", value: "bob@acme.test", name: "Bob: the builder" },
        { type: "phone", value: "+447700900124", name: "Carl" },
      ],
    );
  });

  it.each([
    ["Ada: nobody", /people\.yaml:1:\d+: Ada: must be a telephone number/],
    ["Bob: bob@acme.test\nAda:\n", /people\.yaml:2:\d+: Ada: must be/],
    ["Ada: { email: a@b.test }", /Ada: must be/],
    ["- Ada", /must be lines of the form/],
    ["", /must be lines of the form/],
    ["Ada: a@b.test\n---\nBob: b@b.test", /second document/],
    ["Ada: a@b.test\nAda: b@b.test", /given twice/],
  ])("%j is refused with its line", (yaml, reason) => {
    expect(() => people(yaml)).toThrow(reason);
  });
});
