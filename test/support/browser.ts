import { type Browser, type Page, chromium as playwright } from "playwright-core";

/** Starts the Chromium at this path. */
export function launch(path: string): Promise<Browser> {
  // Chromium's sandbox does not run as root.
  return playwright.launch({ executablePath: path, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

/** Opens a page in a window of its own. `faults` collects errors of the console and requests to other hosts as they come. */
export async function openPage(
  browser: Browser,
  base: string,
  path: string,
  { width, colorScheme = "light" }: { width: number; colorScheme?: "light" | "dark" },
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
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
