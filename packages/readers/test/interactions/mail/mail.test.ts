import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { importedIssues } from "../../../../../engine/interactions/imported.ts";
import type { ImportedEmail } from "../../../interactions/interaction.ts";
import { readMail } from "../../../interactions/mail/mail.ts";
import type { Outcome } from "../../../interactions/read.ts";

const DATE = "Date: Thu, 5 Jan 2024 10:00:00 +0000";
const HEAD = `Message-ID: <m1@acme.test>\n${DATE}\nFrom: ada@acme.test\nTo: bob@acme.test\n`;

const read = (mail: string | Buffer, envelope = ""): Promise<Outcome> =>
  readMail({ bytes: new Uint8Array(Buffer.from(mail)), envelope });

async function imported(mail: string | Buffer, envelope?: string): Promise<ImportedEmail & { isCut: boolean }> {
  const outcome = await read(mail, envelope);
  if (!("interaction" in outcome)) throw new Error(JSON.stringify(outcome));
  expect(importedIssues(outcome.interaction)).toEqual([]);
  return { ...(outcome.interaction as ImportedEmail), isCut: outcome.isCut ?? false };
}

const bodyOf = async (mail: string | Buffer) => (await imported(mail)).content.body;

describe("A mail (docs/guides/import-interactions.md#archives-of-mails)", () => {
  it("is an interaction of who sent it with all to whom it went, each once", async () => {
    const mail = `Message-ID: <m1@acme.test>
${DATE}
From: Ada Lovelace <ada@acme.test>
To: bob@acme.test, "Stone, Carl" <carl@acme.test>, Team: dora@acme.test, Eve <eve@acme.test>;
Cc: Bob Stone <BOB@acme.test>
Bcc: fay@acme.test
Subject: Plans

Shall we  meet
tomorrow?
`;
    expect(await imported(mail)).toEqual({
      id: "m1@acme.test",
      interactionType: "email",
      dateTime: "2024-01-05T10:00:00.000Z",
      title: "Plans",
      content: { subject: "Plans", snippet: "Shall we meet tomorrow?", body: "Shall we  meet\ntomorrow?" },
      from: { type: "email", value: "ada@acme.test", name: "Ada Lovelace" },
      to: [
        { type: "email", value: "bob@acme.test", name: "Bob Stone" },
        { type: "email", value: "carl@acme.test", name: "Stone, Carl" },
        { type: "email", value: "dora@acme.test" },
        { type: "email", value: "eve@acme.test", name: "Eve" },
        { type: "email", value: "fay@acme.test" },
      ],
      isCut: false,
    });
  });

  it.each([
    ["Lovelace, Ada <ada@acme.test>", "Lovelace, Ada"],
    ["Lovelace, Ada, Dr. <ada@acme.test>", "Lovelace, Ada, Dr."],
    ["Lovelace, <ada@acme.test>", "Lovelace"],
    ["=?utf-8?Q?L=C3=B6velace?=, Ada <ada@acme.test>", "Lövelace, Ada"],
    ["=?utf-8?Q?L=C3=B6velace,_Ada?= <ada@acme.test>", "Lövelace, Ada"],
    ["Lovelace @ Acme, Ada <ada@acme.test>", "Lovelace @ Acme, Ada"],
    ['"Lovelace, Ada" <ada@acme.test>', "Lovelace, Ada"],
    ["ada@acme.test (Lovelace, Ada)", "Lovelace, Ada"],
  ])("from %s is of the entry with an address, and the text before it is the name", async (from, name) => {
    const mail = `${DATE}\nFrom: ${from}\nTo: bob@acme.test\n\nhi`;
    expect((await imported(mail)).from).toEqual({ type: "email", value: "ada@acme.test", name });
  });

  it("keeps the names of a list apart that commas without quotes have divided", async () => {
    const to =
      "Stone, Bob <bob@acme.test>, carl@acme.test, Team: Day, Eve <eve@acme.test>;, Ray, Dr., Fay <fay@acme.test>";
    expect((await imported(`${DATE}\nFrom: ada@acme.test\nTo: ${to}\n\nhi`)).to).toEqual([
      { type: "email", value: "bob@acme.test", name: "Stone, Bob" },
      { type: "email", value: "carl@acme.test" },
      { type: "email", value: "eve@acme.test", name: "Day, Eve" },
      { type: "email", value: "fay@acme.test", name: "Ray, Dr., Fay" },
    ]);
  });

  it("that names nobody went to the mailbox in which it was found", async () => {
    const mail = `${DATE}\nFrom: ada@acme.test\nTo: undisclosed-recipients:;\n`;
    expect((await imported(`${mail}Delivered-To: bob@acme.test\n\nhi`)).to).toEqual([
      { type: "email", value: "bob@acme.test" },
    ]);
    expect((await imported(`${mail}X-Original-To: <bob@acme.test>\n\nhi`)).to).toEqual([
      { type: "email", value: "bob@acme.test" },
    ]);
    expect(await read(`${mail}\nhi`)).toEqual({ refused: "The mail has no recipient" });
  });

  it("is refused without a sender, unless somebody sent it for the sender", async () => {
    expect(await read(`${DATE}\nTo: bob@acme.test\n\nhi`)).toEqual({ refused: "The mail has no sender" });
    const { from } = await imported(`${DATE}\nSender: ada@acme.test\nTo: bob@acme.test\n\nhi`);
    expect(from.value).toBe("ada@acme.test");
  });

  it("is refused when it went to more addresses than an interaction may have", async () => {
    const to = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@acme.test`).join(",\n ");
    const mail = (count: number) => `${DATE}\nFrom: ada@acme.test\nTo: ${to(count)}\n\nhi`;
    expect((await imported(mail(500))).to).toHaveLength(500);
    expect(await read(mail(501))).toEqual({ refused: "The mail went to 501 addresses, more than 500" });
  });

  it("has the date of its header, else that of the line before it, else it is refused", async () => {
    const mail = (date: string) => `${date}From: ada@acme.test\nTo: bob@acme.test\n\nhi`;
    const envelope = "From ada@acme.test Sat Jan  6 10:00:00 2024";
    expect((await imported(mail(`${DATE}\n`), envelope)).dateTime).toBe("2024-01-05T10:00:00.000Z");
    expect((await imported(mail(""), envelope)).dateTime).toBe("2024-01-06T10:00:00.000Z");
    expect((await imported(mail("Date: 31 Feb 2024 10:00:00\n"), envelope)).dateTime).toBe("2024-01-06T10:00:00.000Z");
    expect(await read(mail("Date: soon\n"))).toEqual({ refused: "The mail has no readable date" });
  });

  it("is known by its Message-ID, or by a hash of the headers that stay", async () => {
    const rest = `${DATE}\nFrom: ada@acme.test\nTo: bob@acme.test\n`;
    const idOf = async (head: string) => (await imported(`${head}\nhi`)).id;
    expect(await idOf(`Message-ID: <a@b> (comment)\n${rest}`)).toBe("a@b");
    expect(await idOf(`Message-ID:\n <a@b>\n${rest}`)).toBe("a@b");
    expect(await idOf(`Message-ID: a@b\n${rest}`)).toBe("a@b");
    expect(await idOf(`Message-ID: <${"x".repeat(512)}>\n${rest}`)).toBe("x".repeat(512));
    const hash = await idOf(rest);
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await idOf(`X-Gmail-Labels: Work\nStatus: RO\n${rest}`)).toBe(hash);
    expect(await idOf(`Message-ID: <>\n${rest}`)).not.toBe(hash);
    expect(await idOf(`Subject: x\n${rest}`)).not.toBe(hash);
    const long = await idOf(`Message-ID: <${"x".repeat(513)}>\n${rest}`);
    expect(long).toMatch(/^sha256:/);
    expect(await idOf(`Message-ID: <${"x".repeat(514)}>\n${rest}`)).not.toBe(long);
  });

  it.each([
    ["Drafts", "drafts"],
    ["Inbox,Spam,Unread", "spam"],
    ["Trash", "trash"],
    ["=?UTF-8?Q?Wichtig,Entw=C3=BCrfe?=", "drafts"],
    ['"Work, Drafts of plans",Papierkorb', "trash"],
  ])("with the labels %s of Google's export is left out", async (labels, leftOut) => {
    expect(await read(`X-Gmail-Labels: ${labels}\n${HEAD}\nhi`)).toEqual({ leftOut });
  });

  it("with other labels is imported, and one that Thunderbird has deleted is not", async () => {
    expect(await bodyOf(`X-Gmail-Labels: Inbox,Spam filter,Work/Drafts\n${HEAD}\nhi`)).toBe("hi");
    expect(await bodyOf(`X-Mozilla-Status: 0001\n${HEAD}\nhi`)).toBe("hi");
    expect(await read(`X-Mozilla-Status: 0009\n${HEAD}\nhi`)).toEqual({ leftOut: "trash" });
  });

  it("has texts that fit: subject, body and names are cut, and that is said", async () => {
    const mail = `${DATE}\nFrom: "${"n".repeat(600)}" <ada@acme.test>\nTo: bob@acme.test\nSubject: ${"s".repeat(1001)}\n\n`;
    const { content, title, from, isCut } = await imported(`${mail}${"b".repeat(99_999)}🙂`);
    expect([content.subject.length, title?.length, content.body.length, content.snippet.length]).toEqual([
      1000, 1000, 99_999, 200,
    ]);
    expect(from.name).toHaveLength(500);
    expect(isCut).toBe(true);
    expect((await imported(`${HEAD}\n${"b".repeat(100_000)}`)).isCut).toBe(false);
  });

  it("is refused when an address is longer than any, or only such are named", async () => {
    const long = `${"x".repeat(320)}@acme.test`;
    expect(await read(`${DATE}\nFrom: ${long}\nTo: bob@acme.test\n\nhi`)).toEqual({
      refused: "The mail has no sender",
    });
    expect((await imported(`${HEAD}Cc: ${long}\n\nhi`)).to).toHaveLength(1);
  });
});

describe("The text of a mail", () => {
  const alternative = (plain: string, html: string) =>
    `${HEAD}Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n${plain}\n--b\nContent-Type: text/html; charset=utf-8\n\n${html}\n--b--\n`;

  it("is the plain one, and of HTML alone what somebody would read", async () => {
    expect(await bodyOf(alternative("plain", "<p>html</p>"))).toBe("plain");
    expect(await bodyOf(alternative(" \n", "<p>html</p>"))).toBe("html");
    const html = `<html><head><title>T</title><style>p { color: red }</style></head><body><h1>Plans &amp; more</h1>
      <p>Shall we <a href="https://acme.test/track?id=1">meet</a>,<br>Bob?</p><script>alert(1)</script>
      <ul><li>One</li><li>Two</li></ul><table><tr><td>A</td><td>1</td></tr><tr><td>B</td><td>2</td></tr></table>
      <img src="cid:x" alt="logo"></body></html>`;
    const body = await bodyOf(`${HEAD}Content-Type: text/html\n\n${html}`);
    expect(body).toBe("Plans & more\n\nShall we meet,\nBob?\n\nOne\nTwo\n\nA 1\nB 2");
  });

  it("keeps the lines of preformatted HTML, and no others", async () => {
    const html = "<pre>One\n  Two\n\nThree</pre>Four\nFive<br>Six<style>p {}</style>&nbsp;<b>Sev</b>en";
    expect(await bodyOf(`${HEAD}Content-Type: text/html\n\n${html}`)).toBe("One\nTwo\nThree\n\nFour Five\nSix Seven");
  });

  it("of HTML is as long as a body may be, and that is said", async () => {
    const { content, isCut } = await imported(`${HEAD}Content-Type: text/html\n\n${"<p>Hello</p>\n".repeat(100_000)}`);
    expect([content.body.length, isCut]).toEqual([100_000, true]);
  });

  it("has no contents of attachments", async () => {
    const part = (head: string, body: string) => `--b\n${head}\n\n${body}\n`;
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n${part("Content-Type: text/plain", "hello")}${part("Content-Type: image/png\nContent-Transfer-Encoding: base64", "")}${part('Content-Type: text/plain; name="a.txt"\nContent-Disposition: attachment; filename=a.txt', "secret")}--b--\n`;
    expect(await bodyOf(mail)).toBe("hello");
  });

  it.each([
    ["quoted-printable", "utf-8", "sch=C3=B6n =\nund gut =3D", "schön und gut ="],
    ["base64", "utf-8", "c2Now7Zu", "schön"],
    ["8bit", "iso-8859-1", Buffer.from("sch\xf6n", "latin1"), "schön"],
    ["8bit", "windows-1252", Buffer.from("\x80", "latin1"), "€"],
    ["8bit", "x-no-such-charset", "plain", "plain"],
    ["base64", "utf-8", "c2No*w7Zu!!!", "schön"],
    ["base64", "utf-8", "c2Now7Z", "sch"],
    ["quoted-printable", "utf-8", "100%= =ZZ =C3", "100%= =ZZ"],
    ["no-such-encoding", "utf-8", "plain", "plain"],
    ["base64", "shift_jis", Buffer.from("82a082a2", "hex").toString("base64"), "あい"],
  ])("is decoded: %s in %s of %j", async (encoding, charset, text, decoded) => {
    const head = `${HEAD}Content-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: ${encoding}\n\n`;
    expect(await bodyOf(Buffer.concat([Buffer.from(head), Buffer.from(text)]))).toContain(decoded);
  });

  it("has neither NUL nor broken characters", async () => {
    const mail = Buffer.concat([
      Buffer.from(`${HEAD}Content-Type: text/plain; charset=utf-8\n\na`),
      Buffer.from([0, 0xff]),
      Buffer.from("b"),
    ]);
    expect(await bodyOf(mail)).toBe("a\ufffdb");
  });

  it("is found in parts whose boundaries are never closed, or that have none", async () => {
    const multipart = `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n`;
    expect(await bodyOf(`${multipart}--b\nContent-Type: text/plain\n\nhello`)).toBe("hello");
    expect(
      await bodyOf(`${multipart}--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nhello\n--b--`),
    ).toBe("hello");
    expect(await bodyOf(`${multipart}hello`)).toBe("");
    expect(await bodyOf(`${HEAD}Content-Type: multipart/mixed\n\nhello`)).toBe("");
    expect(await bodyOf(HEAD)).toBe("");
  });
});

describe("The headers of a mail", () => {
  const subjectOf = async (header: string | Buffer) =>
    (await imported(Buffer.concat([Buffer.from("Subject: "), Buffer.from(header), Buffer.from(`\n${HEAD}\nhi`)])))
      .content.subject;

  it.each([
    ["=?utf-8?q?sch=C3=B6n?=", "schön"],
    ["=?UTF-8?B?c2Now7Zu?= =?utf-8?q?_und_gut?=", "schön und gut"],
    ["=?iso-8859-1?Q?sch=F6n?=", "schön"],
    ["=?utf-8?q?a=C3?=\n =?utf-8?q?=B6b?=", "aöb"],
    ["=?no-such-charset?q?plain?=", "plain"],
    ["=?utf-8?q?never closed", "=?utf-8?q?never closed"],
    ["=?utf-8?x?abc?=", "=?utf-8?x?abc?="],
    ["two\n lines\tof  text", "two lines of text"],
    ["schön", "schön"],
    ["", ""],
  ])("are decoded: %j", async (header, subject) => {
    expect(await subjectOf(header)).toBe(subject);
  });

  it("may have bytes of another charset, which do no harm", async () => {
    expect(await subjectOf(Buffer.from("sch\xf6n", "latin1"))).toBe("sch\ufffdn");
  });

  it("may name a person in any way", async () => {
    const nameOf = async (from: string) => (await imported(`${DATE}\nFrom: ${from}\nTo: bob@acme.test\n\nhi`)).from;
    const ada = (name?: string) => ({ type: "email", value: "ada@acme.test", ...(name !== undefined && { name }) });
    expect(await nameOf("=?utf-8?q?Ad=C3=A4?= <ada@acme.test>")).toEqual(ada("Adä"));
    expect(await nameOf("ada@acme.test (Ada)")).toEqual(ada("Ada"));
    expect(await nameOf('"Lovelace, Ada" <ada@acme.test>')).toEqual(ada("Lovelace, Ada"));
    expect(await nameOf("ada@acme.test <ada@acme.test>")).toEqual(ada());
    expect(await nameOf("<ada@acme.test>")).toEqual(ada());
    expect((await nameOf("Ada </O=ACME/CN=ADA>")).value).toBe("/O=ACME/CN=ADA");
  });

  it("may give a boundary by the continuations of RFC 2231", async () => {
    const head = `${HEAD}Content-Type: multipart/mixed;\n boundary*0=abc;\n boundary*1=def\n\n`;
    expect(
      await bodyOf(`${head}--abcdef\nContent-Type: text/plain;\n charset*=us-ascii'en'utf-8\n\nhello\n--abcdef--`),
    ).toBe("hello");
  });

  it("may have a megabyte, and more than two refuse the mail", async () => {
    const long = (bytes: number) => `X-Long: ${"a ".repeat(bytes / 2)}\n${HEAD}\nhi`;
    expect(await bodyOf(long(1024 * 1024))).toBe("hi");
    expect(await read(long(3 * 1024 * 1024))).toEqual({ refused: expect.stringContaining("header size") });
  });
});

describe("A mail that was made to do harm", () => {
  it("with parts nested a thousand deep is refused", async () => {
    let mail = HEAD;
    for (let i = 0; i < 1000; i += 1) mail += `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`;
    expect(await read(`${mail}Content-Type: text/plain\n\nhello`)).toEqual({
      refused: expect.stringContaining("nesting depth"),
    });
  });

  it("with elements nested a hundred thousand deep has the text in front of them", async () => {
    expect(
      await bodyOf(`${HEAD}Content-Type: text/html\n\n<p>hello</p>${"x".repeat(20_000)}${"<b>".repeat(100_000)}bye`),
    ).toMatch(/^hello\n\nx+$/);
    expect(await bodyOf(`${HEAD}Content-Type: text/html\n\n${"<div>".repeat(900)}hello`)).toBe("hello");
  });

  it("is read or refused whatever its bytes are, and what is read is valid", async () => {
    const fragments = fc.constantFrom(
      ...[
        "\n",
        "\r\n",
        ": ",
        "From: ",
        "To: a@b.test\n",
        "Date: Thu, 5 Jan 2024 10:00:00 +0000\n",
        "Subject: =?utf-8?q?",
      ],
      ...[
        "Content-Type: multipart/mixed; boundary=b\n\n",
        "--b\n",
        "--b--\n",
        "Content-Type: text/html\n\n",
        "<p>&#x0;&#xd800;",
      ],
      ...[
        "Content-Transfer-Encoding: base64\n",
        "?=",
        "(",
        ")",
        "<",
        ">",
        '"',
        "\u0000",
        "\\",
        "a@b.test",
        "é",
        ";",
        ",",
      ],
    );
    const mails = fc.oneof(
      fc.array(fragments, { maxLength: 60 }).map((row) => Buffer.from(row.join(""))),
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(mails, async (mail) => {
        const outcome = await read(Buffer.concat([Buffer.from("From: a@b.test\n"), mail]));
        if ("interaction" in outcome) expect(importedIssues(outcome.interaction)).toEqual([]);
        else expect(Object.keys(outcome)).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });
});
