import { expect } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import type { TestUser } from "../../lab/harness/world.ts";
import { focus, type OpenPage, type PageScene } from "./browser.ts";

/** The console with a user who has signed in, at a view. */
export async function opened(
  scene: PageScene,
  user: Pick<TestUser, "key">,
  view = "",
  width = 1280,
): Promise<OpenPage> {
  const { page, faults } = await scene.open(`/console${view === "" ? "" : `#${view}`}`, { width });
  await page.getByLabel("API key").fill(user.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  return { page, faults };
}

/** The rows of a table of the console, without its headings. */
export function rowsOf(page: Page, label: string): Locator {
  return page
    .getByRole("table", { name: label })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });
}

/** Presses Tab until the keyboard is at what has these words. Each thing on the way has to be seen. */
export async function tabTo(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const here = await focus(page);
    if (here) expect({ ...here, on: "the way" }).toMatchObject({ isInSight: true, isShown: true });
    if (here?.words === words) return;
  }
  throw new Error(`The keyboard does not come to "${words}".`);
}
