/**
 * Lists whose values are often written into one cell → by what an import divides them there, and trims them. No expression begins
 * with blanks: of very many in a row it would try each, for minutes. docs/guides/import.md#cells
 */
export const USUAL_SPLITS: ReadonlyMap<string, RegExp> = new Map([
  // A comma divides only where an address follows.
  ["emails", /[;\n]|\s:::\s|,(?=\s*[^\s,;]+@)|(?<=>\s?),/],
  // A semicolon may stand within a number, before its extension, and within a web address, as a comma may.
  ["phones", /\n|\s:::\s|;(?!ext=)/],
  [
    "urls",
    /\n|\s:::\s|;(?=\s|https?:|www\.)|,(?=\s*(?:[a-z][a-z\d+.-]*:\/\/|www\.))|,(?=\s+(?:[\p{L}\d-]+\.)+\p{L}{2,}(?:[\s,;:/?#]|$))/iu,
  ],
]);

const NOTHING = /^(?:[-–—]+|#?n\/a|none|null)$/i;
/** A name, which may be an address too, before an address in angle brackets; what mail programs write before it; quotes around it. */
const WRAPPED_EMAIL = /^(?:[^<>]*<(?:mailto:|smtp:)?|mailto:|smtp:|')(?<address>[^\s<>@]+@[^\s<>@]+?)[>']?$/i;

/**
 * A value of such a list without what people write around it: `Ada <ada@acme.test>` is an address with a name. Empty where they write
 * that there is none, like `n/a`.
 */
export function bareValue(field: string, value: string): string {
  if (!USUAL_SPLITS.has(field)) return value;
  if (NOTHING.test(value)) return "";
  return (field === "emails" && WRAPPED_EMAIL.exec(value)?.groups?.address) || value;
}

/** One value of a list as a cell: in double quotes where an import would else read something else. docs/guides/export.md#columns */
export function valueCell(field: string, value: string): string {
  const isChanged = (USUAL_SPLITS.get(field)?.test(value) ?? false) || bareValue(field, value) !== value;
  return isChanged || (USUAL_SPLITS.has(field) && isQuoted(value)) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** The value of a cell that stands in double quotes as a whole; undefined for any other. */
export function unquoted(cell: string): string | undefined {
  return isQuoted(cell) ? cell.slice(1, -1).replaceAll('""', '"') : undefined;
}

function isQuoted(cell: string): boolean {
  return /^"(?:[^"]|"")*"$/.test(cell);
}
