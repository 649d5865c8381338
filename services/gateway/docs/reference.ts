import { linkTo } from "./assets.ts";
import { htmlPage, topBar } from "./html.ts";

/** The page /docs: a searchable reference with a console, drawn by Scalar from /v1/openapi.json. */
export function referencePage(): string {
  const body = `${topBar("/docs")}
<noscript>
  <p>This reference needs JavaScript. The same is in the <a href="/v1/openapi.json">OpenAPI document</a>; errors are explained <a href="/docs/errors">on a page of their own</a>, and the rules in <a href="/docs/guides">the guides</a>.</p>
</noscript>
<div id="reference"></div>
<script src="${linkTo("no-eval.js")}"></script>
<script src="${linkTo("scalar.js")}"></script>
<script src="${linkTo("reference.js")}"></script>
<script src="${linkTo("reference-mends.js")}"></script>`;
  return htmlPage({
    title: "Contact Workspace API",
    description: "Every operation of the API with its fields, examples and errors, and a console to try them.",
    styles: [linkTo("top.css"), linkTo("reference.css")],
    body,
  });
}
