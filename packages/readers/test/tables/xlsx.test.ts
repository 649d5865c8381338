import { afterAll, describe, expect, it } from "@jest/globals";
import { testFolder } from "../../../../test/support/folder.ts";
import { zipOf } from "../../../../test/support/zip.ts";
import { valuesOf } from "../../../../tools/import/cells.ts";
import type { Column } from "../../../../tools/import/columns.ts";
import { readText } from "./read.ts";
import { textRow, workbookOf } from "./workbook.ts";

const files = testFolder();
afterAll(() => files.remove());

const read = (content: Buffer, options = {}) => readText(files.path, content, { name: "people.xlsx", ...options });
const people = { name: "People", rows: textRow(1, "Name", "Email") + textRow(2, "Ada", "ada@x.test") };

describe("An Excel sheet (docs/guides/import-files.md#excel-sheets)", () => {
  it("is read with texts of all kinds, rows by their numbers, cells by their columns", async () => {
    const strings = [
      "<t>Name</t>",
      "<t>Notes</t>",
      '<r><t xml:space="preserve">Zoë </t></r><r><rPr><b/></rPr><t>&amp; Co</t></r><rPh><t>ゾエ</t></rPh>',
      "<t>one_x000D_\ntwo &lt;3 _x005F_</t>",
    ];
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
      '<row r="4"><c r="A4" t="s"><v>2</v></c><c r="C4" t="s"><v>3</v></c></row>' +
      '<row r="5"><c r="A5"/><c r="B5" s="1"/></row>' +
      '<row r="7"><c r="C7" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>' +
      '<row r="9"><c r="A9" t="str"><f>A4&amp;"!"</f><v>formula!</v></c></row>';
    const table = await read(workbookOf([{ name: "People", rows }], { strings, formats: [14] }));
    expect(table).toMatchObject({ headings: ["Name", "", "Notes"], headingLine: 1, notes: [] });
    expect(table.rows).toEqual([
      { line: 4, cells: ["Zoë & Co", "", "one\r\ntwo <3 _"] },
      { line: 7, cells: ["", "", "inline"] },
      { line: 9, cells: ["formula!", "", ""] },
    ]);
  });

  it.each([
    ["a date", 14, "45355", "2024-03-04"],
    ["a date with a time", 22, "45355.425", "2024-03-04T10:12:00"],
    ["a date in a form of its own", "[$-407]d. mmm\\ yyyy;@", "31115", "1985-03-09"],
    ["a date in German letters in quotes", 'dd.mm.yyyy" Uhr"', "1", "1900-01-01"],
    ["a day before the false 29 February 1900", 14, "59", "1900-02-28"],
    ["the day after it", 14, "61", "1900-03-01"],
    ["a time", 20, "0.5", "12:00:00"],
    ["a number", 0, "42", "42"],
    ["a number with the noise of its binary form", 0, "0.30000000000000004", "0.3"],
    ["a price", "#,##0.00\\ &quot;€&quot;", "1234.5", "1234.5"],
    ["a telephone number", 0, "4.91701234567E+11", "491701234567"],
    ["a number of 15 digits", 0, "123456789012345", "123456789012345"],
    ["a longer number, of which Excel has lost digits", 0, "1234567890123456", "1.23456789012346E+15"],
    ["a postal code with zeros in front", "00000", "1067", "01067"],
    ["a percentage", 9, "0.25", "0.25"],
    ["a number of red or minutes", "[Red]0;[Blue]-0", "7", "7"],
  ])("has cells as they are shown: %s", async (_what, format, value, expected) => {
    const rows = `${textRow(1, "Name", "Value")}<row r="2"><c t="inlineStr"><is><t>x</t></is></c><c s="1"><v>${value}</v></c></row>`;
    const { cells } = await read(workbookOf([{ name: "S", rows }], { formats: [format] }));
    expect(cells).toEqual([["x", expected]]);
  });

  it("has true and false as words, ISO dates as they are, and errors as nothing", async () => {
    const cell = (type: string, value: string) => `<c t="${type}"><v>${value}</v></c>`;
    const rows = `${textRow(1, "a", "b", "c", "d")}<row>${cell("b", "1")}${cell("b", "0")}${cell("d", "2024-03-04T00:00:00Z")}${cell("e", "#N/A")}</row>`;
    expect((await read(workbookOf([{ name: "S", rows }]))).cells).toEqual([["true", "false", "2024-03-04", ""]]);
  });

  it("leaves out how a text is pronounced, and keeps the zeros of a text that a formula makes", async () => {
    const rows = `${textRow(1, "Name", "Code")}<row><c t="s"><v>0</v></c><c t="str"><f>A9</f><v>00123</v></c></row>`;
    const strings = ['<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>'];
    expect((await read(workbookOf([{ name: "S", rows }], { strings }))).cells).toEqual([["東京", "00123"]]);
  });

  it("may have a prefix before the names of its elements", async () => {
    const content = zipOf({
      "[Content_Types].xml": "<Types/>",
      "xl/workbook.xml": '<x:workbook><x:sheets><x:sheet name="S" sheetId="1" r:id="a"/></x:sheets></x:workbook>',
      "xl/_rels/workbook.xml.rels":
        '<p:Relationships><p:Relationship Id="a" Type="x/worksheet" Target="/xl/worksheets/people.xml"/></p:Relationships>',
      "xl/worksheets/people.xml": `<x:worksheet><x:sheetData>${people.rows.replaceAll(/<(\/?)/g, "<$1x:")}</x:sheetData></x:worksheet>`,
    });
    expect(await read(content)).toMatchObject({ headings: ["Name", "Email"], cells: [["Ada", "ada@x.test"]] });
  });

  it("may count its days from 1904", async () => {
    const rows = `${textRow(1, "Name", "Day")}<row><c t="inlineStr"><is><t>x</t></is></c><c s="1"><v>43893</v></c></row>`;
    const content = workbookOf([{ name: "S", rows }], { formats: [14], isFrom1904: true });
    expect((await read(content)).cells).toEqual([["x", "2024-03-04"]]);
  });

  it("may have its headings below a title", async () => {
    const rows = textRow(2, "Contacts of 2024") + textRow(4, "Name", "Email") + textRow(5, "Ada", "ada@x.test");
    expect(await read(workbookOf([{ name: "S", rows }]))).toMatchObject({
      headings: ["Name", "Email"],
      notes: ["The headings are in row 4: the rows above are skipped."],
      rows: [{ line: 5, cells: ["Ada", "ada@x.test"] }],
    });
  });

  it("is the first with anything in it that is not hidden, and the others are told; or the named one", async () => {
    const sheets = [
      { name: "Old", rows: people.rows, state: "hidden" },
      { name: "Empty", rows: '<row r="1"><c r="A1" s="1"/></row>' },
      people,
      { name: "Lists", rows: textRow(1, "Name") + textRow(2, "Bob") },
    ];
    const content = workbookOf(sheets);
    expect(await read(content)).toMatchObject({
      cells: [["Ada", "ada@x.test"]],
      notes: ['The sheet "People" is read. There are also: "Empty", "Lists"; --sheet names another one.'],
    });
    expect(await read(content, { sheet: "lists" })).toMatchObject({ cells: [["Bob"]], notes: [] });
    await expect(read(content, { sheet: "Deals" })).rejects.toThrow(
      /people\.xlsx has no sheet "Deals"\. There are: "Old", "Empty", "People", "Lists"\.$/,
    );
    await expect(read(workbookOf([{ name: "Empty", rows: "" }]))).rejects.toThrow(
      /is empty: it needs a row of headings/,
    );
    await expect(read(content, { encoding: "utf-8" })).rejects.toThrow(
      /an Excel file, for which there is no --encoding/,
    );
  });

  it("refuses a row with a value beyond the headings, with its text and column, and passes blank ones over", async () => {
    const row = (line: number, cell: string) => `<row r="${line}"><c r="A${line}" t="str"><v>x</v></c>${cell}</row>`;
    const far = Array.from({ length: 20_000 }, (_, i) => row(i + 5, `<c r="XFD${i + 5}" t="str"><v>note</v></c>`));
    const blank = row(4, '<c r="XFD4" t="str"><v>\u00a0</v></c>');
    const table = await read(workbookOf([{ name: "S", rows: people.rows + blank + far.join("") }]));
    expect(table.headings.slice(0, 3)).toEqual(["Name", "Email", ""]);
    expect(table.headings.length).toBeLessThan(150);
    expect(table.rows.slice(0, 3).map(({ line, cells: [name], refused }) => [line, name, refused])).toEqual([
      [2, "Ada", undefined],
      [4, "x", undefined],
      [5, "x", '"note" stands in column XFD, beyond the headings'],
    ]);
    expect(table.rows).toHaveLength(20_002);
    const many = Array.from({ length: 2_001 }, (_, i) => `Column ${i}`);
    await expect(read(workbookOf([{ name: "S", rows: textRow(1, ...many) }]))).rejects.toThrow(/has 2001 columns/);
  });

  it("takes merged cells and shared formulas for the cells that have a value, and a number that no row has for the next", async () => {
    const rows = `${textRow(1, "Name", "Code")}<row r="1048576"><c r="A1048576" t="str"><f t="shared" ref="A2:XFD1048576" si="0">1</f><v>x</v></c></row><row r="1e9"><c t="str"><v>y</v></c></row>`;
    const merged = '</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><sheetData>';
    expect((await read(workbookOf([{ name: "S", rows: rows + merged }]))).rows).toEqual([
      { line: 1_048_576, cells: ["x", ""] },
      { line: 1_048_577, cells: ["y", ""] },
    ]);
  });

  it("has cells with line breaks of every kind, which values have as LF", async () => {
    const rows = `${textRow(1, "Name", "Address")}<row><c t="str"><v>x</v></c><c t="str"><v>1 Mill_x000D_\nLeeds_x000D_UK</v></c></row>`;
    const { cells } = await read(workbookOf([{ name: "S", rows }]));
    const column: Column = { index: 1, heading: "Address", target: { to: "field", name: "addresses", isList: true } };
    expect(valuesOf(column, cells[0]?.[1] ?? "").values).toEqual(["1 Mill\nLeeds\nUK"]);
  });

  it("is read once when very many names lead to it, of which the first ones are told", async () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `<sheet name="S${i}" r:id="a"/>`).join("");
    const content = zipOf({
      "[Content_Types].xml": "<Types/>",
      "xl/workbook.xml": `<workbook><sheets>${names}</sheets></workbook>`,
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="a" Type="x/worksheet" Target="/xl/empty.xml"/></Relationships>',
      "xl/empty.xml": `<worksheet><sheetData>${"<row/>".repeat(100_000)}</sheetData></worksheet>`,
    });
    await expect(read(content)).rejects.toThrow(/is empty: it needs a row of headings/);
    await expect(read(content, { sheet: "T" })).rejects.toThrow(/There are: "S0", "S1", .*"S49", 4950 more\.$/);
  });

  it("has formats of any length, which are read at once", async () => {
    const rows = `${textRow(1, "Name", "Value")}<row><c t="str"><v>x</v></c><c s="1"><v>7</v></c></row>`;
    const long = `0${"[".repeat(1_000_000)}`;
    // 164 is the number of the first code. All styles name it.
    const content = workbookOf([{ name: "S", rows }], { formats: [long, ...Array<number>(10_000).fill(164)] });
    expect((await read(content)).cells).toEqual([["x", "7"]]);
  });

  it("that is broken, or none, is refused in one line", async () => {
    const whole = workbookOf([people]);
    const message = /^\S+people\.xlsx cannot be read as an Excel file: [^\n]*\. Save it again as \.xlsx, or as CSV\.$/;
    const torn = Buffer.from(whole);
    torn.fill(0, whole.indexOf("xl/worksheets/sheet1.xml") + 30, whole.indexOf("xl/worksheets/sheet1.xml") + 60);
    const zip = (parts: Record<string, string>) => zipOf({ "[Content_Types].xml": "<Types/>", ...parts });
    const attack = `<worksheet><sheetData><row><c t="str"><v>${"a".repeat(5 * 1024 * 1024)}</v></c></row></sheetData></worksheet>`;
    for (const content of [
      whole.subarray(0, 700),
      torn,
      zip({ "word/document.xml": "<document/>" }),
      zip({ "xl/workbook.xml": "<workbook/>" }),
      workbookOf([{ name: "Bomb", rows: attack }]),
      workbookOf([people], { strings: ["", ...Array.from({ length: 10 }, () => "</si><si/>".repeat(900_000))] }),
      workbookOf([
        { name: "Runs", rows: `<row><c t="inlineStr"><is>${`<t>${"a".repeat(1000)}</t>`.repeat(1100)}</is></c></row>` },
      ]),
      workbookOf([
        { name: "Value", rows: `<row><c t="str"><v>${`${"a".repeat(1000)}<a/>`.repeat(1100)}</v></c></row>` },
      ]),
      workbookOf([{ name: "Deep", rows: "<a>".repeat(200) }]),
      workbookOf([{ name: "Cells", rows: `<row>${'<c r="A1"/>'.repeat(16_385)}</row>` }]),
      workbookOf([{ name: "Rows", rows: people.rows + "<row/>".repeat(1_048_576) }]),
      workbookOf([people], { formats: Array<number>(65_537).fill(0) }),
      workbookOf([{ name: "Blanks", rows: people.rows + " ".repeat(5 * 1024 * 1024) + people.rows }]),
    ])
      await expect(read(content)).rejects.toThrow(message);
  });
});
