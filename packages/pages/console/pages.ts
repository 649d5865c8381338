import { createHash } from "node:crypto";
import { docsFiles } from "../docs/files.ts";
import { htmlPage, topBar } from "../docs/html.ts";
import { COMMON_POLICY, HTML, kept, type Page, pageReply } from "../docs/page-reply.ts";
import { type ConsoleFiles, consoleFiles, type Vocabulary } from "./files.ts";

export type { Vocabulary } from "./files.ts";

/** The console and its parts, by path. None needs a key: the page asks for one. docs/guides/console.md */
export function consolePages(vocabulary: Vocabulary): [path: string, page: Page][] {
  const files = consoleFiles(vocabulary);
  return [["/console", kept(() => consolePage(files))], ...files.pages()];
}

function consolePage(files: ConsoleFiles) {
  // Scripts import each other by names that stay the same. The map gives each the address of its content, and stands in the page
  // itself, because browsers take no other: so the policy allows this one script by its hash.
  const map = JSON.stringify({ imports: files.importMap() });
  const hash = createHash("sha256").update(map).digest("base64");
  const body = `${topBar("/console")}
<noscript><p>The console is a program that runs in your browser, so it needs JavaScript.</p></noscript>
<div id="console"></div>
<script type="importmap">${map}</script>
<script type="module" src="${files.linkTo("console.js")}"></script>`;
  const page = htmlPage({
    title: "Console of the Contact Workspace",
    description: "Look into a workspace: groups and fields, records, webhooks, events and requests.",
    styles: [
      ...(["top.css", "page.css"] as const).map(docsFiles.linkTo),
      ...["uplot.css", "console.css", "parts.css"].map(files.linkTo),
    ],
    body,
  });
  return pageReply(page, HTML, [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    ...COMMON_POLICY,
  ]);
}
