import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Guide } from "./guides/chapters.ts";
import { ICON } from "./html.ts";
import { kept, type Page, pageReply } from "./page-reply.ts";

const MARKDOWN = "text/markdown; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const POLICY = ["default-src 'none'"];

/**
 * Pages that programs read, by path: every guide as Markdown at its address with `.md`, `/llms.txt` (llmstxt.org),
 * `/llms-full.txt`, `/robots.txt` and `/favicon.ico`.
 * @param guides gives the guides of the folder
 * @param publicUrl address of the server, which the links begin with
 */
export function machinePages(
  folder: string,
  names: string[],
  guides: () => Guide[],
  publicUrl: string,
): [path: string, page: Page][] {
  const page = (make: () => string, type: string): Page => kept(() => pageReply(make(), type, POLICY));
  return [
    ...names.map((name): [string, Page] => [markdownPath(name), page(() => textOf(folder, name), MARKDOWN)]),
    ["/llms.txt", page(() => overview(guides(), publicUrl), TEXT)],
    [
      "/llms-full.txt",
      page(
        () =>
          guides()
            .map(({ name }) => textOf(folder, name))
            .join("\n"),
        TEXT,
      ),
    ],
    // A server of contacts is nothing for search engines.
    ["/robots.txt", page(() => "User-agent: *\nDisallow: /\n", TEXT)],
    ["/favicon.ico", page(() => ICON, "image/svg+xml")],
  ];
}

/** Address of a guide as Markdown. Guides link to each other by the names of their files, so these stay as they are. */
export function markdownPath(name: string): string {
  return `/docs/guides/${name}.md`;
}

function textOf(folder: string, name: string): string {
  return readFileSync(join(folder, `${name}.md`), "utf8");
}

function overview(guides: Guide[], publicUrl: string): string {
  const [index, ...chapters] = guides;
  const summary = index?.sections[0]?.prose.replaceAll(/\s+/g, " ").trim() ?? "";
  const parts = [...new Set(chapters.map(({ part }) => part))];
  const lists = parts.map((part) => {
    const lines = chapters
      .filter((chapter) => chapter.part === part)
      .map(({ name, title, summary: about }) => `- [${title}](${publicUrl}${markdownPath(name)}): ${about}`);
    return `## ${part}\n\n${lines.join("\n")}`;
  });
  return `# Contact Workspace API

> REST API of a self-hosted contact workspace: people, companies, groups, deals, custom fields, notes, tasks, interactions, webhooks. ${summary.split(/(?<=\.) /)[0]}

All guides in one file: ${publicUrl}/llms-full.txt

${lists.join("\n\n")}

## Reference

- [OpenAPI 3.1](${publicUrl}/v1/openapi.json): every operation with its fields
- [MCP](${publicUrl}/mcp): the same data as tools for AI assistants ([guide](${publicUrl}${markdownPath("assistants")}))
`;
}
