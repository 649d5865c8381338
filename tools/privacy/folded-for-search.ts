import { nfc, withMarksApart } from "../../base/values/nfc.ts";

/** Signs that stand between digits, and that PostgreSQL leaves out of texts before it looks for marks. */
export const BETWEEN = " ()./\u00a0\u2011\u202f-";

/**
 * SQL: a text as PostgreSQL looks for marks in it. Regular expressions take a hundred times as long there, and
 * `translate` five times as long as all these.
 */
export function searched(sql: string): string {
  return [...BETWEEN].reduce((text, sign) => `replace(${text}, '${sign}', '')`, `lower(${sql})`);
}

/** LIKE tries the signs of a pattern at many places of a text, so a long one is looked for by its first signs. */
const SIGNS_MAX = 50;

/**
 * A pattern of LIKE that every `searched` text matches in which this one stands, in any letter case and with any
 * blanks. What `lower` does with letters beyond ASCII depends on the locale of a database, and in Turkish ones with the
 * i, so it asks for none of these.
 */
export function patternOf(text: string): string {
  const signs = [...nfc(text).toLowerCase()].filter((sign) => !BETWEEN.includes(sign) || sign === " ");
  const parts = signs.slice(0, SIGNS_MAX).map((sign) => {
    if (/[\s"\\]/.test(sign) || withMarksApart(sign) !== sign) return "%";
    if (sign === "i") return "_";
    if (sign === "%" || sign === "_") return `\\${sign}`;
    return sign > "\x7f" && sign !== sign.toUpperCase() ? "%" : sign;
  });
  return `%${parts.join("")}%`.replaceAll(/%+/g, "%");
}
