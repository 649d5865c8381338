import { zipOf } from "../../../../test/support/zip.ts";

/** A sheet as Excel writes it: its rows are XML, `<c r="A1" t="s"><v>0</v></c>` and the like. */
export interface SheetXml {
  name: string;
  rows: string;
  state?: string;
}

interface Parts {
  strings?: string[];
  /** Styles by number: a code, or the number of one that every program knows. */
  formats?: (string | number)[];
  isFrom1904?: boolean;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** An Excel file, with its parts in the order in which Excel writes them. */
export function workbookOf(sheets: SheetXml[], { strings = [], formats = [], isFrom1904 = false }: Parts = {}): Buffer {
  const relations = [
    ...sheets.map((_sheet, i) => relation(`rId${i + 1}`, "worksheet", `worksheets/sheet${i + 1}.xml`)),
    relation("rIdS", "styles", "styles.xml"),
    relation("rIdT", "sharedStrings", "sharedStrings.xml"),
  ];
  const listed = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}"${state ? ` state="${state}"` : ""} r:id="rId${i + 1}"/>`,
  );
  const codes = formats.map((format, i) => (typeof format === "string" ? 164 + i : format));
  const numFmts = formats.flatMap((format, i) =>
    typeof format === "string" ? [`<numFmt numFmtId="${164 + i}" formatCode="${format}"/>`] : [],
  );
  return zipOf({
    "[Content_Types].xml": `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": `${HEAD}<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships>${relations.join("")}</Relationships>`,
    "xl/workbook.xml": `${HEAD}<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr${isFrom1904 ? ' date1904="1"' : ""}/><sheets>${listed.join("")}</sheets></workbook>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `${HEAD}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    "xl/styles.xml": `${HEAD}<styleSheet ${MAIN}><numFmts>${numFmts.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes.map((code) => `<xf numFmtId="${code}"/>`).join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `${HEAD}<sst ${MAIN}>${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`,
  });
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

/** A row of texts that stand in the cells themselves. */
export function textRow(line: number, ...texts: string[]): string {
  return `<row r="${line}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`;
}
