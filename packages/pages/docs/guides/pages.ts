import { pack, versioned } from "../assets.ts";
import { docsFiles } from "../files.ts";
import { escapeHtml, htmlPage, topBar } from "../html.ts";
import { assetReply, COMMON_POLICY, HTML, kept, type Page, pageReply } from "../page-reply.ts";
import { type Guide, guideNames } from "./chapters.ts";
import { imagePages } from "./images.ts";
import { pathOf } from "./links.ts";
import { searchedSections } from "./sections.ts";

const POLICY = ["default-src 'self'", "img-src 'self' data:", ...COMMON_POLICY];
const SEARCH = "/docs/guides/search.json";

/**
 * Path → page of the guides in a folder.
 * @param guides gives the guides of the folder
 * @param document gives the OpenAPI document as JSON, whose operations the search finds too
 */
export function guidePages(
  folder: string,
  guides: () => Guide[],
  document: () => string,
): [path: string, page: Page][] {
  const sections = kept(() => JSON.stringify(searchedSections(guides(), document())));
  const page = (name: string) => {
    const place = guides().findIndex((guide) => guide.name === name);
    return pageReply(guidePage(guides(), place, versioned(SEARCH, sections())), HTML, POLICY);
  };
  const search = async () => assetReply(await pack(sections(), "application/json; charset=utf-8"));
  return [
    ...guideNames(folder).map((name): [string, Page] => [pathOf(name), kept(() => page(name))]),
    ...imagePages(folder),
    [SEARCH, kept(search)],
  ];
}

const STYLES = ["top.css", "page.css", "guides.css", "code.css", "tables.css", "search.css"] as const;

/**
 * The page of the guide at this place of all. On a narrow screen its navigation is a popover behind a button, which
 * works without a script; on a wide one the style sheet shows it beside the text.
 */
function guidePage(guides: Guide[], place: number, searchLink: string): string {
  const guide = guides[place];
  if (!guide) throw new Error(`There is no guide ${place} of ${guides.length}.`);
  const body = `${topBar(guide.path === "/docs/errors" ? guide.path : "/docs/guides", menuAndSearch(searchLink))}
<div class="columns">
<div class="menu" id="menu" popover>
${chapterLinks(guides, guide)}
${headingLinks(guide)}
</div>
<main id="content" tabindex="-1" data-request-code="${docsFiles.linkTo("request-code.js")}">
${guide.html()}${neighbours(guides[place - 1], guides[place + 1])}
</main>
</div>
<script src="${docsFiles.linkTo("search.js")}" defer></script>
<script type="module" src="${docsFiles.linkTo("guides.js")}"></script>`;
  return htmlPage({
    title: `${guide.title} · Contact Workspace`,
    description: firstSentence(guide),
    styles: STYLES.map(docsFiles.linkTo),
    body,
  });
}

/** The first sentence of a chapter, as far as it fits into a list of pages. */
function firstSentence({ sections, title }: Guide): string {
  const [sentence = title] = /^.*?[.:](?=\s|$)/.exec(sections[0]?.prose.replaceAll(/\s+/g, " ").trim() ?? "") ?? [];
  return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence.replace(/:$/, ".");
}

/** search.js searches, and fills the list. */
function menuAndSearch(searchLink: string): string {
  return `
<button class="menu-button" type="button" popovertarget="menu">Chapters</button>
<div class="search" role="search" data-sections="${searchLink}" data-finder="${docsFiles.linkTo("find.js")}" data-minisearch="${docsFiles.linkTo("minisearch.js")}">
<input type="search" role="combobox" aria-label="Search the documentation" aria-autocomplete="list" aria-expanded="false" aria-controls="found" placeholder="Search guides, operations, errors" autocomplete="off" autocapitalize="off" spellcheck="false">
<div class="results" hidden>
<p role="status"></p>
<div id="found" role="listbox" aria-label="Results"></div>
</div>
</div>`;
}

function chapterLinks(guides: Guide[], here: Guide): string {
  const parts = [...new Set(guides.map(({ part }) => part))];
  const lists = parts.map((part) => {
    const items = guides.filter((guide) => guide.part === part).map((guide) => chapterLink(guide, guide === here));
    const title = part === "" ? "" : `<p>${part}</p>\n`;
    return `${title}<ul>\n${items.join("\n")}\n</ul>`;
  });
  return `<nav class="chapters" aria-label="Chapters">\n${lists.join("\n")}\n</nav>`;
}

function chapterLink({ path, title }: Guide, isHere: boolean): string {
  const current = isHere ? ' aria-current="page"' : "";
  return `<li><a href="${path}"${current}>${escapeHtml(title)}</a></li>`;
}

function headingLinks({ sections }: Guide): string {
  const headings = sections.filter(({ level }) => level === 2);
  if (headings.length === 0) return "";
  const items = headings.map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`);
  return `<nav class="headings" aria-label="On this page">\n<p aria-hidden="true">On this page</p>\n<ul>\n${items.join("\n")}\n</ul>\n</nav>`;
}

function neighbours(before: Guide | undefined, after: Guide | undefined): string {
  const back = before ? `<a rel="prev" href="${before.path}">${escapeHtml(before.title)}</a>` : "";
  const on = after ? `<a rel="next" href="${after.path}">${escapeHtml(after.title)}</a>` : "";
  return `<nav class="neighbours" aria-label="Previous and next chapter">${back}${on}</nav>`;
}
