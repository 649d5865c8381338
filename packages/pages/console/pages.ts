import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type AssetFile, type Assets, assetsAt, ofPackage, onDisk, script } from "../docs/assets.ts";
import { docsFiles } from "../docs/files.ts";
import { htmlPage, topBar } from "../docs/html.ts";
import { COMMON_POLICY, HTML, kept, type Page, pageReply } from "../docs/page-reply.ts";
import type vocabulary from "./browser/vocabulary.d.ts";

/** The console and its parts, by path. None needs a key: the page asks for one. docs/guides/console.md */
export function consolePages(vocabulary: Vocabulary): [path: string, page: Page][] {
  const files = consoleFiles(vocabulary);
  return [["/console", kept(() => consolePage(files))], ...files.pages()];
}

function consolePage(files: ConsoleFiles) {
  // Scripts import each other by names that stay the same. The map gives each the address of its content, and stands in
  // the page itself, because browsers take no other: so the policy allows this one script by its hash.
  const map = JSON.stringify({ imports: files.importMap() });
  const hash = createHash("sha256").update(map).digest("base64");
  const body = `${topBar("/console")}
<noscript><p>The console is a program that runs in your browser, so it needs JavaScript.</p></noscript>
<div id="console"></div>
<script type="importmap">${map}</script>
<script type="module" src="${files.linkTo("console.js")}"></script>`;
  const page = htmlPage({
    title: "Console of the Contact Workspace",
    description: "Read and change the records of a workspace, and look into its groups, webhooks, events and requests.",
    styles: [
      ...(["top.css", "page.css"] as const).map(docsFiles.linkTo),
      ...["uplot.css", "console.css", "parts.css", "past.css", "record.css"].map(files.linkTo),
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

const BROWSER = join(import.meta.dirname, "browser");
const PATH = "/console/assets";

const FILES: Record<string, AssetFile> = {
  ...Object.fromEntries(
    readdirSync(BROWSER)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [name, onDisk(BROWSER, name)]),
  ),
  "lit-html.js": ofPackage("lit-html", "..", "lit-html.js"),
  "uplot.js": ofPackage("uplot", "uPlot.esm.js"),
  "uplot.css": ofPackage("uplot", "uPlot.min.css"),
  "eventsource-parser.js": ofPackage("eventsource-parser", "index.js"),
};

/** Package names that scripts of the console import → the file. */
const PACKAGES: Record<string, string> = {
  "lit-html": "lit-html.js",
  uplot: "uplot.js",
  "eventsource-parser": "eventsource-parser.js",
};

/** The words of the API that the console offers. */
export type Vocabulary = typeof vocabulary;

/** The scripts and style sheets of the console. */
interface ConsoleFiles extends Assets<string> {
  /** Names that a script may import → the address of the file, which changes with its content. */
  importMap(): Record<string, string>;
}

/** The scripts and style sheets with these words. */
function consoleFiles(vocabulary: Vocabulary): ConsoleFiles {
  const files: Record<string, AssetFile> = {
    ...FILES,
    "vocabulary.js": script(() => `export default ${JSON.stringify(vocabulary)};\n`),
  };
  const assets = assetsAt(PATH, files);
  return {
    ...assets,
    importMap() {
      const own = Object.keys(files).filter((name) => name.endsWith(".js"));
      return Object.fromEntries([
        ...own.map((name) => [`${PATH}/${name}`, assets.linkTo(name)]),
        ...Object.entries(PACKAGES).map(([specifier, name]) => [specifier, assets.linkTo(name)]),
      ]);
    },
  };
}
