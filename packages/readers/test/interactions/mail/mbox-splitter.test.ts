import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type ArchivedMail, createMboxSplitter } from "../../../interactions/mail/mbox-splitter.ts";
import { inPieces, partsOf } from "../pieces.ts";

const shown = ({ place, mail }: ArchivedMail) => [
  place,
  mail && { envelope: mail.envelope, text: Buffer.from(mail.bytes).toString() },
];
const split = (text: string, max?: number) => partsOf(createMboxSplitter(max), [Buffer.from(text)]).map(shown);
const textsOf = (text: string, max?: number) =>
  partsOf(createMboxSplitter(max), [Buffer.from(text)]).map(({ mail }) => mail && Buffer.from(mail.bytes).toString());

const FROM = "From ada@acme.test Thu Jan  5 10:00:00 2024\n";

describe("An archive of mails (docs/guides/import-interactions.md#archives-of-mails)", () => {
  it("is divided at the lines that begin a mail, which belong to no mail", () => {
    expect(split(`${FROM}A: 1\n\none\n\n${FROM}A: 2\n\ntwo\n`)).toEqual([
      [1, { envelope: FROM.trim(), text: "A: 1\n\none\n\n" }],
      [2, { envelope: FROM.trim(), text: "A: 2\n\ntwo\n" }],
    ]);
  });

  it.each([
    "From ada@acme.test Thu Jan  5 10:00:00 2024",
    "From ada@acme.test  Thu Jan 05 10:00:00 2024",
    "From - Thu Jan 05 10:00:00 2024",
    "From ada@acme.test Thu Jan  5 10:00 2024",
    "From ada@acme.test Thu Jan  5 10:00:00 2024 +0100",
    "From ada@acme.test Thu Jan  5 10:00:00 CET 2024",
    "From 1789012345678901234@xxx Thu Jan 05 10:00:00 +0000 2024",
    "From ???@??? Thu Jan 05 10:00:00 2024",
    'From "ada lovelace"@acme.test Thu Jan  5 10:00:00 2024',
  ])("knows the line %s", (line) => {
    expect(textsOf(`${FROM}A: 1\n\none\n\n${line}\nA: 2\n\ntwo`)).toEqual(["A: 1\n\none\n\n", "A: 2\n\ntwo\n"]);
  });

  it("needs no blank line before a mail whose first header follows", () => {
    expect(textsOf(`${FROM}A: 1\n\none\n${FROM}A: 2\n\ntwo`)).toEqual(["A: 1\n\none\n", "A: 2\n\ntwo\n"]);
    expect(textsOf(`${FROM}A: 1\n\none\n${FROM}is where it began\n`)).toEqual([
      `A: 1\n\none\n${FROM}is where it began\n`,
    ]);
  });

  it("has no mail begin at a second such line right behind the first, unless a header follows", () => {
    expect(textsOf(`${FROM}${FROM}is where it began\n`)).toEqual([`${FROM}is where it began\n`]);
    expect(textsOf(`${FROM}${FROM}A: 1\n`)).toEqual(["", "A: 1\n"]);
  });

  it("is not divided at lines of a text that only begin like that", () => {
    const text = "A: 1\n\nFrom here on\n\nFrom ada to bob\nFrom:\nFromage\n From me\n";
    expect(textsOf(`${FROM}${text}`)).toEqual([text]);
  });

  it("has one quote taken away from lines that were quoted, and from no others", () => {
    expect(textsOf(`${FROM}A: 1\n\n>From me\n>>From you\n> From him\n>Fromage\n>\n`)).toEqual([
      "A: 1\n\nFrom me\n>From you\n> From him\n>Fromage\n>\n",
    ]);
  });

  it("may have CRLF, and what stands before the first mail is left out", () => {
    expect(textsOf(`\r\njunk\r\n\r\n${FROM.trim()}\r\nA: 1\r\n\r\none\r\n`)).toEqual(["A: 1\n\none\n"]);
    expect(split("")).toEqual([]);
    expect(split("no mail at all\n")).toEqual([]);
    expect(split(FROM)).toEqual([[1, { envelope: FROM.trim(), text: "" }]]);
  });

  it("is the same however the file is divided into pieces", () => {
    const fragments = [
      FROM,
      "\n",
      "\r\n",
      "A: 1\n",
      ">From me\n",
      "From me\n",
      "--b\n",
      "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n",
      "QUJD\n",
      "text",
      "x".repeat(500),
    ];
    fc.assert(
      fc.property(inPieces(fragments), ({ bytes, parts }) => {
        expect(partsOf(createMboxSplitter(400), parts)).toEqual(partsOf(createMboxSplitter(400), [bytes]));
      }),
      { numRuns: 300 },
    );
  });

  it("gives a mail that is too large without its text, and the next one", () => {
    const mail = (text: string) => `${FROM}A: 1\n\n${text}\n`;
    expect(textsOf(mail("x".repeat(300)) + mail("short"), 200)).toEqual([null, "A: 1\n\nshort\n"]);
    expect(textsOf(mail("x\n".repeat(150)) + mail("short"), 200)).toEqual([null, "A: 1\n\nshort\n"]);
    expect(textsOf(mail("x\n".repeat(90)), 200)).not.toEqual([null]);
  });

  const part = (head: string, body: string) => `--b\n${head}\n\n${body}\n`;
  const png = "Content-Type: image/png\nContent-Transfer-Encoding: base64";
  const multipart = "Content-Type: multipart/mixed; boundary=b\n\n";

  it("has the contents of attachments left out, and everything else kept", () => {
    const text = part("Content-Type: text/plain", "hello");
    const encoded = part("Content-Type: text/plain\nContent-Transfer-Encoding: base64", "aGVsbG8=");
    expect(textsOf(FROM + multipart + text + part(png, "QUJD\nREVG") + encoded + part(png, "QUJD"))).toEqual([
      `${multipart}${text}--b\n${png}\n\n${encoded}--b\n${png}\n\n`,
    ]);
  });

  it.each([
    ["Content-Type:\n image/png\nContent-Transfer-Encoding: BASE64", false],
    ["CONTENT-TRANSFER-ENCODING: base64\nCONTENT-TYPE: Application/PDF; name=a", false],
    ['Content-Transfer-Encoding: "base64"\nContent-Type: image/png', false],
    ["Content-Type: text/csv\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=a", false],
    ["Content-Type: text/csv\nContent-Transfer-Encoding: base64\nContent-Disposition: inline", true],
    ["Content-Transfer-Encoding: base64", true],
    ["Content-Type: image/svg+xml\nContent-Transfer-Encoding: 8bit", true],
    ["Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", true],
  ])("keeps what stands behind %j: %j", (head, isKept) => {
    const [text] = textsOf(FROM + multipart + part(head, "QUJD"));
    expect(text?.includes("QUJD")).toBe(isKept);
  });

  it("counts no attachment to the size of a mail, and keeps none in memory", () => {
    const splitter = createMboxSplitter(10_000);
    const line = Buffer.from(`${"QUJD".repeat(19)}\n`.repeat(1000));
    const head = Buffer.from(`${FROM}${multipart}${part("Content-Type: text/plain", "hello")}--b\n${png}\n\n`);
    expect([...splitter.push(head)]).toEqual([]);
    for (let i = 0; i < 500; i += 1) expect([...splitter.push(line)]).toEqual([]);
    const [found] = [...splitter.push(Buffer.from("--b--\n")), ...splitter.end()];
    expect(found?.mail?.bytes.length).toBeLessThan(300);
  });
});
