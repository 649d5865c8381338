import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { until } from "../../lab/harness/until.ts";
import { violations } from "../support/axe.ts";
import { describePages, focused, overflow, WIDTHS } from "../support/browser.ts";

describePages("The guides", (scene) => {
  it.each(WIDTHS)("are searched by the beginnings of words, with the keyboard alone: %i px wide", async (width) => {
    const { page, faults } = await scene.open("/docs/guides", { width });
    await page.keyboard.press("/");
    await page.keyboard.type("idempot repl");
    const options = results(page);
    await results(page, /^Idempotency › Replays/).waitFor();
    expect(await options.first().locator("mark").count()).toBeGreaterThan(0);
    expect({ overflow: await overflow(page), violations: await violations(page) }).toEqual({
      overflow: 0,
      violations: [],
    });
    await choose(page, /^Idempotency › Replays/);
    await page.waitForURL(`${scene.server.base}/docs/guides/idempotency#replays`);
    // The browser sends the focus there when it first draws the page, which may be after it was loaded.
    await until("the focus is at the section", async () => (await focused(page)) === "replays");

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
  });

  it.each(["custom fields", "idempotency", "errors"])("are found by the name of a chapter first: %s", async (name) => {
    const { page } = await scene.open("/docs/guides", { width: 1280 });
    await page.getByRole("combobox", { name: "Search the documentation" }).fill(name);
    const first = results(page).first();
    await first.waitFor();
    expect(await first.getAttribute("href")).toMatch(new RegExp(`/${name.replace(" ", "-")}(#|$)`));
    expect((await first.locator(".where").innerText()).toLowerCase()).toBe(name);
  });

  it("say that nothing was found, and let the list be closed by Escape", async () => {
    const { page, faults } = await scene.open("/docs/guides/filters", { width: 1280 });
    const box = page.getByRole("combobox", { name: "Search the documentation" });
    await box.fill("xyzzyplugh");
    await page.getByText("Nothing found for “xyzzyplugh”.").waitFor();
    await box.fill("¬(\\[{+*");
    await page.getByText("Nothing found for “¬(\\[{+*”.").waitFor();
    await box.fill("cursor");
    await results(page).first().waitFor();
    await box.press("Escape");
    expect(await results(page).count()).toBe(0);
    expect(await box.getAttribute("aria-expanded")).toBe("false");
    expect(faults).toEqual([]);
  });

  it("have their chapters and headings behind a button on a narrow screen, which leads there and closes", async () => {
    const { page, faults } = await scene.open("/docs/guides", { width: 360 });
    const menu = page.locator("#menu");
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Chapters" }).press("Enter");
    expect(await violations(page)).toEqual([]);
    await menu.getByRole("link", { name: "Idempotency" }).press("Enter");
    await page.waitForURL(/\/docs\/guides\/idempotency$/);
    await page.getByRole("button", { name: "Chapters" }).click();
    await isNear(menu.getByRole("link", { name: "Idempotency", exact: true }));
    await menu.getByRole("link", { name: "Replays" }).click();
    await page.waitForURL(/#replays$/);
    expect(await menu.isVisible()).toBe(false);
    expect(await inSight(page, "replays")).toBe(true);
    expect(faults).toEqual([]);
  });

  it("have them beside the text on a wide one, and a way around them for the keyboard", async () => {
    const { page, faults } = await scene.open("/docs/guides/idempotency", { width: 1280 });
    const chapters = page.getByRole("navigation", { name: "Chapters" });
    // The chapters before it fill the window, and the list stands where it is.
    await isNear(chapters.getByRole("link", { name: "Idempotency", exact: true }));
    expect((await chapters.getByRole("link", { name: "Quick start" }).boundingBox())?.y).toBeLessThan(0);
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
    await page.getByRole("link", { name: "Guides", exact: true }).first().click();
    await page.waitForURL(/\/docs\/guides$/);
    expect(faults).toEqual([]);
  });
});

/** Results of the search, beside which the choices of the examples are options too. */
function results(page: Page, name?: RegExp): Locator {
  return page.locator("#found").getByRole("option", { ...(name && { name }) });
}

/** Walks through what was found with the arrow keys, and opens it. */
async function choose(page: Page, name: RegExp): Promise<void> {
  const wanted = results(page, name);
  const count = await results(page).count();
  for (let tries = 0; tries < count && (await wanted.getAttribute("aria-selected")) !== "true"; tries += 1)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** Waits until a chapter of the list is within the window. The script that moves the list may come after the page. */
async function isNear(chapter: Locator): Promise<void> {
  await until("the chapter is in sight", async () => ((await chapter.boundingBox())?.y ?? Infinity) < 700);
}

/** Whether the element with this id is within the window and nothing lies over it. */
function inSight(page: Page, id: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const element = document.getElementById("${id}");
    const { left, top, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + 5, top + height / 2));
  })()`);
}
