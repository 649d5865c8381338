/** The icon of the pages as SVG. Pages contain it, so that a browser need not request one. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#3d5afe"/><circle cx="8" cy="6" r="2.5" fill="#fff"/><path d="M3 13a5 5 0 0 1 10 0z" fill="#fff"/></svg>`;

/**
 * The parts of the documentation, and the console, in the bar at the top of every page: path → name. A further part is
 * a further line.
 */
export const PARTS = {
  "/docs/guides": "Guides",
  "/docs": "API reference",
  "/docs/errors": "Errors",
  "/console": "Console",
};

/** A part of the documentation, by the path at which it begins. */
export type Part = keyof typeof PARTS;

interface Html {
  title: string;
  /** Subject of the page, in a sentence, for lists of search results. */
  description: string;
  /** Links to style sheets. */
  styles: string[];
  /** HTML. */
  body: string;
}

/** A whole HTML page. */
export function htmlPage({ title, description, styles, body }: Html): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
${styles.map((link) => `<link rel="stylesheet" href="${link}">`).join("\n")}
</head>
<body>${body}
</body>
</html>
`;
}

/**
 * The bar at the top of a page, of the part `here` if it is of one, as top.css shows it: a link past it to `#content`,
 * the parts, and behind them what else the page has there, as HTML.
 */
export function topBar(here?: Part, more = ""): string {
  const links = Object.entries(PARTS).map(
    ([path, name]) => `<a href="${path}"${path === here ? ' aria-current="true"' : ""}>${name}</a>`,
  );
  return `
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<nav class="parts" aria-label="Documentation">${links.join(" ")}</nav>${more}
</header>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Plain text as HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
