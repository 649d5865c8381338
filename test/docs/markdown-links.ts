import Slugger from "github-slugger";
import MarkdownIt, { type Token } from "markdown-it";

const markdown = new MarkdownIt();

export interface Link {
  /** Line of the paragraph or row in which it stands, from 1. */
  line: number;
  href: string;
}

/** The links of a markdown file. */
export function linksOf(text: string): Link[] {
  const links: Link[] = [];
  let line = 1;
  for (const { map, children } of markdown.parse(text, {})) {
    // Cells have no lines of their own, but their rows have.
    line = map ? map[0] + 1 : line;
    for (const token of children ?? []) {
      const href = token.attrGet("href") ?? token.attrGet("src");
      if (href !== null) links.push({ line, href: String(href) });
    }
  }
  return links;
}

/** The anchors that GitHub gives to the headings of a markdown file. */
export function anchorsOf(text: string): Set<string> {
  const slugger = new Slugger();
  const tokens = markdown.parse(text, {});
  const headings = tokens.filter((_, index) => tokens[index - 1]?.type === "heading_open");
  return new Set(headings.map((heading) => slugger.slug(wordsOf(heading))));
}

function wordsOf({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join("");
}
