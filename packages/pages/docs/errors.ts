import { ERRORS, type ErrorCode } from "../../../base/contract/errors.ts";
import { ERROR_TEXTS } from "./error-texts.ts";
import { docsFiles } from "./files.ts";
import { escapeHtml, htmlPage, topBar } from "./html.ts";

const EXAMPLE_ID = "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70";
const EXAMPLE_TIME = "2026-03-01T09:30:00.000Z";

/**
 * The page /docs/errors, with a section for each anchor to which a `documentationUrl` leads.
 * docs/guides/errors.md#the-error-body
 */
export function errorsPage(publicUrl: string): string {
  const sections = [...sectionsOf()];
  const body = `${topBar("/docs/errors")}
<main id="content" tabindex="-1">
<header>
  <h1>Errors</h1>
  <p>Every error is answered with <code>{ "error": { … } }</code>. Its <code>code</code> is for programs and never changes, its <code>message</code> is for people and may. <code>documentationUrl</code> leads here.</p>
</header>
<nav aria-label="Errors by status">
  <ul>
${sections.map(([anchor, codes]) => `    <li><a href="#${anchor}"><span class="status">${statusOf(codes)}</span> ${codes.map(codeTag).join(", ")}</a></li>`).join("\n")}
  </ul>
</nav>
${sections.map(([anchor, codes]) => section(anchor, codes, publicUrl)).join("\n")}
</main>`;
  return htmlPage({
    title: "Errors of the Contact Workspace API",
    description: "What each error code of the API means, and what to do about it.",
    styles: [docsFiles.linkTo("top.css"), docsFiles.linkTo("page.css"), docsFiles.linkTo("errors.css")],
    body,
  });
}

/** Codes by anchor, in the order of the table: RESOURCE_NOT_FOUND and the NOT_FOUND of batches share one. */
function sectionsOf(): Map<string, ErrorCode[]> {
  const sections = new Map<string, ErrorCode[]>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { anchor } = ERRORS[code];
    sections.set(anchor, [...(sections.get(anchor) ?? []), code]);
  }
  return sections;
}

function section(anchor: string, codes: ErrorCode[], publicUrl: string): string {
  return `<section id="${anchor}" aria-labelledby="${anchor}-title">
  <h2 id="${anchor}-title"><span class="status">${statusOf(codes)}</span> ${codes.map(codeTag).join(", ")} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h2>
${codes.map((code) => explanation(code, publicUrl)).join("\n")}
</section>`;
}

function explanation(code: ErrorCode, publicUrl: string): string {
  const { title, meaning, remedy } = ERROR_TEXTS[code];
  // The code alone leads to its section too.
  return `  <h3 id="${code}">${prose(title)}</h3>
${meaning.map((paragraph) => `  <p>${prose(paragraph)}</p>`).join("\n")}
  <h4>What to do</h4>
  <ul>
${remedy.map((step) => `    <li>${prose(step)}</li>`).join("\n")}
  </ul>
  <details>
    <summary>Example</summary>
    <pre tabindex="0"><code>${escapeHtml(JSON.stringify(bodyOf(code, publicUrl), null, 2))}</code></pre>
  </details>`;
}

/** The body as it comes; of a code that only records of batches have, their entry. */
function bodyOf(code: ErrorCode, publicUrl: string): object {
  const { example, details } = ERROR_TEXTS[code];
  const error = { code, message: example, documentationUrl: `${publicUrl}/docs/errors#${ERRORS[code].anchor}` };
  if (code === "NOT_FOUND") return { status: "failed", error };
  return { error: { ...error, requestId: EXAMPLE_ID, timestamp: EXAMPLE_TIME, ...(details && { details }) } };
}

function statusOf([code]: ErrorCode[]): string {
  return code === undefined ? "" : String(ERRORS[code].status);
}

function codeTag(code: string): string {
  return `<code>${code}</code>`;
}

/** Text with `code` in backticks, and [links](/docs/guides), as HTML. */
function prose(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\((\/docs\/[^)]+)\)/g, '<a href="$2">$1</a>');
}
