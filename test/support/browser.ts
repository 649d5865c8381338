import { afterAll, afterEach, beforeAll, describe, jest } from "@jest/globals";
import { type Browser, type BrowserContext, type Page, chromium as playwright } from "playwright-core";
import { chromium } from "./chromium.ts";
import { describeOwnServer, describeServer, type Scene } from "./scene.ts";

/** Widths of a phone and of a desk. */
export const WIDTHS = [360, 1280];

interface Window {
  width: number;
  colorScheme?: "light" | "dark";
}

/** An open page. `faults` collects errors of the console and requests to other hosts as they come. */
export interface OpenPage {
  page: Page;
  faults: string[];
}

/** What tests of pages share: a server, and a browser that opens its pages, each in a window of its own. */
export interface PageScene extends Scene {
  open(path: string, window: Window): Promise<OpenPage>;
}

/** A group of tests of pages; skipped, with the reason, where there is no Chromium. */
export function describePages(title: string, tests: (scene: PageScene) => void, env?: Record<string, string>): void {
  const program = chromium();
  const describeHere = "path" in program ? describe : describe.skip;
  describeHere("path" in program ? "In a browser" : `In a browser (skipped: ${program.missing})`, () => {
    // One test opens all pages, which takes a minute when nothing else runs.
    jest.setTimeout(600_000);
    let browser: Browser | undefined;
    let contexts: BrowserContext[] = [];

    beforeAll(async () => {
      if ("path" in program) browser = await launch(program.path);
    });

    afterEach(async () => {
      await Promise.all(contexts.map((context) => context.close()));
      contexts = [];
    });

    afterAll(() => browser?.close());

    const withBrowser = (scene: Scene) => {
      const open = async (path: string, { width, colorScheme = "light" }: Window) => {
        if (!browser) throw new Error("The browser starts in beforeAll: use it in tests only.");
        const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
        contexts.push(context);
        return openPage(await context.newPage(), scene.server.base, path);
      };
      tests(Object.assign(Object.create(scene) as Scene, { open }));
    };
    if (env) describeOwnServer(title, env, withBrowser);
    else describeServer(title, withBrowser);
  });
}

function launch(path: string): Promise<Browser> {
  // Chromium's sandbox does not run as root.
  return playwright.launch({ executablePath: path, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

async function openPage(page: Page, base: string, path: string): Promise<OpenPage> {
  // The reference loads megabytes of scripts. On a slow machine that runs other tests too, it took more than 20 s.
  page.setDefaultTimeout(90_000);
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && origin !== base) faults.push(`a request to ${request.url()}`);
  });
  await page.goto(`${base}${path}`);
  return { page, faults };
}

/** Pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
}

/** Id of the element that the keyboard works on. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement.id");
}

/**
 * What the keyboard works on: the words of it, and whether it is within the window and has an outline or a shadow that
 * shows it. Null when it is nothing.
 */
export function focus(page: Page): Promise<{ words: string; isInSight: boolean; isShown: boolean } | null> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return {
      words: (element.ariaLabel ?? element.placeholder ?? element.textContent).replaceAll(/\\s+/g, " ").trim().slice(0, 60),
      isInSight: bottom > 0 && right > 0 && top < window.innerHeight && left < window.innerWidth,
      isShown: (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none",
    };
  })()`);
}
