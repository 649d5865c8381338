import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { docsPages } from "contact-workspace-pages/docs";
import type { Page } from "playwright-core";
import { ERRORS } from "../../base/contract/errors.ts";
import { violations } from "../support/axe.ts";
import { describePages, focus, focused, type OpenPage, overflow, WIDTHS } from "../support/browser.ts";
import { keepPicture } from "../support/screenshots.ts";

const DOCS = join(import.meta.dirname, "..", "..", "docs");

/**
 * The reference is drawn after it was loaded; this is the last part of what is in sight. The other pages are there at
 * once.
 */
const DRAWN: Record<string, string> = { "/docs": ".client-libraries-list" };

/** One page of each kind, which is looked at in the dark too. */
const KINDS = ["/docs", "/docs/errors", "/docs/guides/webhooks"];

const ANCHORS = [...new Set(Object.values(ERRORS).map(({ anchor }) => anchor))];

describePages("Every page of the documentation", (scene) => {
  let paths: string[];
  let pictures: string[];

  beforeAll(async () => {
    const served = docsPages({ docs: DOCS, publicUrl: scene.server.publicUrl }).map(([path]) => path);
    const types = await Promise.all(served.map((path) => typeOf(`${scene.server.base}${path}`)));
    const ofType = (wanted: string) => served.filter((_, place) => types[place]?.startsWith(wanted));
    paths = ofType("text/html");
    pictures = ofType("image/svg+xml");
  });

  const visit = async ({ page }: OpenPage, path: string) => {
    await page.goto(`${scene.server.base}${path}`);
    await page.locator(DRAWN[path] ?? "#content").waitFor();
  };

  /** Everything that is wrong with a page that lies open. */
  const faultsOf = async ({ page, faults }: OpenPage, judged: Parameters<typeof violations>[1] = {}) => ({
    faults: faults.splice(0),
    overflow: await overflow(page),
    violations: await violations(page, judged),
  });
  const NOTHING = { faults: [], overflow: 0, violations: [] };

  it("is found by this test", () => {
    expect(paths).toEqual(expect.arrayContaining(KINDS));
    expect(paths.length).toBeGreaterThan(25);
  });

  const look = async (width: number) => {
    const opened = await scene.open("/docs/errors", { width });
    const { page } = opened;
    for (const path of paths) {
      await visit(opened, path);
      await keepPicture(page, pictureOf(path, width));
      // axe spends half of its time on colours, which are the same in both windows. So each rule judges a page in one of
      // them. The next test judges one page of each kind by all rules in both.
      const colours = ["color-contrast"];
      const faults = await faultsOf(opened, width < 1000 ? { without: colours } : { only: colours });
      expect({ path, width, ...faults }).toEqual({ path, width, ...NOTHING });
      await page.keyboard.press("Tab");
      const first = await focus(page);
      await page.keyboard.press("Enter");
      expect({ path, width, first, next: await focused(page) }).toEqual({
        path,
        width,
        first: { words: "Skip to the text", isInSight: true, isShown: true },
        next: "content",
      });
    }
  };

  it("fits, breaks no rule of axe, loads nothing from elsewhere, and lets the keyboard go past its bar", async () => {
    // Beside each other: this is most of what the tests of the pages take.
    await Promise.all(WIDTHS.map(look));
  });

  describe.each(WIDTHS)("%i px wide", (width) => {
    it.each(KINDS)(
      "does so in the dark, and shows where the keyboard is, from one thing to the next: %s",
      async (path) => {
        const opened = await scene.open(path, { width, colorScheme: "dark" });
        const { page } = opened;
        await page.locator(DRAWN[path] ?? "#content").waitFor();
        await keepPicture(page, pictureOf(path, width, "-dark"));
        expect(await brightness(opened)).toBeLessThan(0.2);
        expect(await faultsOf(opened)).toEqual(NOTHING);
        const words: string[] = [];
        for (let stop = 0; stop < 20; stop += 1) {
          await page.keyboard.press("Tab");
          const here = await focus(page);
          words.push(here?.words ?? "nothing");
          expect({ words, ...here }).toEqual({ words, ...here, isInSight: true, isShown: true });
        }
        expect(words.slice(1, 4)).toEqual(["Guides", "API reference", "Errors"]);
      },
    );
  });

  it.each(["/docs/guides/filter", "/docs/nowhere", "/console/x"])(
    "has a page for people where there is none, and an error body for programs: %s (docs/guides/conventions.md#paths)",
    async (path) => {
      const opened = await scene.open("/docs/errors", { width: 360 });
      const { page } = opened;
      const answer = await page.goto(`${scene.server.base}${path}`);
      expect(answer?.status()).toBe(404);
      await page.getByRole("heading", { name: "There is no such page", level: 1 }).waitFor();
      await keepPicture(page, pictureOf("/docs/nowhere", 360));
      // The browser itself tells of the 404.
      expect(await faultsOf(opened)).toEqual({ ...NOTHING, faults: [expect.stringContaining("404")] });
      await page.getByRole("main").getByRole("link", { name: "guides" }).click();
      await page.getByRole("heading", { name: "Guides", level: 1 }).waitFor();

      const { status, headers, body } = await scene.api().get(path);
      expect({ status, type: headers["content-type"], body }).toMatchObject({
        status: 404,
        type: expect.stringContaining("application/json"),
        body: { error: { code: "RESOURCE_NOT_FOUND" } },
      });
    },
  );

  it("says in a sentence what each page is about, each another", async () => {
    const told = await Promise.all(
      paths.map(async (path) => {
        const html = await (await fetch(`${scene.server.base}${path}`)).text();
        const title = /<title>(.+)<\/title>/.exec(html)?.[1];
        const description = /<meta name="description" content="([^"]+)">/.exec(html)?.[1] ?? "";
        expect({ path, title, description }).toEqual({
          path,
          title: expect.stringContaining("Contact Workspace"),
          description: expect.stringMatching(/^[A-Z].{20,220}[.…]$/),
        });
        return { title, description };
      }),
    );
    expect(new Set(told.map(({ title }) => title)).size).toBe(paths.length);
    expect(new Set(told.map(({ description }) => description)).size).toBe(paths.length);
  });

  it("has pictures whose words stay within them and do not cover each other", async () => {
    expect(pictures.length).toBeGreaterThan(4);
    const { page } = await scene.open("/docs/errors", { width: 360 });
    for (const path of pictures) {
      await page.goto(`${scene.server.base}${path}`);
      expect({ path, sticksOut: await wordsThatStickOut(page) }).toEqual({ path, sticksOut: [] });
    }
  });

  it.each(WIDTHS)("of the errors is opened at the section of each: %i px wide", async (width) => {
    const { page, faults } = await scene.open("/docs/errors", { width });
    for (const anchor of ANCHORS) {
      await page.goto(`${scene.server.base}/docs/errors#${anchor}`);
      expect({ anchor, shown: await page.locator("h3:target").isVisible() }).toEqual({ anchor, shown: true });
    }
    expect(faults).toEqual([]);
  });
});

async function typeOf(url: string): Promise<string> {
  const { headers } = await fetch(url, { method: "HEAD" });
  return headers.get("content-type") ?? "";
}

/** The reference draws itself while somebody scrolls; of it the window alone is kept. */
function pictureOf(path: string, width: number, suffix = ""): { name: string; isWhole: boolean } {
  return { name: `${path.slice(1).replaceAll("/", "-")}-${width}${suffix}`, isWhole: path !== "/docs" };
}

/** The words of a picture that lie beyond its edges, or over other words of it. */
function wordsThatStickOut(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { width, height } = document.documentElement.viewBox.baseVal;
    const texts = [...document.querySelectorAll("text")].map((text) => ({ words: text.textContent, ...bounds(text.getBBox()) }));
    function bounds({ x, y, width, height }) {
      return { left: x, right: x + width, top: y + height * 0.2, bottom: y + height * 0.8 };
    }
    const beyond = texts.filter(({ left, right, top, bottom }) => left < 4 || right > width - 4 || top < 0 || bottom > height);
    const covered = texts.filter((one) =>
      texts.some((other) => other !== one && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
    return [...beyond, ...covered].map(({ words }) => words);
  })()`);
}

/** How bright the ground of a page is, from 0 to 1. */
function brightness({ page }: OpenPage): Promise<number> {
  return page.evaluate<number>(
    "Math.max(...getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3)) / 255",
  );
}
