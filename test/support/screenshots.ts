import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const FOLDER = join(import.meta.dirname, "..", "..", "coverage", "screenshots");

/**
 * Keeps a picture of a page for people to look at, named after its path and its width, when KEEP_PICTURES is set
 * (docs/maintaining.md#look-at-the-pages).
 */
export async function keepPicture(
  page: Page,
  { name, isWhole = true }: { name: string; isWhole?: boolean },
): Promise<void> {
  if (!process.env.KEEP_PICTURES) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: "jpeg", quality: 70, fullPage: isWhole });
}
