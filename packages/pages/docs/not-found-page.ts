import type { IncomingMessage } from "node:http";
import { docsFiles } from "./files.ts";
import { htmlPage, topBar } from "./html.ts";
import { COMMON_POLICY, HTML, type MadeReply, pageReply } from "./page-reply.ts";

const POLICY = ["default-src 'none'", "style-src 'self'", "img-src data:", ...COMMON_POLICY];

/** Paths of pages whose addresses people type. */
const FOR_PEOPLE = /^\/(docs|console)(\/|$)/;

/**
 * Whether a browser has asked for a path that leads nowhere, for a reader. All other clients get the error body.
 * docs/guides/conventions.md#paths
 */
export function wantsHtml({ headers }: Pick<IncomingMessage, "headers">, path: string): boolean {
  return FOR_PEOPLE.test(path) && /\btext\/html\b/.test(headers.accept ?? "");
}

/** The page in the place of one that is not there: 404, with the way to the guides. */
export function notFoundPage(): MadeReply {
  const page = htmlPage({
    title: "There is no such page · Contact Workspace",
    description: "The documentation of this server has no page at this address.",
    styles: [docsFiles.linkTo("top.css"), docsFiles.linkTo("reference.css")],
    body: `${topBar()}
<main class="outline" id="content" tabindex="-1">
<h1>There is no such page</h1>
<p>The address may be mistyped, or of another version of this server. The <a href="/docs/guides">guides</a> have a list of all chapters and a search.</p>
</main>`,
  });
  const { headers, body } = pageReply(page, HTML, POLICY);
  const { ETag: _, ...others } = headers;
  return { status: 404, body, headers: { ...others, "Cache-Control": "no-store", Vary: "Accept" } };
}
