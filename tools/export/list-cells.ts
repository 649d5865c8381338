const DOMAIN = String.raw`(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?=[/?#:;,|\s]|$)`;
const BEGIN = String.raw`(?:[a-z][a-z\d+.-]*:\/\/|www\.)`;
/**
 * A web address may have commas and semicolons itself. A sign divides where the next address begins with a scheme or
 * www., where a domain follows behind a blank, and between two domains. A blank divides behind what looks like an
 * address.
 */
const BETWEEN_URLS = [
  String.raw`\n|\s:::\s`,
  String.raw`[;,|](?=\s*${BEGIN})`,
  String.raw`[;,|](?=\s+${DOMAIN})|;(?=\s)`,
  String.raw`(?<=(?:^|[\s;,|]|:\/\/)(?:[\p{L}\p{N}-]{1,63}\.){1,9}\p{L}{2,63})[;,|](?=${DOMAIN})`,
  String.raw`(?<=[./]\S{0,200}[^\s;,|])\s(?=\s{0,9}(?:${BEGIN}|${DOMAIN}))`,
];

/**
 * Lists whose values are often written into one cell → by what an import divides them there, and trims them. No
 * expression begins with blanks: of very many in a row it would try each, for minutes.
 * docs/guides/import-columns.md#cells
 */
export const USUAL_SPLITS: ReadonlyMap<string, RegExp> = new Map([
  // A comma divides only where an address follows.
  ["emails", /[;\n]|\s:::\s|,(?=\s*[^\s,;]+@)|(?<=>\s?),/],
  // A semicolon may stand within a number, before its extension. A comma divides only where another number follows.
  ["phones", /\n|\s:::\s|;(?!ext=)|,(?=\s*\+)/],
  ["urls", new RegExp(BETWEEN_URLS.join("|"), "iu")],
]);

const NOTHING = /^(?:[-–—]+|#?n\/a|none|null)$/i;
/**
 * A name, which may be an address too, before an address in angle brackets; what mail programs write before it; quotes
 * around it.
 */
const WRAPPED_EMAIL = /^(?:[^<>]*<(?:mailto:|smtp:)?|mailto:|smtp:|')(?<address>[^\s<>@]+@[^\s<>@]+?)[>']?$/i;

/**
 * A value of such a list without additions: `Ada <ada@acme.test>` is an address with a name. Empty for words like
 * `n/a`.
 */
export function bareValue(field: string, value: string): string {
  if (!USUAL_SPLITS.has(field)) return value;
  if (NOTHING.test(value)) return "";
  return (field === "emails" && WRAPPED_EMAIL.exec(value)?.groups?.address) || value;
}

/**
 * One value of a list as a cell: in double quotes where an import would else read something else.
 * docs/guides/export.md#columns
 */
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
