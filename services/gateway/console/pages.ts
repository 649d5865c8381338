import { createHash } from "node:crypto";
import { pack } from "../docs/assets.ts";
import { htmlPage, topBar } from "../docs/html.ts";
import { assetReply, COMMON_POLICY, HTML, kept, type Page, pageReply } from "../docs/page-reply.ts";
import { FILES, linkTo, MODULES, readFile } from "./files.ts";

const ASSETS = "/console/assets";

/** The console and its parts, by path. None needs a key: the page asks for one. docs/guides/console.md */
export function consolePages(): [path: string, page: Page][] {
  return [
    ["/console", kept(consolePage)],
    ...Object.entries(FILES).map(([name, { type }]): [string, Page] => [
      `${ASSETS}/${name}`,
      kept(async () => assetReply(await pack(readFile(name), type))),
    ]),
  ];
}

function consolePage() {
  // Scripts import each other by names that stay the same. The map gives each the address of its content, and stands in the page
  // itself, because browsers take no other: so the policy allows this one script by its hash.
  const map = JSON.stringify({ imports: imports() });
  const hash = createHash("sha256").update(map).digest("base64");
  const body = `${topBar("/console")}
<noscript><p>The console is a program that runs in your browser, so it needs JavaScript.</p></noscript>
<div id="console"></div>
<script type="importmap">${map}</script>
<script type="module" src="${linkTo("console.js")}"></script>`;
  const page = htmlPage({
    title: "Console of the Contact Workspace",
    description: "Look into a workspace: groups and fields, records, webhooks, events and requests.",
    styles: [linkTo("top.css"), linkTo("page.css"), linkTo("uplot.css"), linkTo("console.css"), linkTo("parts.css")],
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

/** What a script may import → the address of the file. */
function imports(): Record<string, string> {
  const own = Object.keys(FILES).filter((name) => name.endsWith(".js"));
  return Object.fromEntries([
    ...own.map((name) => [`${ASSETS}/${name}`, linkTo(name)]),
    ...Object.entries(MODULES).map(([specifier, name]) => [specifier, linkTo(name)]),
  ]);
}
