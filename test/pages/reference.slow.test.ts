import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../lab/harness/until.ts";
import { routes } from "../../services/gateway/operation/routes.ts";
import { violations } from "../support/axe.ts";
import { describePages, focus, focused, overflow, WIDTHS } from "../support/browser.ts";
import { keepPicture } from "../support/screenshots.ts";

/** What axe looks at in the narrow window. */
const NARROW_STATES = ["menu", "console", "answer"];

describePages("The reference", (scene) => {
  it.each([
    [360, "light"],
    [1280, "dark"],
  ] as const)(
    "finds an operation and sends a request from its console to the server that the page came from, and breaks no rule of axe on the way: %i px wide, %s",
    async (width, colorScheme) => {
      const { ada } = await scene.workspace();
      const { page, faults } = await scene.open("/docs", { width, colorScheme });
      // axe takes seconds for a page as large as this, so it looks at each state in one of the two windows.
      const look = async (name: string) => {
        await keepPicture(page, { name: `docs-${name}-${width}`, isWhole: false });
        const found = NARROW_STATES.includes(name) === width < 1000 ? await violations(page) : [];
        expect({ name, overflow: await overflow(page), found }).toEqual({ name, overflow: 0, found: [] });
      };
      await page.locator(".references-rendered").waitFor();
      if (width < 1000) {
        await page.getByRole("button", { name: "Open menu" }).first().click();
        await look("menu");
      }
      await page
        .getByRole("button", { name: /Search/ })
        .and(page.locator(":visible"))
        .first()
        .click();
      await page.getByRole("combobox", { name: "Enter search query" }).fill("Create a person");
      const found = page.getByRole("option", { name: /Operation: Create a person/ });
      await found.waitFor();
      await look("search");
      await found.click();
      const test = page.getByRole("button", { name: /post \/v1\/people\)$/ });
      await test.waitFor();
      await look("operation");

      await test.click();
      const console = page.getByRole("dialog", { name: "API Client" });
      await console.getByPlaceholder("Token").fill(ada.key);
      await look("console");
      const answer = page.waitForResponse(
        (response) => response.url() === `${scene.server.base}/v1/people` && response.request().method() === "POST",
      );
      await console.getByRole("button", { name: /^Send/ }).first().click();
      expect(await (await answer).json()).toMatchObject({ data: { fullName: "Ada Lovelace", jobTitle: "Analyst" } });
      const status = console.getByText("200 OK").first();
      await status.waitFor();
      // On a narrow screen it stands below everything that was sent, 1,500 px down.
      expect((await status.boundingBox())?.y).toBeLessThan(600);
      await look("answer");
      expect((await scene.api(ada).get("/v1/people")).items).toMatchObject([{ fullName: "Ada Lovelace" }]);
      expect(faults).toEqual([]);
    },
  );

  it("has the operations to read before its script has come, which it then draws in their place", async () => {
    const { page, faults } = await scene.open("/docs/errors", { width: 360 });
    const gate = Promise.withResolvers<void>();
    await page.route("**/scalar.js*", async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(`${scene.server.base}/docs`, { waitUntil: "commit" });
    const outline = page.locator(".outline");
    await outline.getByRole("status").getByText("is being loaded").waitFor();
    expect(await outline.getByRole("listitem").allInnerTexts()).toHaveLength(routes.length);
    await outline.getByText("DELETE /v1/notes/{noteId}").waitFor();
    expect({ overflow: await overflow(page), found: await violations(page) }).toEqual({ overflow: 0, found: [] });
    gate.resolve();
    await page.locator(".references-rendered").waitFor();
    expect([await outline.count(), faults]).toEqual([0, []]);
  });

  it("says so when its script does not come, and leaves the operations there to read", async () => {
    const { page } = await scene.open("/docs/errors", { width: 1280 });
    await page.route("**/scalar.js*", (route) => route.abort());
    await page.goto(`${scene.server.base}/docs`);
    await page.getByRole("status").getByText("could not be loaded").waitFor();
    await page.getByText("DELETE /v1/notes/{noteId}").waitFor();
  });

  it("shows commands that hold what a request needs, and no key that would be sent again and again", async () => {
    const { page, faults } = await scene.open("/docs#tag/people/GET/v1/people", { width: 1280 });
    const command = page.locator("pre").filter({ hasText: "curl" });
    await command.filter({ hasText: "/v1/people" }).first().waitFor();
    const lines = (await command.first().innerText()).trim().split("\n");
    expect(lines).toEqual([
      `curl ${scene.server.base}/v1/people \\`,
      expect.stringMatching(/^ +--header 'Authorization: Bearer \w+'$/),
    ]);
    await page.getByRole("button", { name: /post \/v1\/people\)$/ }).scrollIntoViewIfNeeded();
    const written = command.filter({ hasText: "--request POST" }).first();
    await written.waitFor();
    expect(await written.innerText()).not.toContain("Idempotency-Key");
    expect(faults).toEqual([]);
  });

  it("keeps the key for its tab, where the console finds it, and nowhere else", async () => {
    const { ada } = await scene.workspace();
    const { page, faults } = await scene.open("/docs", { width: 1280 });
    const token = page.getByPlaceholder("Token").first();
    const stored = () => page.evaluate<string | null>("sessionStorage.getItem('key')");
    await token.fill(ada.key);
    await until("the key is kept", async () => (await stored()) === ada.key);
    expect(await page.evaluate<string>("JSON.stringify(localStorage) + document.cookie")).not.toContain(ada.key);
    await page.reload();
    await token.waitFor();
    expect(await token.inputValue()).toBe(ada.key);
    await page.goto(`${scene.server.base}/console`);
    await page.getByText(ada.fullName).first().waitFor();

    const other = await page.context().newPage();
    await other.goto(`${scene.server.base}/docs`);
    await other.getByPlaceholder("Token").first().waitFor();
    expect(await other.getByPlaceholder("Token").first().inputValue()).toBe("");

    await page.goto(`${scene.server.base}/docs`);
    await token.fill("");
    await until("the key is forgotten", async () => (await stored()) === null);
    await until("the field is empty", async () => (await token.inputValue()) === "");
    expect(faults).toEqual([]);
  });

  it.each(WIDTHS)("is used with the keyboard alone: %i px wide", async (width) => {
    const { page, faults } = await scene.open("/docs", { width });
    await page.locator(".references-rendered#content").waitFor();
    if (width < 1000) {
      await tabTo(page, /^Open Menu/);
      await page.keyboard.press("Enter");
    }
    await tabTo(page, /^Open Search/);
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Enter search query" }).waitFor();
    await page.keyboard.type("Delete a note");
    await page.getByRole("option", { name: /Operation: Delete a note/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // The focus is where the hit leads: the next thing with the name is that of this operation.
    await until("the focus is at the operation", async () => /notes\/DELETE/.test(await focused(page)));
    await tabTo(page, /^Test Request\(delete \/v1\/notes\/\{noteId\}\)$/);
    await page.keyboard.press("Enter");
    const console = page.getByRole("dialog", { name: "API Client" });
    await console.getByPlaceholder("Token").waitFor();
    // Nothing behind the console takes the focus, however long one goes on.
    for (let stop = 0; stop < 40; stop += 1) await page.keyboard.press("Tab");
    expect(await console.locator(":focus").count()).toBe(1);
    await page.keyboard.press("Escape");
    await console.waitFor({ state: "hidden" });
    expect(faults).toEqual([]);
  });
});

/** Goes from one thing to the next with the Tab key, until it is at one with such a name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press("Tab");
    const here = await focus(page);
    if (here && name.test(here.words)) return;
    passed.push(here?.words ?? "nothing");
  }
  throw new Error(`The Tab key came to ${passed.join(", ")}, and not to ${name}.`);
}
