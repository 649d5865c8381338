import type { Token } from "markdown-it";

/** The text of a paragraph, a heading or a cell of a table, without markup. */
export function textOf(token: Token | undefined): string {
  const words = token?.children?.map(({ type, content }) => (type.endsWith("break") ? " " : content));
  return words?.join("") ?? "";
}
