import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { until } from "../../lab/harness/until.ts";
import { violations } from "../support/axe.ts";
import { describePages, focused, overflow, type PageScene, WIDTHS } from "../support/browser.ts";
import { opened, rowsOf, tabTo } from "../support/console.ts";
import { keepPicture } from "../support/screenshots.ts";

// docs/guides/console.md#search, docs/guides/console.md#duplicates
describePages("Search and duplicates in the console", tests, { RATE_LIMITS: "default=600/60,burst=600/2" });

const buttonOf = (where: Page | Locator, name: string | RegExp) => where.getByRole("button", { name, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");
const notice = (page: Page) => page.locator(".notice");
const hits = (page: Page) => page.locator("#hits");
const textOf = async (part: Locator) => (await part.innerText()).replaceAll(/\s+/g, " ");

/** Answers requests of the page in the place of the server: `answer` gives the data for the address of one. */
async function answer(page: Page, pattern: string, data: (address: URL, body: unknown) => unknown): Promise<void> {
  await page.route(pattern, async (route) => {
    const sent = route.request();
    const found = await data(new URL(sent.url()), sent.postDataJSON());
    await route.fulfill({ body: JSON.stringify({ data: found }), contentType: "application/json" });
  });
}

function tests(scene: PageScene) {
  it("finds while one types, leads to the page of what is found, and is worked by keyboard", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const { data } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const { page, faults } = await opened(scene, ada);
    const entity = { id: data.id, entityType: "person", fullName: "Grace Hopper" };
    const person = { ...entity, matched: [{ path: ["jobTitle"], text: "Rear <b>admiral</b>" }] };
    const content = { path: ["content"], text: "Wants a demo" };
    const note = { id: "nte_1", entityType: "note", fullName: "Wants a demo", entity, matched: [content] };
    const asked: string[] = [];
    await answer(page, "**/v1/search?**", (address) => {
      const q = address.searchParams.get("q") ?? "";
      asked.push(q);
      return { items: q === "nothing" ? [] : [person, note] };
    });
    await page.keyboard.press("/");
    await page.keyboard.type("grace ho");
    await hits(page).getByRole("status").getByText("2 results, best first").waitFor();
    await until("the whole question is asked", () => asked.at(-1) === "grace ho");
    await expect(hits(page).getByRole("listitem").allInnerTexts()).resolves.toEqual([
      expect.stringMatching(/person Grace Hopper\s+jobTitle: Rear <b>admiral<\/b>/),
      expect.stringMatching(/note Wants a demo about Grace Hopper\s+content: Wants a demo/),
    ]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    expect(await hits(page).isVisible()).toBe(false);
    // The words stay, and their results come back.
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("/");
    await hits(page).getByText("2 results").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // A note stands on the page of its record.
    await page.getByRole("heading", { name: "Grace Hopper", level: 1 }).waitFor();
    expect([new URL(page.url()).hash, await hits(page).isVisible()]).toEqual([`#people/${data.id}`, false]);
    await page.getByLabel("Search").fill("nothing");
    await hits(page).getByText("Nothing found.").waitFor();
    await page.getByRole("heading", { level: 1 }).click();
    expect(await hits(page).isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  it("shows the answer to the last question, whichever answer comes last, and why a search has failed", async () => {
    const { ada } = await scene.workspace();
    const { page } = await opened(scene, ada);
    const matched = [{ path: ["fullName"], text: "x" }];
    const held: (() => void)[] = [];
    await answer(page, "**/v1/search?**", async (address) => {
      const q = address.searchParams.get("q") ?? "";
      if (q === "slow") await new Promise<void>((go) => held.push(go));
      return { items: [{ id: "per_1", entityType: "person", fullName: `About ${q}`, matched }] };
    });
    await page.getByLabel("Search").fill("slow");
    await until("the first question is asked", () => held.length === 1);
    await page.getByLabel("Search").fill("fast");
    await hits(page).getByText("About fast").waitFor();
    for (const go of held) go();
    // The abandoned answer has come when a later one has.
    await page.getByLabel("Search").fill("third");
    await hits(page).getByText("About third").waitFor();
    expect(await hits(page).getByText("About slow").count()).toBe(0);
    const error = { code: "RESOURCE_NOT_FOUND", message: "There is nothing here.", requestId: "1" };
    await page.route("**/v1/search?**", (route) =>
      route.fulfill({ status: 404, body: JSON.stringify({ error }), contentType: "application/json" }),
    );
    await page.getByLabel("Search").fill("lost");
    await hits(page).getByRole("alert").getByText("There is nothing here.").waitFor();
    expect(await hits(page).getByRole("listitem").count()).toBe(0);
  });

  /** Two people who are one, and a page whose list of duplicates is answered for the server. */
  async function duplicates(width = 1280) {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const made = [
      { fullName: "Grace Hopper", emails: ["grace@navy.test"] },
      { fullName: "Grace M. Hopper", emails: ["grace@navy.test", "grace@home.test"], jobTitle: "Admiral" },
    ];
    const ids: string[] = [];
    for (const person of made) ids.push((await api.post("/v1/people", person)).data.id);
    const records = made.map(({ fullName }, i) => ({ id: ids[i], fullName }));
    const reasons = [
      { path: ["emails"], kind: "same" },
      { path: ["fullName"], kind: "similar" },
    ];
    const pairs = [{ records, score: 0.93, reasons }];
    const { page, faults } = await opened(scene, ada, "", width);
    await answer(page, "**/v1/people/duplicates", () => ({ items: pairs, pagination: {} }));
    await page.goto(`${scene.server.base}/console#duplicates`);
    await rowsOf(page, "Duplicates").first().waitFor();
    return { api, page, faults, ids, pairs };
  }

  it("compares a pair, merges it after a preview, and takes the merge back", async () => {
    const { api, page, faults, ids, pairs } = await duplicates();
    const row = rowsOf(page, "Duplicates");
    expect(await textOf(row)).toContain("Grace Hopper Grace M. Hopper 93 % Emails: same Full name: similar");
    await buttonOf(row, "Compare Grace Hopper and Grace M. Hopper").click();
    await until("the focus is on the comparison", async () => (await focused(page)) === "comparison");
    const compared = (await rowsOf(page, "Comparison").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    expect(compared).toContain("Job title differs Admiral");
    expect(compared).toContain("Last name Hopper Hopper");
    expect(compared.findIndex((text) => text.startsWith("Last name"))).toBeGreaterThan(
      compared.findLastIndex((text) => text.includes("differs")),
    );

    await buttonOf(page, "Merge into 1: Grace Hopper").click();
    await dialogOf(page).getByText("2 fields of Grace Hopper would change.").waitFor();
    const told = await textOf(dialogOf(page));
    expect(told).toContain("jobTitle: — → Admiral emails: grace@navy.test → grace@navy.test, grace@home.test");
    expect(told).toContain("person Grace M. Hopper is merged");
    pairs.length = 0;
    await buttonOf(dialogOf(page), "Merge").click();
    await notice(page).getByText("Grace M. Hopper is merged into Grace Hopper.").waitFor();
    await page.getByText("No two records are likely one.").waitFor();
    expect((await api.get(`/v1/people/${ids[1]}`)).data.id).toBe(ids[0]);
    await buttonOf(notice(page), "Undo").click();
    await buttonOf(dialogOf(page), "Undo").click();
    await dialogOf(page).getByText("were undone").waitFor();
    expect((await api.get(`/v1/people/${ids[1]}`)).data.id).toBe(ids[1]);
    expect(faults).toEqual([]);
  });

  it("takes a pair away that is not the same, and brings it back", async () => {
    const { page, faults, ids, pairs } = await duplicates();
    const sent: unknown[] = [];
    const whole = [...pairs];
    await answer(page, "**/v1/people/duplicates/dismiss", (_, body) => {
      sent.push(body);
      const dismissed = (body as { dismissed?: boolean }).dismissed ?? true;
      pairs.splice(0, pairs.length, ...(dismissed ? [] : whole));
      return { records: ids.map((id) => ({ id })), dismissed };
    });
    await buttonOf(page, "Grace Hopper and Grace M. Hopper are not the same").click();
    await page.getByText("No two records are likely one.").waitFor();
    await buttonOf(notice(page), "Undo").click();
    await rowsOf(page, "Duplicates").first().waitFor();
    const records = ids.map((id) => ({ id }));
    expect(sent).toEqual([{ records }, { records, dismissed: false }]);
    expect([await notice(page).innerText(), faults]).toEqual(["", []]);
  });

  it.each(WIDTHS)("fits its window, breaks no rule of axe, and is worked by keyboard: %i px wide", async (width) => {
    const { page, faults, ids } = await duplicates(width);
    const look = async (part: string) => {
      await keepPicture(page, { name: `console-${part}-${width}` });
      const found = { overflow: await overflow(page), violations: await violations(page) };
      expect({ part, ...found }).toEqual({ part, overflow: 0, violations: [] });
    };
    await tabTo(page, "Compare Grace Hopper and Grace M. Hopper");
    await page.keyboard.press("Enter");
    await rowsOf(page, "Comparison").first().waitFor();
    await look("duplicates");
    await tabTo(page, "Merge into 2: Grace M. Hopper");
    await page.keyboard.press("Enter");
    await dialogOf(page).getByText("would change").waitFor();
    await look("merge");
    await page.keyboard.press("Escape");
    const text = "Likes ships and code, and ".repeat(7);
    const matched = [{ path: ["description"], text }];
    const found = { id: ids[0], entityType: "person", fullName: `Grace${"e".repeat(300)}`, matched };
    await answer(page, "**/v1/search?**", () => ({ items: Array.from({ length: 20 }, () => found) }));
    await page.keyboard.press("/");
    await page.keyboard.type("grace");
    await hits(page).getByText("20 results").waitFor();
    await look("search");
    expect(faults).toEqual([]);
  });
}
