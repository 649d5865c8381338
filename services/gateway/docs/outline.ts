import { escapeHtml } from "./html.ts";

/** What the outline reads of the OpenAPI document. */
interface Described {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { summary: string; tags: string[] }>>;
}

/**
 * The operations of an OpenAPI document by chapter, as HTML: what there is to read until the script of the reference has drawn all of
 * it, which takes seconds on a phone, and for who has no JavaScript.
 */
export function outlineOf(document: string): string {
  const { tags, paths }: Described = JSON.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          summary,
          tags: [chapter],
        },
      ]) => ({ chapter, path, method, summary }),
    ),
  );
  const chapters = tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ chapter }) => chapter === name)
      .map(
        ({ path, method, summary }) =>
          `<li>${escapeHtml(summary)} <code>${method.toUpperCase()} ${escapeHtml(path)}</code></li>`,
      );
    return `<h2>${escapeHtml(name)}</h2>
<p>${escapeHtml(description).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
<ul>
${lines.join("\n")}
</ul>`;
  });
  return chapters.join("\n");
}
