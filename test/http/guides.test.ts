import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launch, openPage, overflow } from "../support/browser.ts";
import { chromium } from "../support/chromium.ts";
import { describeServer } from "../support/scene.ts";

jest.setTimeout(120_000);

const WIDTHS = [360, 1280];

describeServer("The guides", (scene) => {
  const fetched = async (path: string) => {
    const response = await fetch(`${scene.server.base}${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const chapters = async () => {
    const { text } = await fetched("/docs/guides");
    const navigation = /<nav class="chapters".*?<\/nav>/s.exec(text)?.[0] ?? "";
    return [...navigation.matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)].map(([, path = ""]) => path);
  };

  it("are an index with the chapters in its order, and a page for each, without a key", async () => {
    const paths = await chapters();
    expect(paths).toContain("/docs/guides/filters");
    expect(new Set(paths).size).toBe(paths.length);
    const { text } = await fetched("/docs/guides");
    const linked = [...text.replace(/<nav.*?<\/nav>/gs, "").matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)];
    expect(paths).toEqual([...new Set(linked.map(([, path = ""]) => path))]);
    for (const path of paths) {
      const { status, headers } = await fetched(path);
      expect({ path, status, type: headers.get("content-type") }).toEqual({
        path,
        status: 200,
        type: "text/html; charset=utf-8",
      });
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'self'; img-src 'self' data:; base-uri 'none'/,
      );
    }
  });

  it("give their text to the search under an address that changes with it", async () => {
    const { text } = await fetched("/docs/guides");
    const link = /data-sections="([^"]+)"/.exec(text)?.[1] ?? "";
    expect(link).toMatch(/^\/docs\/guides\/search\.json\?v=[\w-]{12}$/);
    const { headers, text: sections } = await fetched(link);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(JSON.parse(sections)).toContainEqual(
      expect.objectContaining({ href: "/docs/guides/filters#like", heading: "like" }),
    );
  });

  const program = chromium();
  const describePages = "path" in program ? describe : describe.skip;

  describePages("path" in program ? "in a browser" : `in a browser (skipped: ${program.missing})`, () => {
    let browser: Browser;

    beforeAll(async () => {
      if ("path" in program) browser = await launch(program.path);
    });

    afterAll(() => browser?.close());

    it.each(WIDTHS)("fit into a window %i px wide, light and dark, and load nothing from elsewhere", async (width) => {
      const { page, faults } = await openPage(browser, scene.server.base, "/docs/guides", { width });
      for (const path of ["/docs/guides", ...(await chapters())]) {
        await page.goto(`${scene.server.base}${path}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        expect({ path, overflow: await overflow(page), faults }).toEqual({ path, overflow: 0, faults: [] });
      }
      const colours = () =>
        page.evaluate<string>(
          "getComputedStyle(document.body).color + getComputedStyle(document.body).backgroundColor",
        );
      const light = await colours();
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await colours()).not.toBe(light);
      await page.context().close();
    });

    it.each(WIDTHS)("are searched by the beginnings of words, with the keyboard alone: %i px wide", async (width) => {
      const { page, faults } = await openPage(browser, scene.server.base, "/docs/guides", { width });
      await page.keyboard.press("/");
      await page.keyboard.type("idempot repl");
      const options = page.getByRole("option");
      await page.getByRole("option", { name: /^Idempotency › Replays/ }).waitFor();
      expect(await options.first().locator("mark").count()).toBeGreaterThan(0);
      expect(await overflow(page)).toBe(0);
      await choose(page, /^Idempotency › Replays/);
      await page.waitForURL(`${scene.server.base}/docs/guides/idempotency#replays`);
      expect(await focused(page)).toBe("replays");

      // The same page, another section: nothing is loaded, the focus moves.
      await page.keyboard.press("/");
      await page.keyboard.type("reuse");
      await options.first().waitFor();
      await choose(page, /^Idempotency › Reuse/);
      await page.waitForURL(/#reuse$/);
      expect(await focused(page)).toBe("reuse");
      expect(await options.count()).toBe(0);
      expect(await inSight(page, "reuse")).toBe(true);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    it("say that nothing was found, and let the list be closed by Escape", async () => {
      const { page, faults } = await openPage(browser, scene.server.base, "/docs/guides/filters", { width: 1280 });
      const box = page.getByRole("combobox", { name: "Search the guides" });
      await box.fill("xyzzyplugh");
      await page.getByText("No section has “xyzzyplugh”.").waitFor();
      await box.fill("=$(\\[{+*");
      await page.getByText("No section has “=$(\\[{+*”.").waitFor();
      await box.fill("cursor");
      await page.getByRole("option").first().waitFor();
      await box.press("Escape");
      expect(await page.getByRole("option").count()).toBe(0);
      expect(await box.getAttribute("aria-expanded")).toBe("false");
      expect(faults).toEqual([]);
      await page.context().close();
    });

    it("have their chapters and headings behind a button on a narrow screen, which leads there and closes", async () => {
      const { page, faults } = await openPage(browser, scene.server.base, "/docs/guides", { width: 360 });
      const menu = page.locator("#menu");
      expect(await menu.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Chapters" }).press("Enter");
      await menu.getByRole("link", { name: "Idempotency" }).press("Enter");
      await page.waitForURL(/\/docs\/guides\/idempotency$/);
      await page.getByRole("button", { name: "Chapters" }).click();
      await menu.getByRole("link", { name: "Replays" }).click();
      await page.waitForURL(/#replays$/);
      expect(await menu.isVisible()).toBe(false);
      expect(await inSight(page, "replays")).toBe(true);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    it("have them beside the text on a wide one, and a way around them for the keyboard", async () => {
      const { page, faults } = await openPage(browser, scene.server.base, "/docs/guides/idempotency", { width: 1280 });
      await page.getByRole("navigation", { name: "Chapters" }).getByRole("link", { name: "Idempotency" }).waitFor();
      await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "Replays" }).waitFor();
      expect(await page.getByRole("button", { name: "Chapters" }).isVisible()).toBe(false);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await focused(page)).toBe("content");
      for (const [name, path] of [
        ["API reference", "/docs"],
        ["Errors", "/docs/errors"],
      ] as const)
        expect(await page.getByRole("link", { name, exact: true }).first().getAttribute("href")).toBe(path);
      await page.getByRole("link", { name: "Errors", exact: true }).first().click();
      await page.getByRole("heading", { name: "Errors", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Guides", exact: true }).click();
      await page.waitForURL(/\/docs\/guides$/);
      expect(faults).toEqual([]);
      await page.context().close();
    });
  });
});

/** Walks through what was found with the arrow keys, and opens it. */
async function choose(page: Page, name: RegExp): Promise<void> {
  const wanted = page.getByRole("option", { name });
  const count = await page.getByRole("option").count();
  for (let tries = 0; tries < count && (await wanted.getAttribute("aria-selected")) !== "true"; tries += 1)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** Id of the element that the keyboard works on. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement.id");
}

/** Whether the element with this id is within the window and nothing lies over it. */
function inSight(page: Page, id: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const element = document.getElementById("${id}");
    const { left, top, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 5, top + height / 2));
  })()`);
}
