import { convert, type HtmlToTextOptions } from "html-to-text";

/** What is behind that many characters of HTML is not read: its text would be longer than a body may be by far. */
const HTML_LENGTH_MAX = 1_000_000;

/**
 * Mails are laid out by tables in tables, so a cell is a part of a line and no column. Addresses of links are left out: they
 * are long, and mostly those of counters.
 */
const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  // Deeper elements are left out, because the library calls itself once for each level.
  limits: { maxInputLength: HTML_LENGTH_MAX, maxDepth: 1000, ellipsis: "" },
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...["td", "th"].map((selector) => ({ selector, format: "inlineSurround", options: { suffix: " " } })),
  ],
};

/** The text of HTML as somebody would read it, without styles, scripts and pictures. */
export function htmlText(html: string): string {
  const lines = convert(html.slice(0, HTML_LENGTH_MAX), OPTIONS).split("\n");
  // The blank behind a cell is none at the end of a row.
  return lines.map((line) => line.trimEnd()).join("\n");
}
