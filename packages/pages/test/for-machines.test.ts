import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { docsPages } from "../docs/pages.ts";

const DOCS = join(import.meta.dirname, "..", "..", "..", "docs");
const URL = "https://contacts.example.com";
const pages = new Map(docsPages({ docs: DOCS, publicUrl: URL }));
const GUIDES = globSync("*.md", { cwd: join(DOCS, "guides") });

async function read(path: string) {
  const { status, headers, body } = (await pages.get(path)?.()) ?? { status: 404, headers: {}, body: "" };
  return { status, type: String((headers as Record<string, unknown>)["Content-Type"]), text: body.toString() };
}

describe("Pages for programs", () => {
  it.each(GUIDES)("have %s as Markdown, as it lies in the repository", async (file) => {
    const { type, text } = await read(`/docs/guides/${file}`);
    expect(type).toMatch(/^text\/markdown/);
    expect(text).toBe(readFileSync(join(DOCS, "guides", file), "utf8"));
  });

  it("list every guide in /llms.txt, with links that lead to a page", async () => {
    const { text } = await read("/llms.txt");
    expect(text).toMatch(/^# Contact Workspace API\n\n> .+\n/);
    const links = [...text.matchAll(/^- \[.+?\]\((.+?)\): \S/gm)].map(([, link = ""]) => link.replace(URL, ""));
    const chapters = GUIDES.filter((file) => file !== "README.md").map((file) => `/docs/guides/${file}`);
    expect(links).toEqual(expect.arrayContaining(chapters));
    expect(links.filter((link) => link !== "/mcp" && !pages.has(link))).toEqual([]);
  });

  it("have all guides in /llms-full.txt", async () => {
    const { text } = await read("/llms-full.txt");
    for (const file of GUIDES) expect(text).toContain(readFileSync(join(DOCS, "guides", file), "utf8"));
  });

  it("keep search engines away, and have an icon", async () => {
    expect((await read("/robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
    expect(await read("/favicon.ico")).toMatchObject({ status: 200, type: "image/svg+xml" });
  });
});
