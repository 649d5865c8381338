import MarkdownIt from "markdown-it";

/** A fenced block of a guide. */
export interface Block {
  /** Line of the file in which it begins, from 1. */
  line: number;
  language: string;
  /** What follows the language: `file=acme.yaml`, `fails`, `output`. */
  words: string[];
  text: string;
}

const markdown = new MarkdownIt();

/** The fenced blocks of a guide, in their order. */
export function blocksOf(guide: string): Block[] {
  const fences = markdown.parse(guide, {}).filter(({ type }) => type === "fence");
  return fences.map(({ map, info, content }) => {
    const [language = "", ...words] = info.trim().split(/\s+/);
    return { line: (map?.[0] ?? 0) + 1, language, words, text: content };
  });
}
