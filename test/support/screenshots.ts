import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const FOLDER = join(import.meta.dirname, "..", "..", "coverage", "screenshots");

/** Keeps a picture of a page for people to look at (CONTRIBUTING.md, "Look at the pages"), named after its path and its width. */
export async function keepPicture(
  page: Page,
  { name, isWhole = true }: { name: string; isWhole?: boolean },
): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: "jpeg", quality: 70, fullPage: isWhole });
}
