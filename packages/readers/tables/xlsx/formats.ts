import { type Archive, broken } from "./archive.ts";
import { SMALL_BYTES_MAX } from "./workbook.ts";
import { hearAll } from "./xml.ts";

/** Meaning of the number in a cell. */
export type Format = { is: "number" } | { is: "date" } | { is: "time" } | { is: "digits"; count: number };

/** Formats that every program knows by their numbers: dates, and times of a day or longer. */
const DATES = new Set([14, 15, 16, 17, 22, ...range(27, 36), ...range(50, 58)]);
const TIMES = new Set([18, 19, 20, 21, 32, 33, 45, 46, 47, 55, 56]);

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Maximum number of cell styles in Excel. */
const STYLES_MAX = 65_536;

/** The formats of a workbook, by the number of the style that a cell names. */
export async function readFormats(archive: Archive, part: string | undefined): Promise<Format[]> {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let isCells = false;
  const listener = {
    open(name: string, attributes: Record<string, string>) {
      if (name === "numFmt") codes.set(Number(attributes.numFmtId), attributes.formatCode ?? "");
      if (name === "cellXfs") isCells = true;
      if (name === "xf" && isCells) styles.push(Number(attributes.numFmtId ?? 0));
      if (styles.length > STYLES_MAX) throw broken(archive, `it has more than ${STYLES_MAX} styles of cells`);
    },
    close(name: string) {
      if (name === "cellXfs") isCells = false;
    },
  };
  if (part === undefined || archive.bytesOf(part) === undefined) return [];
  await hearAll(archive, part, listener, SMALL_BYTES_MAX);
  // Each code is read once, because all styles may name one that is very long.
  const formats = new Map([...new Set(styles)].map((number) => [number, formatOf(number, codes.get(number))]));
  return styles.map((number) => formats.get(number) ?? { is: "number" });
}

function formatOf(number: number, code: string | undefined): Format {
  if (code === undefined) return { is: TIMES.has(number) ? "time" : DATES.has(number) ? "date" : "number" };
  // Texts in a format, colours and languages hold letters that mean nothing: "Tag", [Red], [$-407].
  // A bracket ends the search for the end of another one: of very many the expression would try each to the end.
  const signs = code.replaceAll(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^[\]]*\]|_./gi, "").split(";")[0] ?? "";
  if (/^0{2,}$/.test(signs)) return { is: "digits", count: signs.length };
  if (/general|#|0|\?|@/i.test(signs.replaceAll(/[.,]0+/g, ""))) return { is: "number" };
  if (/[yd]|m{3,}/i.test(signs)) return { is: "date" };
  return { is: /[hs]/i.test(signs) ? "time" : "number" };
}
