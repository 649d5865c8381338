import { escapeHtml } from "./html.ts";

/** Parts of the OpenAPI document that the outline reads. */
interface Described {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { summary: string; tags: string[] }>>;
}

/**
 * The operations of an OpenAPI document by chapter, as HTML: readers see it until the script of the reference has drawn
 * everything, which takes seconds on a phone, and browsers without JavaScript show it.
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
