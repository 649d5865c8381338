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

/**
 * Text of the first block of a guide that holds the words.
 * @throws Error when no block holds them
 */
export function blockOf(guide: string, words: string): string {
  const block = blocksOf(guide).find(({ text }) => text.includes(words));
  if (!block) throw new Error(`The guide has no block with ${words}.`);
  return block.text;
}
