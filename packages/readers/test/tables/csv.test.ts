import { afterAll, describe, expect, it, test } from "@jest/globals";
import { testFolder } from "../../../../test/support/folder.ts";
import { readText } from "./read.ts";

const files = testFolder();
afterAll(() => files.remove());

const read = (content: string | Buffer, options = {}) => readText(files.path, content, options);

describe("The delimiter of a CSV file (docs/guides/import-files.md#csv-files)", () => {
  const rows = [
    ["Name", "Email", "Notes"],
    ["Ada", "ada@x.test", "x, y; z|w"],
    ["Bob", "bob@x.test", "p:q"],
  ];
  const written = (delimiter: string) =>
    rows
      .map((cells) => cells.map((cell) => (cell.includes(delimiter) ? `"${cell}"` : cell)).join(delimiter))
      .join("\n");

  it.each([",", ";", "\t", "|", ":"])("is found out: %j", async (delimiter) => {
    const { headings, cells } = await read(written(delimiter));
    expect([headings, ...cells]).toEqual(rows);
  });

  it.each([
    ["sep=;\r\n", ";"],
    ["SEP=|\n", "|"],
    ['"sep=\t"\n', "\t"],
    ["\ufeffsep=:\r", ":"],
  ])("is what a first line %j says, which is for programs", async (line, delimiter) => {
    const table = await read(`${line}Name${delimiter}a,b,c,d\nAda${delimiter}1,2,3,4\n`);
    expect(table).toMatchObject({
      headings: ["Name", "a,b,c,d"],
      headingLine: 2,
      notes: [],
      cells: [["Ada", "1,2,3,4"]],
    });
  });

  it("is told by an option, as a sign or in a word", async () => {
    const text = "Name,a~Email,b\nAda~ada@x.test\n";
    expect((await read(text, { delimiter: "~" })).headings).toEqual(["Name,a", "Email,b"]);
    expect((await read(text.replaceAll("~", ";"), { delimiter: "semicolon" })).cells).toEqual([["Ada", "ada@x.test"]]);
    await expect(read(text, { delimiter: "~~" })).rejects.toThrow(
      /^"~~" cannot divide cells: give one character, or one of comma,/,
    );
  });

  it("is no sign within headings and cells that occurs as often", async () => {
    expect((await read("Name;City, State\nAda;London, UK\nBob;Paris, FR\n")).headings).toEqual(["Name", "City, State"]);
    expect((await read("Name;Amount\nAda;1,5\nBob;2,5\n")).headings).toEqual(["Name", "Amount"]);
    expect((await read("Name,Website\nAda,https://a.test\nBob,https://b.test\n")).headings).toEqual([
      "Name",
      "Website",
    ]);
    expect((await read("Name\nAda\nBob\n")).headings).toEqual(["Name"]);
  });
});

/** Text in an encoding of one byte for each character. */
function inBytes(encoding: string, text: string): Buffer {
  const bytes = new Map(Array.from({ length: 256 }, (_, i) => [new TextDecoder(encoding).decode(Uint8Array.of(i)), i]));
  return Buffer.from([...text].map((letter) => bytes.get(letter) ?? 63));
}

describe("The encoding of a CSV file (docs/guides/import-files.md#encodings)", () => {
  const text = "Name,City\nJörg Müller,Köln\n";
  const cells = [["Jörg Müller", "Köln"]];
  const utf16be = (content: string) => Buffer.from(content, "utf16le").swap16();

  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${text}`)],
    ["UTF-16LE with one", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16BE with one", utf16be(`\ufeff${text}`)],
  ])("is known: %s", async (_name, content) => {
    expect(await read(content)).toMatchObject({ headings: ["Name", "City"], cells, notes: [] });
  });

  it.each([
    ["utf-16le", Buffer.from(text, "utf16le")],
    ["utf-16be", utf16be(text)],
    ["windows-1252", inBytes("windows-1252", text)],
    ["macintosh", inBytes("macintosh", text)],
  ])("is guessed, and the guess is told: %s", async (name, content) => {
    const table = await read(content);
    expect(table.cells).toEqual(cells);
    const example = name.startsWith("utf-16") ? "" : ' It reads "Jörg", for example.';
    expect(table.notes).toEqual([
      `FILE does not say its encoding: read as ${name}.${example} --encoding names another one.`,
    ]);
  });

  it.each([
    ["windows-1250", "Name,Miasto\nŁukasz Wiśniewski,Łódź\nStanisław Wójcik,Kraków\nMałgorzata Zając,Poznań\n"],
    ["windows-1251", "Name,Город\nАлексей Смирнов,Москва\nНаталья Кузнецова,Казань\n"],
    ["koi8-r", "Name,Город\nАлексей Смирнов,Москва\nНаталья Кузнецова,Казань\n"],
    ["iso-8859-7", "Name,Πόλη\nΓιώργος Παπαδόπουλος,Αθήνα\nΜαρία Νικολάου,Πάτρα\n"],
    ["windows-1254", "Name,Şehir\nŞükrü Yıldız,İzmir\nGülşen Çağlar,Eskişehir\n"],
  ])("is guessed of other languages: %s", async (encoding, content) => {
    const { headings, cells: rows } = await read(inBytes(encoding, content));
    expect([headings, ...rows].map((row) => row.join(",")).join("\n")).toBe(content.trimEnd());
  });

  it.each([
    ["windows-1250", "Name\nJiří Dvořák\n"],
    ["macintosh", "Name\nHélène Noël\n"],
    ["cp1252", "Name\n“Œuvre” – naïve\n"],
    ["shift_jis", Buffer.from([0x4e, 0x61, 0x6d, 0x65, 0x0a, 0x93, 0x63, 0x92, 0x86, 0x0a])],
  ])("is told by an option: %s", async (encoding, content) => {
    const bytes = typeof content === "string" ? inBytes(encoding.replace("cp", "windows-"), content) : content;
    const expected = typeof content === "string" ? content.split("\n")[1] : "田中";
    expect(await read(bytes, { encoding })).toMatchObject({ cells: [[expected]], notes: [] });
  });

  it("is looked at to the end of the file, however long it is", async () => {
    const long = `Name\n${"Ada\n".repeat(50_000)}`;
    expect((await read(Buffer.concat([Buffer.from(long), Buffer.from("J\xf6rg\n", "latin1")]))).rows.at(-1)).toEqual({
      line: 50_002,
      cells: ["Jörg"],
    });
    // A character that two pieces share.
    expect((await read(`Name\n${"é".repeat(200_000)}\n`)).notes).toEqual([]);
  });

  it("is no guess where the file is UTF-8 but for some bytes: that is refused with its line", async () => {
    const broken = Buffer.concat([Buffer.from("Name,City\nJörg,Köln\nZoë,Malmö\n"), Buffer.from([0xff, 0x2c, 0x0a])]);
    await expect(read(broken)).rejects.toThrow(/rows\.csv:4 is not in UTF-8, as the rest of the file is\. Save/);
    await expect(read(inBytes("windows-1252", text), { encoding: "utf-8" })).rejects.toThrow(/is not in UTF-8/);
    await expect(read(Buffer.from([0x4e, 0x0a, 0x80, 0x0a]), { encoding: "shift_jis" })).rejects.toThrow(
      /is not in shift_jis: name its encoding with --encoding/,
    );
    await expect(read(text, { encoding: "klingon" })).rejects.toThrow(
      /^There is no encoding "klingon" here\. There are: utf-8, utf-16le, .*gb18030\.$/,
    );
  });
});

describe("The headings of a CSV file (docs/guides/import-files.md#csv-files)", () => {
  it("may stand below lines about the file", async () => {
    const text =
      'Export of contacts\nMade on 2024-05-01\n\n"First Name",Last Name,Email Address\nAda,L,a@x.test\nBob,"S\nt",\n';
    const table = await read(text);
    expect(table).toMatchObject({
      headings: ["First Name", "Last Name", "Email Address"],
      headingLine: 4,
      notes: ["The headings are in line 4: 3 lines before them are skipped."],
    });
    expect(table.rows.map(({ line }) => line)).toEqual([5, 6]);
  });

  it.each([
    ["a first line that is narrower than a row", "Name\nAda,a@x.test\nBob,b@x.test\n", ["Name"]],
    ["words that mean nothing here", "Colour,Size,Weight\nred,1,2\n", ["Colour", "Size", "Weight"]],
    ["a row that names what headings name", "Name,Kind\nCity,State\nAda,x\n", ["Name", "Kind"]],
    ["empty lines only", "\n\n\nName,Kind\nAda,x\n", ["Name", "Kind"]],
  ])("are the first row as ever: %s", async (_what, text, headings) => {
    expect(await read(text)).toMatchObject({ headings, notes: [] });
  });
});

describe("A cell of a CSV file that a spreadsheet has written for itself (docs/guides/import-files.md#csv-files)", () => {
  it.each([
    ['="01067"', "01067"],
    ['"=""01067"""', "01067"],
    ['"=""a """"b"""" c"""', 'a "b" c'],
    ['=""', ""],
    [' ="01067" ', "01067"],
    ["\u00a0'+49 30", "+49 30"],
    [" 't Hooft", " 't Hooft"],
    ["'+49 30 1234567", "+49 30 1234567"],
    ["'000125", "000125"],
    ["'(030) 12-3", "(030) 12-3"],
    ["'-5", "-5"],
    ["'=1+1", "=1+1"],
    ["'@ada", "@ada"],
    ["'t Hooft", "'t Hooft"],
    ["'Abd al-Rahman", "'Abd al-Rahman"],
    ["'47 Brand", "'47 Brand"],
    ["'99'", "'99'"],
    ["'", "'"],
    ["=HYPERLINK(A1)", "=HYPERLINK(A1)"],
    ["#N/A", ""],
    ["#NV", ""],
    ["#DIV/0!", ""],
    ["#BEZUG!", ""],
    ["#Н/Д", ""],
    ["#N/D!", ""],
    ["#I/T", ""],
    ["#NENÍ_K_DISPOZICI", ""],
    ["#¡VALOR!", ""],
    ["#NAME?", ""],
    ["Err:502", ""],
    ["#NYC", "#NYC"],
    ["#7", "#7"],
    ["Erin", "Erin"],
  ])("%s is %j", async (cell, text) => {
    expect((await read(`Name,Value\nAda,${cell}\n`)).cells).toEqual([["Ada", text]]);
  });

  it("may be blank behind the last heading, and a row that has more is as long as it is", async () => {
    const text = "Name,Email,Notes\nA,a@x.test,one,\nB,b@x.test,two,,\u00a0\nC,c@x.test\nD,d@x.test,,,x,\n,,,,\n";
    expect((await read(text)).cells).toEqual([
      ["A", "a@x.test", "one"],
      ["B", "b@x.test", "two"],
      ["C", "c@x.test"],
      ["D", "d@x.test", "", "", "x"],
      ["", "", ""],
    ]);
  });

  it("may be one of very many, but not every one may have a heading", async () => {
    const blanks = ",".repeat(100_000);
    const { headings, cells } = await read(`Name,Email${blanks}\nAda,a@x.test${blanks}\n`);
    expect([headings.length, cells.map((row) => row.length)]).toEqual([2_000, [2_000]]);
    const many = Array.from({ length: 2_001 }, (_, i) => `Column ${i}`).join(",");
    await expect(read(`${many}\nAda\n`)).rejects.toThrow(
      /rows\.csv has 2001 columns, and an import reads at most 2000: /,
    );
  });
});

test("headings are read without unseen signs and blanks of other kinds", async () => {
  const text = '\u200bEmail, Shoe\u00a0si\u00adze ,"Two\r\nlines"\na@x.test,7,x\n';
  expect((await read(text)).headings).toEqual(["Email", "Shoe size", "Two\nlines"]);
});

test("rows are told by the line in which they begin, whatever breaks stand in them and before", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = ["Name,Notes", "A,x", '"B', 'C",y', "", "", '"D","1', "2", "", '3"', "E,z"].join(end);
    expect((await read(text)).rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [2, "A"],
      [3, `B${end}C`],
      [7, "D"],
      [11, "E"],
    ]);
  }
});

test.each([
  ["", /^\S+ is empty: it needs a line of headings/],
  ["\n\n", /^\S+ is empty: it needs a line of headings/],
  ["\ufeff", /^\S+ is empty: it needs a line of headings/],
  ['{"people": []}', /is JSON: convert it to CSV/],
  ["<!DOCTYPE html><table>", /is a web page, even if its name says something else/],
  ['<?xml version="1.0"?>', /is XML: save it as \.xlsx or CSV/],
  ["%PDF-1.7", /is a PDF: export the records as CSV/],
  [Buffer.from("ffd8ffe000104a464946", "hex"), /is a picture: import reads CSV files, Excel sheets/],
  [Buffer.from("89504e470d0a1a0a", "hex"), /is a picture: import reads CSV files, Excel sheets/],
  ["BEGIN:VCALENDAR\r\n", /is a calendar: import interactions reads those/],
  [Buffer.from("d0cf11e0a1b11ae1", "hex"), /old kind \(\.xls\), or has a password: open it, save it as \.xlsx/],
  [Buffer.from("1f8b0800", "hex"), /is packed: unpack it/],
  [
    Buffer.from("PK\x03\x04".padEnd(30, "\0").concat("people.csv")),
    /is an archive: unpack it, and import the CSV file/,
  ],
  [
    Buffer.from("PK\x03\x04".padEnd(30, "\0").concat("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")),
    /\(\.ods\): save it as \.xlsx or CSV/,
  ],
])("a file that is something else is refused in one line: %j", async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
  await expect(read(content)).rejects.toThrow(/^[^\n]*$/);
});

test("an option for other files is refused", async () => {
  await expect(read("Name\nAda\n", { sheet: "People" })).rejects.toThrow(
    /rows\.csv is a CSV file, for which there is no --sheet\.$/,
  );
});
