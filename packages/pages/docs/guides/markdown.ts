import Slugger from "github-slugger";
import MarkdownIt, { type StateCore, type Token } from "markdown-it";
import { codeBlock, codeWords } from "./code-block.ts";
import { picture } from "./images.ts";
import { targetOf } from "./links.ts";
import { prepareTables } from "./tables.ts";
import { textOf } from "./text-of.ts";

/** A heading, and as plain text what stands between it and the next one. */
export interface Section {
  /** 1 for the title of a chapter, 2 and more for what is below it. */
  level: number;
  /** The anchor, the same as on GitHub. */
  id: string;
  heading: string;
  prose: string;
  code: string;
}

/** A file of the guides, rendered. */
export interface Rendered {
  /** Renders the file. Only the page of a chapter needs it: all chapters at once would hold the event loop. */
  html(): string;
  /** In the order of the file. Text before the first heading is in none. */
  sections: Section[];
}

/** Tags in a guide are shown as text: `html` is off. */
const markdown = new MarkdownIt({ html: false });
markdown.core.ruler.push("anchors", addAnchors);
markdown.core.ruler.push("links", rewriteLinks);
markdown.core.ruler.push("tables", ({ tokens }: StateCore) => prepareTables(tokens));
Object.assign(markdown.renderer.rules, {
  heading_close: (tokens: Token[], index: number) => headingEnd(tokens[index]),
  fence: (tokens: Token[], index: number) => codeBlock(tokens[index]?.info ?? "", tokens[index]?.content ?? ""),
  code_inline: (tokens: Token[], index: number) => codeWords(tokens[index]?.content ?? ""),
  image: (tokens: Token[], index: number, _options: object, { folder }: { folder: string }) =>
    image(tokens[index], folder),
  table_open: (tokens: Token[], index: number) => `<div class="table"><table${attributes(tokens[index])}>\n`,
  table_close: () => "</table></div>\n",
  td_open: (tokens: Token[], index: number) => `<td${attributes(tokens[index])}><div>`,
  td_close: () => "</div></td>\n",
});

/** The text of a guide in this folder, rendered. */
export function render(text: string, folder: string): Rendered {
  const sections = sectionsOf(markdown.parse(text, { folder }));
  // The tokens of all chapters would take ten times the memory of their text, so they are made again for the page.
  const html = () => markdown.renderer.render(markdown.parse(text, { folder }), markdown.options, { folder });
  return { html, sections };
}

/** Gives headings their anchors, and makes them able to take the focus when a link leads there. */
function addAnchors({ tokens }: StateCore): void {
  const slugger = new Slugger();
  let id = "";
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      id = slugger.slug(textOf(tokens[index + 1]));
      token.attrSet("id", id);
      token.attrSet("tabindex", "-1");
    }
    if (token.type === "heading_close") token.attrSet("id", id);
  }
}

function headingEnd(token: Token | undefined): string {
  const link = `<a class="anchor" href="#${token?.attrGet("id")}" aria-label="Link to this section">#</a>`;
  return token?.tag === "h1" ? "</h1>\n" : ` ${link}</${token?.tag}>\n`;
}

function image(token: Token | undefined, folder: string): string {
  const target = targetOf(String(token?.attrGet("src")));
  return picture(folder, "href" in target ? target.href : target.file, token?.content ?? "");
}

function attributes(token: Token | undefined): string {
  return token ? markdown.renderer.renderAttrs(token) : "";
}

/**
 * Sends links to pages. One to a file that has no page becomes its words and, unless they say it, the path of the file
 * in brackets.
 */
function rewriteLinks({ tokens, Token: Made }: StateCore): void {
  const made = (type: string, tag: string, content: string) => Object.assign(new Made(type, tag, 0), { content });
  const inBrackets = (path: string) => [
    made("text", "", " ("),
    made("code_inline", "code", path),
    made("text", "", ")"),
  ];
  const rewritten = (children: Token[]) => {
    let path: string | undefined;
    return children.flatMap((token, index) => {
      if (token.type === "link_open") path = pathWithoutPage(token);
      if (path === undefined || !token.type.startsWith("link_")) return [token];
      const isSaid = token.type === "link_open" || children[index - 1]?.content === path;
      return isSaid ? [] : inBrackets(path);
    });
  };
  for (const token of tokens) if (token.children) token.children = rewritten(token.children);
}

/** Sends a link to its page; gives the path of the file that it leads to when that has none. */
function pathWithoutPage(link: Token): string | undefined {
  const target = targetOf(String(link.attrGet("href")));
  if ("file" in target) return target.file;
  link.attrSet("href", target.href);
  return undefined;
}

function sectionsOf(tokens: Token[]): Section[] {
  const sections: Section[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const id = String(token.attrGet("id"));
      sections.push({ level: Number(token.tag.slice(1)), id, heading: textOf(tokens[index + 1]), prose: "", code: "" });
      continue;
    }
    const section = sections.at(-1);
    if (!section) continue;
    if (token.type === "fence") section.code += `${token.content}\n`;
    if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") section.prose += `${textOf(token)} `;
  }
  return sections;
}
