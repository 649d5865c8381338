import { pack, versioned } from "../assets.ts";
import { assetReply, COMMON_POLICY, HTML, kept, type Page, pageReply } from "../page-reply.ts";
import { type Guide, guideNames, readGuides } from "./chapters.ts";
import { imagePages } from "./images.ts";
import { INDEX, pathOf } from "./links.ts";
import { guidePage } from "./page.ts";

const POLICY = ["default-src 'self'", "img-src 'self' data:", ...COMMON_POLICY];
const SEARCH = "/docs/guides/search.json";

/** Path → page of the guides in a folder. They are read and rendered when one of them is first asked for. */
export function guidePages(folder: string): [path: string, page: Page][] {
  const guides = kept(() => readGuides(folder));
  const sections = kept(() => JSON.stringify(searchedSections(guides())));
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

/** Sections that search.js looks through: every section of every chapter, under its heading. */
function searchedSections(guides: Guide[]): object[] {
  const chapters = guides.filter(({ name }) => name !== INDEX);
  return chapters.flatMap(({ title, path, sections }) =>
    sections.map(({ level, id, heading, prose, code }) => ({
      href: `${path}#${id}`,
      chapter: title,
      // The text before the first section of a chapter is found under its title.
      ...(level > 1 && { heading }),
      prose: prose.replaceAll(/\s+/g, " ").trim(),
      code: code.replaceAll(/\s+/g, " ").trim(),
    })),
  );
}
