import { docsFiles } from "./files.ts";
import { escapeHtml, htmlPage, topBar } from "./html.ts";

/**
 * The page /docs: a searchable reference with a console, drawn by Scalar from /v1/openapi.json in the place of an
 * outline, which is there at once.
 * @param document the OpenAPI document, as JSON
 */
export function referencePage(document: string): string {
  const body = `${topBar("/docs")}
<div id="reference">
<main class="outline" id="content" tabindex="-1">
<h1>Contact Workspace API</h1>
<noscript>
  <p>The reference with all fields and examples needs JavaScript. The same is in the <a href="/v1/openapi.json">OpenAPI document</a>; errors are explained <a href="/docs/errors">on a page of their own</a>, and the rules in <a href="/docs/guides">the guides</a>.</p>
</noscript>
<p role="status"></p>
${outlineOf(document)}
</main>
</div>
<script src="${docsFiles.linkTo("no-eval.js")}"></script>
<script src="${docsFiles.linkTo("reference.js")}"></script>
<script src="${docsFiles.linkTo("scalar.js")}"></script>
<script src="${docsFiles.linkTo("reference-mends.js")}"></script>`;
  return htmlPage({
    title: "Contact Workspace API",
    description: "Every operation of the API with its fields, examples and errors, and a console to try them.",
    styles: [docsFiles.linkTo("top.css"), docsFiles.linkTo("reference.css")],
    body,
  });
}

/** Parts of the OpenAPI document that the outline reads. */
interface Described {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { summary: string; tags: string[] }>>;
}

/**
 * The operations of an OpenAPI document by chapter, as HTML: readers see it until the script of the reference has drawn
 * everything, which takes seconds on a phone, and browsers without JavaScript show it.
 */
function outlineOf(document: string): string {
  const { tags, paths }: Described = JSON.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          summary,
          tags: [chapter],
        },
      ]) => ({ chapter, path, method, summary }),
    ),
  );
  const chapters = tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ chapter }) => chapter === name)
      .map(
        ({ path, method, summary }) =>
          `<li>${escapeHtml(summary)} <code>${method.toUpperCase()} ${escapeHtml(path)}</code></li>`,
      );
    return `<h2>${escapeHtml(name)}</h2>
<p>${escapeHtml(description).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
<ul>
${lines.join("\n")}
</ul>`;
  });
  return chapters.join("\n");
}
