import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startProcess, type TestServer } from "../support/server.ts";
import { anchorsOf, linksOf } from "./markdown-links.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FILES = globSync(["*.md", "docs/**/*.md", "packages/*/*.md"], { cwd: ROOT });
/** Where a reader has the server who followed the README. */
const HERE = "http://localhost:3000";
/** Path of a page of the guides. */
const GUIDE = /^\/docs\/(errors|guides(\/[\w-]+)?)$/;

const isPage = (href: string) => href.startsWith("/") || href.startsWith(HERE);
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** What is wrong with a link of a file to a file; null when it leads somewhere, or is none to a file. */
function faultOf(file: string, href: string): string | null {
  if (/^([a-z]+:|\/)/.test(href)) return null;
  const [path = "", anchor] = href.split("#");
  const target = path === "" ? file : join(file, "..", decodeURIComponent(path));
  if (!existsSync(join(ROOT, target))) return `there is no ${target}`;
  if (anchor === undefined || anchorsOf(textOf(target)).has(anchor)) return null;
  return `${target} has no heading "${anchor}"`;
}

/** Most words of a chapter, code and tables included. A longer one is a chapter of its own. */
const CHAPTER_WORDS_MAX = 3000;

it.each(globSync("docs/guides/*.md", { cwd: ROOT }))("%s is not too long to read", (file) => {
  expect(textOf(file).split(/\s+/).length).toBeLessThanOrEqual(CHAPTER_WORDS_MAX);
});

describe("The links of the documents", () => {
  it.each(FILES)("of %s lead to files and headings that are there", (file) => {
    const faults = linksOf(textOf(file)).flatMap(({ line, href }) => {
      const fault = faultOf(file, href);
      return fault === null ? [] : [`${file}:${line}: ${href}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ["nowhere.md", "there is no nowhere.md"],
    ["CHANGELOG.md#nowhere", 'CHANGELOG.md has no heading "nowhere"'],
    ["#nowhere", 'README.md has no heading "nowhere"'],
    ["docs", null],
    ["docs/torture.md", null],
    ["#five-minutes", null],
    ["https://example.test/nowhere.md", null],
  ])("are checked: %j", (href, fault) => {
    expect(faultOf("README.md", href)).toBe(fault);
  });
});

describe("The links of the served pages", () => {
  let server: TestServer;
  const pages = new Map<string, Promise<{ status: number; html: string }>>();

  beforeAll(async () => {
    server = await startProcess();
  });
  afterAll(() => server.stop());

  const page = (path: string) => {
    const known = pages.get(path);
    if (known) return known;
    const asked = fetch(`${server.base}${path}`).then(async (answer) => ({
      status: answer.status,
      html: await answer.text(),
    }));
    pages.set(path, asked);
    return asked;
  };

  /** Where a link of a page leads on this server; null when it leads to another host. */
  function targetOf(path: string, href: string): { page: string; id: string } | null {
    const { origin, pathname, search, hash } = new URL(href, `${HERE}${path}`);
    return origin === HERE ? { page: `${pathname}${search}`, id: decodeURIComponent(hash.slice(1)) } : null;
  }

  async function faultOfTarget(target: { page: string; id: string } | null): Promise<string[]> {
    if (!target) return [];
    const { status, html } = await page(target.page);
    if (status !== 200) return [`is answered with ${status}`];
    return target.id === "" || html.includes(` id="${target.id}"`) ? [] : ["has no such anchor"];
  }

  async function linksOfPage(path: string): Promise<string[]> {
    const { html } = await page(path);
    return [...html.matchAll(/(?:href|src|data-sections)="([^"]+)"/g)].map(([, href = ""]) => href);
  }

  /** Follows the links of a page, and those of all pages of the guides that it leads to. */
  async function faultsBelow(start: string): Promise<string[]> {
    const faults: string[] = [];
    const reached = new Set([start]);
    for (const path of reached) {
      for (const href of await linksOfPage(path)) {
        const target = targetOf(path, href);
        faults.push(...(await faultOfTarget(target)).map((fault) => `${path}: ${href} ${fault}`));
        if (target && GUIDE.test(target.page)) reached.add(target.page);
      }
    }
    return faults;
  }

  it("of the guides and the errors lead to pages and anchors that are there", async () => {
    expect(await faultsBelow("/docs/errors")).toEqual([]);
    const guides = globSync("docs/guides/*.md", { cwd: ROOT });
    const reached = [...pages.keys()].filter((path) => GUIDE.test(path));
    expect(reached.length).toBe(guides.length);
  });

  it("of the documents to pages of the server lead to pages and anchors that are there", async () => {
    for (const file of FILES) {
      for (const { line, href } of linksOf(textOf(file)).filter((link) => isPage(link.href))) {
        const faults = await faultOfTarget(targetOf("/", href));
        expect({ place: `${file}:${line}`, href, faults }).toEqual({ place: `${file}:${line}`, href, faults: [] });
      }
    }
  });
});
