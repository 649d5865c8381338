import { afterAll, describe, expect, it, test } from "@jest/globals";
import { testFolder } from "../../../../test/support/folder.ts";
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

describe("A vCard (docs/guides/import-files.md#vcards)", () => {
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
    [["FN:A", "NOTE:C:\\\\temp\\, x\\ny\\Nz\\: d\\e\\"], { Notes: "C:\\temp, x\ny\nz: d\\e\\" }],
    [["FN:A", "ORG:R\\D, Labs;S\\T"], { Companies: "R\\D, Labs", Department: "S\\T" }],
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
    ["an empty line behind it", ["FN;ENCODING=QUOTED-PRINTABLE:=4C=65=61=", "", "TITLE:Boss"], "Lea"],
    ["a line of blanks behind it", ["FN;ENCODING=QUOTED-PRINTABLE:Lea=", " \t", "TITLE:Boss"], "Lea"],
    ["blanks behind the equals sign", ["FN;ENCODING=QUOTED-PRINTABLE:Le= \t", "a", "TITLE:Boss"], "Lea"],
    ["several in a row", ["FN;ENCODING=QUOTED-PRINTABLE:L=", "=", "ea=", "", "TITLE:Boss"], "Lea"],
    ["an end of the card behind it", ["TITLE:Boss", "FN;ENCODING=QUOTED-PRINTABLE:Lea="], "Lea"],
    ["a line that is folded instead", ["FN;ENCODING=QUOTED-PRINTABLE:L=C3", " =A9a", "TITLE:Boss"], "L\u00e9a"],
    ["a blank that belongs to the value", ["FN;ENCODING=QUOTED-PRINTABLE:Lea=", " Field", "TITLE:Boss"], "Lea Field"],
  ])("may end a line of quoted-printable with a soft break: %s", async (_what, lines, name) => {
    for (const end of ["\r\n", "\n"]) {
      const { headings, cells } = await read(
        `BEGIN:VCARD\nVERSION:2.1\n${lines.join("\n")}\nEND:VCARD\n`.replaceAll("\n", end),
      );
      const [row = []] = cells;
      expect([row[0], row[headings.indexOf("Job title")]]).toEqual([name, "Boss"]);
    }
  });

  it.each([
    "NOTE;ENCODING=QUOTED-PRINTABLE:Gr=C3=BC=C3=9Fe",
    "NOTE;quoted-printable:Gr=c3=bc=c3=9fe",
    'NOTE; Encoding = "Quoted-Printable" ;CHARSET=utf8:Gr=C3=BC=C3=9Fe',
    "NOTE;ENCODING=Q;CHARSET=ISO-8859-1:Gr=FC=DFe",
    "NOTE;ENCODING=b:R3LDvMOfZQ==",
    "NOTE;BASE64:R3LDvMOfZQ==",
    "NOTE;ENCODING=BASE64;CHARSET=ISO-8859-1:R3L832U=",
    "NOTE;ENCODING=BASE64:R3L\r\nDvMOf\r\nZQ==\r\n",
  ])("has encoded values in each spelling: %s", async (line) => {
    expect(await cellsOf("FN:Ada", line, "TITLE:Boss")).toEqual({
      "Full name": "Ada",
      Notes: "Gr\u00fc\u00dfe",
      "Job title": "Boss",
    });
  });

  it("of version 2.1 keeps a backslash before any sign but those that divide, a backslash and n", async () => {
    const lines = [
      "N:Lee, Jr\\;;Ann",
      "NOTE:C:\\temp\\new\\Notes",
      "ORG:R\\D, Labs;A\\;B",
      "TITLE:Dev\\Ops\\\\Test",
      "ADR;WORK:;;7\\9 Mill,Lane;Leeds;;LS1;UK",
    ];
    const { headings, cells } = await read(`BEGIN:VCARD\nVERSION:2.1\n${lines.join("\n")}\nEND:VCARD\n`);
    expect(Object.fromEntries(headings.map((heading, i) => [heading, cells[0]?.[i]]))).toMatchObject({
      "Last name": "Lee, Jr;",
      "First name": "Ann",
      Notes: "C:\\temp\new\\Notes",
      Companies: "R\\D, Labs",
      Department: "A;B",
      "Job title": "Dev\\Ops\\Test",
      Addresses: "7\\9 Mill,Lane, Leeds, LS1, UK",
    });
  });

  it.each(["=0D=0A", "=0A", "=0D", "=E2=80=A8"])("has an address in one line, whatever breaks it: %s", async (end) => {
    const street = `ADR;ENCODING=QUOTED-PRINTABLE:;;1 Mill Lane${end}Flat 2;Leeds;;;`;
    expect(await cellsOf("FN:Ada", street)).toEqual({ "Full name": "Ada", Addresses: "1 Mill Lane, Flat 2, Leeds" });
  });

  it("that is broken is refused with its line, and the others are read", async () => {
    const long = `NOTE:${"x".repeat(2_000_000)}`;
    const { rows } = await read(
      `${card("FN:A", "no property")}BEGIN:VCARD\r\nFN:B\r\n${card(long)}${card("FN:C")}BEGIN:VCARD\r\nFN:D\r\n`,
    );
    expect(rows.map(({ line, refused, cells }) => [line, refused ?? cells[0]])).toEqual([
      [1, 'The card has a line that is not part of a vCard: "no property"'],
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

/** Text in UTF-8, folded within its first character that is not ASCII. */
function foldedWithin(text: string, encoding: BufferEncoding = "utf8"): Buffer {
  const bytes = Buffer.from(text, encoding);
  const at = bytes.findIndex((byte) => byte >= 0x80) + 1;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from("\r\n "), bytes.subarray(at)]);
}

test("lines may be folded within a character, whatever else the file holds (docs/guides/import-files.md#vcards)", async () => {
  const folded = foldedWithin(card("FN:Zo\u00eb \u{1f600} Field"));
  const plain = Buffer.from(card("FN:\u0141ukasz", "EMAIL:l@x.test"));
  for (const content of [folded, Buffer.concat([plain, folded, plain]), Buffer.concat([Buffer.from("\ufeff"), folded])])
    for (const encoding of [undefined, "utf-8"]) {
      const { cells, notes } = await read(content, { encoding });
      expect(cells.map(([name]) => name)).toContain("Zo\u00eb \u{1f600} Field");
      expect(notes).toEqual([]);
    }
  const { cells, notes } = await read(foldedWithin(card("FN:J\u00f6rg M\u00fcller"), "latin1"));
  expect([cells[0]?.[0], notes]).toEqual(["J\u00f6rg M\u00fcller", [expect.stringContaining("read as windows-1252")]]);
  // \u7530\u4e2d, folded within its second character.
  const japanese = Buffer.from("464e3a9363920d0a2086", "hex");
  const named = await read(
    Buffer.concat([Buffer.from("BEGIN:VCARD\r\nVERSION:2.1\r\n"), japanese, Buffer.from("\r\nEND:VCARD\r\n")]),
    { encoding: "shift_jis" },
  );
  expect(named.cells[0]?.[0]).toBe("\u7530\u4e2d");
});

test("a property may name its own encoding, and the other ones are in that of the file", async () => {
  const content = Buffer.concat([
    Buffer.from("BEGIN:VCARD\nVERSION:2.1\nFN:Zo\u00eb\nTITLE;CHARSET=ISO-8859-2:L"),
    Buffer.from([0xf3, 0x64, 0xbc]),
    Buffer.from(
      "\nROLE;ENCODING=QUOTED-PRINTABLE;CHARSET=windows-1251:=CF=EE=E2=E0=F0\nNOTE;CHARSET=ISO-8859-1:sp\u00e4ter umgewandelt\nEND:VCARD\n",
    ),
  ]);
  const { headings, cells, notes } = await read(content);
  const cell = (heading: string) => cells[0]?.[headings.indexOf(heading)];
  expect([cell("Full name"), cell("Job title"), cell("Role"), cell("Notes")]).toEqual([
    "Zo\u00eb",
    "L\u00f3d\u017a",
    "\u041f\u043e\u0432\u0430\u0440",
    "sp\u00e4ter umgewandelt",
  ]);
  expect(notes).toEqual([]);
  const broken = Buffer.concat([
    Buffer.from(card("FN:Zo\u00eb \u00e9\u00e9")),
    Buffer.from(card("FN:A\nTITLE:B\xff"), "latin1"),
  ]);
  await expect(read(broken)).rejects.toThrow(/cards\.vcf:8 is not in UTF-8, as the rest of the file is/);
  await expect(read(broken, { encoding: "shift_jis" })).rejects.toThrow(/is not in shift_jis/);
});

test.each(["\r", "\n", "\r\r\n", "\n\r"])("lines of cards may end with %j", async (end) => {
  const lines = ["FN:Ada", "TITLE:Bo", " ss", "NOTE;ENCODING=QUOTED-PRINTABLE:o=", "ne=", "", "EMAIL:a@x.test"];
  const { headings, cells } = await read(card(...lines).replaceAll("\r\n", end));
  expect(cells).toHaveLength(1);
  const cell = (heading: string) => cells[0]?.[headings.indexOf(heading)];
  expect(["Full name", "Job title", "Notes", "Emails"].map(cell)).toEqual(["Ada", "Boss", "one", "a@x.test"]);
});

test("a card with very many properties is refused, and the next one is read", async () => {
  const { rows } = await read(card("FN:A", ...Array<string>(20_000).fill("X-A:")) + card("FN:B"));
  expect(rows.map(({ refused, cells }) => refused ?? cells[0])).toEqual([
    "The card has more than 10000 properties",
    "B",
  ]);
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
    "1 of the cards is about groups of others, and skipped.",
  ]);
});
