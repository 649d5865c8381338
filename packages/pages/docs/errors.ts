import { docsFiles } from "./files.ts";
import { escapeHtml, htmlPage, topBar } from "./html.ts";

/**
 * Text about a code on the page /docs/errors and in the OpenAPI document. Backticks stand around code, and links are
 * those of Markdown; there is no other markup.
 */
export interface ErrorText {
  /** The error in a few words. */
  title: string;
  /** Its meaning, a paragraph each. */
  meaning: string[];
  /** The way out, a step each. */
  remedy: string[];
  /** A message as it may come, and the details with it. */
  example: string;
  details?: object;
}

/** An error of the API. */
export interface DescribedError extends ErrorText {
  code: string;
  /** HTTP status. */
  status: number;
  /** Its section of the page. Codes may share one. */
  anchor: string;
}

const EXAMPLE_ID = "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70";
const EXAMPLE_TIME = "2026-03-01T09:30:00.000Z";

/**
 * The page /docs/errors, with a section for each anchor to which a `documentationUrl` leads.
 * docs/guides/errors.md#the-error-body
 */
export function errorsPage(all: DescribedError[], publicUrl: string): string {
  const sections = [...sectionsOf(all)];
  const body = `${topBar("/docs/errors")}
<main id="content" tabindex="-1">
<header>
  <h1>Errors</h1>
  <p>Every error is answered with <code>{ "error": { … } }</code>. Its <code>code</code> is for programs and never changes, its <code>message</code> is for people and may. <code>documentationUrl</code> leads here.</p>
</header>
<nav aria-label="Errors by status">
  <ul>
${sections.map(([anchor, errors]) => `    <li><a href="#${anchor}">${namesOf(errors)}</a></li>`).join("\n")}
  </ul>
</nav>
${sections.map(([anchor, errors]) => section(anchor, errors, publicUrl)).join("\n")}
</main>`;
  return htmlPage({
    title: "Errors of the Contact Workspace API",
    description: "What each error code of the API means, and what to do about it.",
    styles: [docsFiles.linkTo("top.css"), docsFiles.linkTo("page.css"), docsFiles.linkTo("errors.css")],
    body,
  });
}

/** Errors by anchor, in the order of the list: RESOURCE_NOT_FOUND and the NOT_FOUND of batches share one. */
function sectionsOf(errors: DescribedError[]): Map<string, DescribedError[]> {
  const sections = new Map<string, DescribedError[]>();
  for (const error of errors) sections.set(error.anchor, [...(sections.get(error.anchor) ?? []), error]);
  return sections;
}

function section(anchor: string, errors: DescribedError[], publicUrl: string): string {
  return `<section id="${anchor}" aria-labelledby="${anchor}-title">
  <h2 id="${anchor}-title">${namesOf(errors)} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h2>
${errors.map((error) => explanation(error, publicUrl)).join("\n")}
</section>`;
}

function explanation(error: DescribedError, publicUrl: string): string {
  const { code, title, meaning, remedy } = error;
  // The code alone leads to its section too.
  return `  <h3 id="${code}">${prose(title)}</h3>
${meaning.map((paragraph) => `  <p>${prose(paragraph)}</p>`).join("\n")}
  <h4>What to do</h4>
  <ul>
${remedy.map((step) => `    <li>${prose(step)}</li>`).join("\n")}
  </ul>
  <details>
    <summary>Example</summary>
    <pre tabindex="0"><code>${escapeHtml(JSON.stringify(bodyOf(error, publicUrl), null, 2))}</code></pre>
  </details>`;
}

/** The body as it comes; of a code that only records of batches have, their entry. */
function bodyOf({ code, anchor, example, details }: DescribedError, publicUrl: string): object {
  const error = { code, message: example, documentationUrl: `${publicUrl}/docs/errors#${anchor}` };
  if (code === "NOT_FOUND") return { status: "failed", error };
  return { error: { ...error, requestId: EXAMPLE_ID, timestamp: EXAMPLE_TIME, ...(details && { details }) } };
}

/** The status and the codes of a section, as HTML. */
function namesOf(errors: DescribedError[]): string {
  const codes = errors.map(({ code }) => `<code>${code}</code>`);
  return `<span class="status">${errors[0]?.status}</span> ${codes.join(", ")}`;
}

/** Text with `code` in backticks, and [links](/docs/guides), as HTML. */
function prose(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\((\/docs\/[^)]+)\)/g, '<a href="$2">$1</a>');
}
