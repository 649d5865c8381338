import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { docsFiles } from "./files.ts";
import { type Guide, INDEX, readGuides } from "./guides/chapters.ts";
import { escapeHtml, htmlPage, PARTS, topBar } from "./html.ts";
import { COMMON_POLICY, HTML, type MadeReply, pageReply } from "./page-reply.ts";

const POLICY = ["default-src 'none'", "style-src 'self'", "img-src data:", ...COMMON_POLICY];

/** Paths of pages whose addresses people type. */
const FOR_PEOPLE = /^\/(docs|console)(\/|$)/;

/**
 * Whether a browser has asked for a path that leads nowhere, for a reader. All other clients get the error body.
 * docs/guides/conventions.md#paths
 */
export function isForPeople({ headers }: Pick<IncomingMessage, "headers">, path: string): boolean {
  return FOR_PEOPLE.test(path) && /\btext\/html\b/.test(headers.accept ?? "");
}

/**
 * The page in the place of one that is not there: 404, with the way to those that are.
 * @param docs the folder of the documentation
 */
export function missingPage(docs: string): MadeReply {
  const { headers, body } = pageReply(page(readGuides(join(docs, "guides"))), HTML, POLICY);
  const { ETag: _, ...others } = headers;
  return { status: 404, body, headers: { ...others, "Cache-Control": "no-store", Vary: "Accept" } };
}

function page(guides: Guide[]): string {
  const chapters = guides.filter(({ name }) => name !== INDEX);
  const headings = [...new Set(chapters.map(({ part }) => part))];
  const lists = headings.map(
    (part) => `<h2>${part}</h2>\n${links(chapters.filter((chapter) => chapter.part === part))}`,
  );
  const body = `${topBar()}
<main id="content" tabindex="-1">
<h1>There is no such page</h1>
<p>The address may be mistyped, or of another version of this server. These are the pages that there are; the <a href="/docs/guides">guides</a> have a search.</p>
${links(Object.entries(PARTS).map(([path, title]) => ({ path, title })))}
${lists.join("\n")}
</main>`;
  return htmlPage({
    title: "There is no such page · Contact Workspace",
    description: "What the documentation of this server has instead.",
    styles: [docsFiles.linkTo("top.css"), docsFiles.linkTo("page.css"), docsFiles.linkTo("errors.css")],
    body,
  });
}

function links(pages: Pick<Guide, "path" | "title">[]): string {
  return `<ul>\n${pages.map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`).join("\n")}\n</ul>`;
}
