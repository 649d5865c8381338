import { posix } from "node:path";

const FOLDER = "docs/guides";

/** Files that are no guides and have a page: path in the repository → path of the page. */
const SERVED: Record<string, string> = {
  // People get the reference that is drawn from it.
  "docs/openapi.json": "/docs",
};

/** Name of the file that lists the chapters. */
export const INDEX = "README";

/** Address at which the gateway serves a guide: the errors stand where `documentationUrl` leads. */
export function pathOf(name: string): string {
  if (name === "errors") return "/docs/errors";
  return name === INDEX ? "/docs/guides" : `/docs/guides/${name}`;
}

/**
 * Target of a link of a guide on the pages of the gateway. Guides link to each other and to other files of the
 * repository by relative paths, as GitHub wants it: `filters.md#like`. A file that has no page is given back by its
 * path in the repository.
 */
export function targetOf(link: string): { href: string } | { file: string } {
  if (/^([a-z][a-z0-9+.-]*:|[#/])/i.test(link)) return { href: link };
  const [path = "", anchor] = link.split("#");
  const file = posix.join(FOLDER, decodeURIComponent(path));
  const page = SERVED[file] ?? chapterPage(file) ?? image(file);
  if (page === undefined) return { file };
  return { href: anchor === undefined ? page : `${page}#${anchor}` };
}

function chapterPage(file: string): string | undefined {
  const chapter = /^docs\/guides\/([^/]+)\.md$/.exec(file)?.[1];
  return chapter === undefined ? undefined : pathOf(chapter);
}

function image(file: string): string | undefined {
  const name = /^docs\/guides\/images\/([^/]+\.(?:svg|png))$/.exec(file)?.[1];
  return name === undefined ? undefined : `/docs/guides/images/${name}`;
}
