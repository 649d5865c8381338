import { docsFiles } from "./files.ts";
import { htmlPage, topBar } from "./html.ts";
import { outlineOf } from "./outline.ts";

/**
 * The page /docs: a searchable reference with a console, drawn by Scalar from /v1/openapi.json in the place of an outline, which is
 * there at once.
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
