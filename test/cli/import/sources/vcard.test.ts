import { afterAll, describe, expect, it, test } from "@jest/globals";
import { testFolder } from "../../../support/folder.ts";
import { readText } from "./read.ts";

const files = testFolder();
afterAll(() => files.remove());

const read = (content: string | Buffer, options = {}) =>
  readText(files.path, content, { name: "cards.vcf", ...options });
const card = (...lines: string[]) => `BEGIN:VCARD\r\nVERSION:3.0\r\n${lines.join("\r\n")}\r\nEND:VCARD\r\n`;

/** The cells of the only card that are not empty, by their headings. */
async function cellsOf(...lines: string[]): Promise<Record<string, string>> {
  const { headings, rows } = await read(card(...lines));
  const [row] = rows;
  if (rows.length !== 1 || row?.refused !== undefined) throw new Error(JSON.stringify(rows));
  return Object.fromEntries(headings.flatMap((heading, i) => (row?.cells[i] ? [[heading, row.cells[i]]] : [])));
}

describe("A vCard (docs/guides/import.md#vcards)", () => {
  it.each([
    [["FN:Ada \\, Lovelace\\; x\\\\y"], { "Full name": "Ada , Lovelace; x\\y" }],
    [["N:O\\;Neil;Ann,Bea;M\\,n;;"], { "Last name": "O;Neil", "First name": "Ann Bea", "Middle name": "M,n" }],
    [["N:Last"], { "Last name": "Last" }],
    [["FN:A", "BDAY:19850309"], { Birthday: "1985-03-09" }],
    [["FN:A", "BDAY:1985-03-09T00:00:00Z"], { Birthday: "1985-03-09" }],
    [["FN:A", "BDAY:--0309"], { Birthday: "--03-09" }],
    [["FN:A", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-09"], { Birthday: "--03-09" }],
    [["FN:A", "BDAY;VALUE=text:circa 1800"], { Birthday: "circa 1800" }],
    [["FN:A", "TEL;VALUE=uri:tel:+1-555-0100;ext=7"], { Phones: "+1-555-0100;ext=7" }],
    [["FN:A", "TEL;TYPE=FAX,WORK:1", "TEL;TYPE=VOICE;TYPE=FAX:2"], { Fax: "1", Phones: "2" }],
    [["FN:A", "EMAIL:a@x.test", "email;type=pref:MAILTO:b@x.test"], { Emails: "b@x.test\na@x.test" }],
    [
      ["FN:A", "home.ADR:PO 1;Flat 2;3 Road;Town;Shire;Z1;Land"],
      { Addresses: "3 Road, Flat 2, PO 1, Town, Shire, Z1, Land" },
    ],
    [["FN:A", "LABEL;TYPE=home:3 Road\\nTown"], { Addresses: "3 Road, Town" }],
    [["FN:A", "ORG:Acme\\; Co;;Sales"], { Companies: "Acme; Co", Department: "Sales" }],
    [["FN:A", "item1.URL:https\\://x.test", "item1.X-ABLabel:_$!<HomePage>!$_"], { URLs: "https://x.test" }],
    [["FN:A", "item2.X-ABDATE:20010203", "item2.X-ABLabel:first met"], { "First met": "2001-02-03" }],
    [["FN:A", "RELATED;TYPE=spouse;VALUE=text:Bea"], { Spouse: "Bea" }],
    [["FN:A", "GENDER:F;grrrl", "NICKNAME:Al,Ally"], { Gender: "Female", Nickname: "Al, Ally" }],
    [["FN:A", "CATEGORIES:x,y\\,z"], { Categories: "x\ny,z" }],
    [["FN:A", "NOTE:one\\ntw", " o", "NOTE:three"], { Notes: "one\ntwo\nthree" }],
    [["FN:A", "NOTE:ends with a backslash\\"], { Notes: "ends with a backslash\\" }],
    [["FN:A", "AGENT:", "BEGIN:VCARD", "FN:Agent", "END:VCARD", "TITLE:Boss"], { "Job title": "Boss" }],
    [["FN:A", 'X-SOCIALPROFILE;type="twitter":https://x.test/a'], { URLs: "https://x.test/a" }],
    [["FN:A", "UID:1", "REV:2020", "PRODID:x", "X-UNKNOWN;a=b:c", "TZ:+1"], {}],
  ])("is read: %j", async (lines, expected) => {
    const { "Full name": name, ...cells } = await cellsOf(...lines);
    expect(name === undefined || name === "A" ? cells : { "Full name": name, ...cells }).toEqual(expected);
  });

  it("may have pictures as long as they like, which are not kept", async () => {
    const data = "QUJD".repeat(20);
    const folded = Array.from({ length: 30_000 }, () => ` ${data}`);
    expect(await cellsOf("FN:Ada", `PHOTO;ENCODING=b:${data}`, ...folded, "TITLE:Boss")).toEqual({
      "Full name": "Ada",
      "Job title": "Boss",
    });
    expect(await cellsOf("FN:Ada", `LOGO;ENCODING=b:${data.repeat(10_000)}`, "TITLE:Boss")).toMatchObject({
      "Job title": "Boss",
    });
    expect(await cellsOf("PHOTO;BASE64;JPEG:", data, data, "FN:Ada")).toEqual({ "Full name": "Ada" });
  });

  it("of version 2.1 has words without names, and texts in quoted-printable and other encodings", async () => {
    expect(
      await cellsOf(
        "N;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:M=FCller;J=F6rg",
        "TEL;CELL;VOICE:+49 1",
        "NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=",
        "two=3D2",
      ),
    ).toEqual({ "Last name": "Müller", "First name": "Jörg", Phones: "+49 1", Notes: "one\ntwo=2" });
  });

  it.each([
    [["FN;ENCODING=QUOTED-PRINTABLE:Lea=20F=", "", "TEL:1"], { "Full name": "Lea F", Phones: "1" }],
    [["FN:A", "NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=", "=", "two", "TEL:1"], { Notes: "one\ntwo", Phones: "1" }],
    [["FN:A", "NOTE:C:\\temp\\new\\N", "ORG:R\\D Labs"], { Notes: "C:\\temp\new\\N", Companies: "R\\D Labs" }],
  ])("of version 2.1 keeps what follows a soft break, and backslashes: %j", async (lines, expected) => {
    const { headings, cells } = await read(card(...lines).replace("3.0", "2.1"));
    expect(cells).toHaveLength(1);
    expect(Object.fromEntries(headings.map((heading, i) => [heading, cells[0]?.[i]]))).toMatchObject(expected);
  });

  it("may be folded within a character, and may have a backslash before any sign", async () => {
    const [one, two] = [Buffer.from("FN:Zo\u00eb").subarray(0, -1), Buffer.from("\u00eb M\u00fcller").subarray(1)];
    const folded = Buffer.concat([one, Buffer.from("\r\n "), two, Buffer.from("\r\n")]);
    const content = Buffer.concat([Buffer.from("BEGIN:VCARD\r\n"), folded, Buffer.from("ORG:R\\D\r\nEND:VCARD\r\n")]);
    for (const options of [{}, { encoding: "utf-8" }]) {
      const { headings, cells, notes } = await read(Buffer.concat([content, Buffer.from(card("FN:B"))]), options);
      expect([cells[0]?.[0], cells[0]?.[headings.indexOf("Companies")], cells[1]?.[0]]).toEqual([
        "Zoë Müller",
        "R\\D",
        "B",
      ]);
      expect(notes).toEqual([]);
    }
  });

  it("that is broken is refused with its line, and the others are read", async () => {
    const long = `NOTE:${"x".repeat(2_000_000)}`;
    const { rows } = await read(
      `${card("FN:A", "no property")}BEGIN:VCARD\r\nFN:B\r\n${card(long)}${card("FN:C")}BEGIN:VCARD\r\nFN:D\r\n`,
    );
    expect(rows.map(({ line, refused, cells }) => [line, refused ?? cells[0]])).toEqual([
      [1, 'The card has a line that is none of a vCard: "no property"'],
      [6, "The card has no END:VCARD"],
      [8, "Line 10 is too long for a card"],
      [12, "C"],
      [16, "The card has no END:VCARD"],
    ]);
  });
});

test("a file of vCards may be in UTF-16 or an older encoding", async () => {
  const text = card("FN:Zoë Müller");
  for (const content of [
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`\ufeff${text}`, "utf16le"),
    Buffer.from(text, "latin1"),
  ])
    expect((await read(content)).cells[0]?.[0]).toBe("Zoë Müller");
});

test("cards are of people, companies or groups, and only those that are imported are rows", async () => {
  const text = [
    card("FN:Ada", "N:Lovelace;Ada;;;", "ORG:Engines"),
    card("FN:Engines", "ORG:Engines"),
    card("FN:Tools", "N:;;;;", "ORG:Tools;", "X-ABShowAs:COMPANY"),
    card("FN:Makers", "KIND:org"),
    card("FN:All", "X-ADDRESSBOOKSERVER-KIND:group"),
  ].join("");
  expect((await read(text)).cells.map(([name]) => name)).toEqual(["Ada"]);
  const companies = await read(text, { kind: "companies" });
  expect(companies.cells.map(([name]) => name)).toEqual(["Engines", "Tools", "Makers"]);
  expect(companies.notes).toEqual([
    "1 of the cards is about people: import people takes those.",
    "1 of the cards is about groups of others, and passed over.",
  ]);
});
