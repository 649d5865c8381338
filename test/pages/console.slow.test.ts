import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../lab/harness/until.ts";
import { violations } from "../support/axe.ts";
import { describePages, focused, overflow, type PageScene, WIDTHS } from "../support/browser.ts";
import { opened, rowsOf, tabTo } from "../support/console.ts";
import { keepPicture } from "../support/screenshots.ts";
import { startWebhookReceiver, WEBHOOK_ENV } from "../support/webhook-receiver.ts";

const ENV = { ...WEBHOOK_ENV, RATE_LIMITS: "default=600/60,burst=600/2" };

const TITLES = {
  records: "Records",
  board: "Board",
  duplicates: "Duplicates",
  groups: "Groups and fields",
  trash: "Trash",
  webhooks: "Webhooks",
  events: "Events",
  requests: "Requests",
};

// docs/guides/console.md
describePages("The console", tests, ENV);

describePages(
  "The console of a server with small limits",
  (scene) => {
    it("waits when the server says that it asks too often", async () => {
      const workspace = await scene.workspace();
      const { ada } = workspace;
      for (let i = 0; i < 12; i += 1) await workspace.group(ada, { name: `Group ${i}` });
      const { page } = await opened(scene, ada, "records");
      // 12 groups are asked for their types and fields, which is more than 30 requests in two seconds.
      await page.getByRole("heading", { name: "0 records" }).waitFor();
      await page.goto(`${scene.server.base}/console#groups`);
      await page.getByRole("button", { name: /^Group 11/ }).click();
      await page.getByRole("heading", { name: "Group 11" }).waitFor();
      await rowsOf(page, "Members of Group 11").first().waitFor();
    });
  },
  { RATE_LIMITS: "default=600/60,burst=30/2" },
);

function tests(scene: PageScene) {
  it("lets in with a key, keeps it in the tab alone, and forgets it", async () => {
    const { ada } = await scene.workspace();
    const { page, faults } = await scene.open("/console", { width: 1280 });
    await page.getByLabel("API key").fill("cwk_nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("mistyped or cut off").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    // The browser itself tells of the 401.
    expect(faults.splice(0)).toEqual([expect.stringContaining("401")]);

    await page.getByLabel("API key").fill(` ${ada.key} `);
    await page.getByRole("button", { name: "Sign in" }).press("Enter");
    await page.getByText(ada.fullName).first().waitFor();
    expect(await page.evaluate("[localStorage.length, document.cookie, location.href]")).toEqual([
      0,
      "",
      `${scene.server.base}/console`,
    ]);
    await page.reload();
    await page.getByText(ada.fullName).first().waitFor();
    const other = await page.context().newPage();
    await other.goto(`${scene.server.base}/console`);
    await other.getByLabel("API key").waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    expect(faults).toEqual([]);
  });

  it("shows the groups that the user sees, with fields, options and members", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const sales = await workspace.group(ada, { name: "Sales", members: [[bob, "reader"]] });
    await workspace.group(ada, { name: "Directors" });
    const options = [{ label: "Lead" }, { label: "<b>Customer</b>" }];
    await workspace.field(ada, sales, "person", { type: "singleSelect", name: "Status", options });
    await workspace.field(ada, sales, "company", { type: "objectField", name: "Deals" });
    await workspace.field(ada, sales, "Deals", { type: "numericField", name: "Amount" });
    const { page, faults } = await opened(scene, bob, "groups");
    await expect(rowsOf(page, "Fields of person").innerText()).resolves.toMatch(
      /Status\s+singleSelect\s+Lead\s+<b>Customer<\/b>/,
    );
    await expect(rowsOf(page, "Fields of Deals").innerText()).resolves.toMatch(/Amount\s+numericField/);
    await expect(rowsOf(page, "Members of Sales").allInnerTexts()).resolves.toEqual([
      expect.stringMatching(/admin/),
      expect.stringMatching(/Bob Stone\s+.*\s+reader/),
    ]);
    expect(await page.getByText("Directors").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("puts a filter together, shows the address that it makes, and what the address finds", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const group = await workspace.group(ada, { name: "Sales & more" });
    await workspace.field(ada, group, "company", { type: "objectField", name: "Big Deals" });
    await workspace.field(ada, group, "Big Deals", { type: "numericField", name: "A&B [net]" });
    await workspace.field(ada, group, "person", {
      type: "singleSelect",
      name: "Status",
      options: [{ label: "Lead" }, { label: "Customer" }],
    });
    const api = scene.api(ada);
    const inGroup = (fullName: string, Status: string) => ({
      fullName,
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: { Status } },
    });
    await api.post("/v1/people/batch/create", {
      records: [inGroup("Grace Hopper", "Lead"), inGroup("Ada Lovelace", "Customer"), { fullName: "Bob Stone" }],
    });
    const deals = `/v1/groups/${group.id}/Big%20Deals`;
    await api.post(deals, { name: "Small", customFieldValues: { "A&B [net]": 1 } });
    await api.post(deals, { name: "Large", customFieldValues: { "A&B [net]": 100 } });

    const { page, faults } = await opened(scene, ada, "records");
    const address = page.getByText(`${scene.server.base}/v1/`, { exact: false }).first();
    const names = async () => (await rowsOf(page, "Records").locator("td:first-child div").allInnerTexts()).sort();
    const find = async (count: number) => {
      await page.getByRole("button", { name: "Find" }).click();
      await page.getByRole("heading", { name: `${count} record` }).waitFor();
      // What the page shows is what the address gives to anybody who has the key. The page may still show as many
      // others.
      const { items } = await api.get((await address.innerText()).slice(scene.server.base.length));
      const found = items.map(({ fullName, name }) => fullName ?? name).sort();
      await until(`the page shows ${found}`, async () => String(await names()) === String(found));
    };
    await page.getByRole("heading", { name: "3 records" }).waitFor();

    const condition = (number: number) => page.getByRole("group", { name: `Condition ${number}` });
    await page.getByRole("button", { name: "Add a condition" }).click();
    await condition(1).getByLabel("Field").selectOption({ label: "Status (Sales & more)" });
    await condition(1).getByLabel("Operator").selectOption("in");
    await condition(1).getByLabel("Value").selectOption("Lead");
    await find(1);
    expect(await names()).toEqual(["Grace Hopper"]);

    await page.getByRole("button", { name: "Add a condition" }).click();
    await condition(2).getByLabel("Field").selectOption("fullName");
    await condition(2).getByLabel("Operator").selectOption("like");
    await condition(2).getByLabel("Value").fill("stone");
    await page.getByLabel("Must hold").selectOption("or");
    await find(2);
    expect(await names()).toEqual(["Bob Stone", "Grace Hopper"]);

    await condition(2).getByLabel("Field").selectOption("groups");
    await condition(2).getByLabel("Operator").selectOption("in");
    await condition(2).getByLabel("Value").fill(group.id);
    await find(2);
    await page.getByRole("button", { name: "Remove condition 1" }).click();
    await condition(1).getByLabel("Field").selectOption("createdBy");
    await condition(1).getByLabel("Value").fill(ada.email);
    await find(3);

    await page.getByRole("combobox", { name: "Records" }).selectOption({ label: "Big Deals of Sales & more" });
    await page.getByRole("heading", { name: "2 records" }).waitFor();
    await page.getByRole("button", { name: "Add a condition" }).click();
    await condition(1).getByLabel("Field").selectOption({ label: "A&B [net]" });
    await condition(1).getByLabel("Operator").selectOption("gt");
    await condition(1).getByLabel("Value").fill("10");
    await find(1);
    expect(await names()).toEqual(["Large"]);
    // Columns are those that have values: deals have an amount, and no e-mail address.
    const headings = await page.getByRole("table", { name: "Records" }).locator("th").allInnerTexts();
    expect(headings.map((text) => text.replace(/ ↕$/, ""))).toEqual(["Name", "A&B [net]", "Created", "Changes"]);
    expect(faults).toEqual([]);

    // A mistake is told with the words of the API.
    await condition(1).getByLabel("Value").fill("many");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("alert").getByRole("link", { name: "UNPROCESSABLE_ENTITY" }).waitFor();
  });

  it("gives what can be copied more room than the button that copies it, on a phone too", async () => {
    const { ada } = await scene.workspace();
    const { page } = await opened(scene, ada, "records", 360);
    const copy = await page.getByRole("button", { name: "Copy Command" }).boundingBox();
    const command = await page.getByText("curl -sg").boundingBox();
    expect(command?.width).toBeGreaterThan(2 * (copy?.width ?? Infinity));
  });

  it("opens with people, counts them, pages through them, and goes back", async () => {
    const { ada } = await scene.workspace();
    const records = Array.from({ length: 25 }, (_, i) => ({ fullName: `Person ${i}` }));
    await scene.api(ada).post("/v1/people/batch/create", { records });
    const { page, faults } = await opened(scene, ada);
    await page.getByRole("heading", { name: "20 of 25 records" }).waitFor();
    await page.getByRole("link", { name: "Next page" }).click();
    await page.getByRole("heading", { name: "5 of 25 records" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "20 of 25 records" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("shows what was sent to a webhook, and sends it again", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const receiver = await startWebhookReceiver();
    try {
      const subscribedEvents = [{ eventType: "person.created" }];
      const { data } = await api.post("/v1/webhooks", { name: "CRM", targetUrl: receiver.url, subscribedEvents });
      receiver.expect(String(data.signingSecret));
      await api.post("/v1/people", { fullName: "Grace Hopper" });
      await receiver.next("the first delivery", ({ type }) => type === "person.created");
      const { page, faults } = await opened(scene, ada, "webhooks");
      const refresh = page.getByRole("button", { name: "Refresh" });
      await until("the delivery is shown as succeeded", async () => {
        await refresh.click();
        return (await rowsOf(page, "Deliveries").filter({ hasText: "succeeded" }).count()) === 1;
      });
      // Opening it looks for the event of the delivery in the feed.
      await rowsOf(page, "Deliveries").getByText("Payload").click();
      await rowsOf(page, "Deliveries").getByText('"type": "person.created"').waitFor();
      await page.getByRole("button", { name: "Send again: person.created" }).click();
      await page.getByRole("status").getByText("It is sent again").waitFor();
      await until("the second delivery", () => receiver.events.length === 2);
      expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(1);
      await page.getByRole("button", { name: "Send a test" }).click();
      await receiver.next("the test", ({ type }) => String(type) === "webhook.test");
      expect([receiver.faults, faults]).toEqual([[], []]);
    } finally {
      await receiver.close();
    }
  });

  it("shows events as they happen, and goes on after a pause", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const { data: earlier } = await api.post("/v1/people", { fullName: "Ada Lovelace" });
    const { page, faults } = await opened(scene, ada, "events");
    await page.getByRole("status").getByText("Waiting for events").waitFor();
    await rowsOf(page, "Events").filter({ hasText: earlier.id }).waitFor();
    const { data } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    await rowsOf(page, "Events").filter({ hasText: data.id }).filter({ hasText: "person.created" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("status").getByText("Paused").waitFor();
    await api.patch(`/v1/people/${data.id}`, { jobTitle: "Rear admiral" });
    await page.getByRole("button", { name: "Resume" }).click();
    await rowsOf(page, "Events").filter({ hasText: "person.updated" }).waitFor();
    await page.getByLabel("Type").selectOption("person.deleted");
    await page.getByRole("status").getByText("Waiting for events").waitFor();
    await api.patch(`/v1/people/${data.id}`, { jobTitle: "Admiral" });
    await api.delete(`/v1/people/${data.id}`);
    await rowsOf(page, "Events").filter({ hasText: "person.deleted" }).waitFor();
    expect(await rowsOf(page, "Events").filter({ hasText: "person.updated" }).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("lists the last requests with their ids and errors, and plots them", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const refused = await api.post("/v1/people", { gender: "X" });
    const { page, faults } = await opened(scene, ada, "requests");
    const row = rowsOf(page, "Requests").filter({ hasText: String(refused.headers["x-request-id"]) });
    await expect(row.innerText()).resolves.toMatch(/POST \/v1\/people\s+422\s+UNPROCESSABLE_ENTITY/);
    expect(await row.getByRole("link").getAttribute("href")).toBe("/docs/errors#unprocessable-entity");
    await page.getByLabel("Only errors").check();
    expect(await rowsOf(page, "Requests").count()).toBe(1);
    for (const name of [
      "Requests per minute",
      "Time until the answer",
      "Errors per minute",
      "Requests left of the limit",
    ]) {
      const plot = page.getByRole("img", { name: new RegExp(`^${name}.*\\d`) });
      expect([name, await plot.locator("canvas").count()]).toEqual([name, 1]);
    }
    expect(faults).toEqual([]);
  });

  it.each(WIDTHS)(
    "fits its window, breaks no rule of axe, and is worked by keyboard alone: %i px wide",
    async (width) => {
      const workspace = await scene.workspace();
      const { ada } = workspace;
      const group = await workspace.group(ada, { name: "Sales" });
      const options = [{ label: "Lead" }, { label: "Customer" }];
      await workspace.field(ada, group, "person", { type: "singleSelect", name: "Status", options });
      const api = scene.api(ada);
      await api.post("/v1/people", { fullName: "A very long name ".repeat(20), emails: ["long@example.com"] });
      await api.post("/v1/people", { gender: "X" });
      const target = {
        name: "CRM",
        targetUrl: "https://receiver.invalid/in",
        subscribedEvents: [{ eventType: "person.created" }],
      };
      await api.post(`/v1/webhooks/${(await api.post("/v1/webhooks", target)).data.id}/test`);

      const { page, faults } = await scene.open("/console", { width });
      const look = async (name: string) => {
        await keepPicture(page, { name: `console-${name}-${width}` });
        const found = { overflow: await overflow(page), violations: await violations(page) };
        expect({ name, ...found }).toEqual({ name, overflow: 0, violations: [] });
      };
      await look("sign-in");
      await tabTo(page, "cwk_…");
      await page.keyboard.type(ada.key);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      for (const [view, title] of Object.entries(TITLES)) {
        await tabTo(page, title);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: title, level: 1 }).waitFor();
        await page.getByText("Loading…").waitFor({ state: "detached" });
        if (view === "events") await rowsAfter(page, () => api.post("/v1/people", { fullName: "Grace Hopper" }));
        expect(await page.evaluate("location.hash")).toBe(`#${view}`);
        await look(view);
      }
      await page.reload();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect([await focused(page), await page.getByRole("heading", { level: 1 }).innerText()]).toEqual([
        "content",
        "Requests",
      ]);
      expect(faults).toEqual([]);
    },
  );

  it.each(WIDTHS)("is as readable in the dark: %i px wide", async (width) => {
    const { ada } = await scene.workspace();
    const { page } = await scene.open("/console", { width, colorScheme: "dark" });
    await page.getByLabel("API key").fill(ada.key);
    await page.getByLabel("API key").press("Enter");
    await page.goto(`${scene.server.base}/console#requests`);
    await page.locator("canvas").first().waitFor();
    await keepPicture(page, { name: `console-requests-${width}-dark` });
    expect(await violations(page)).toEqual([]);
  });

  async function rowsAfter(page: Page, happens: () => Promise<unknown>): Promise<void> {
    await page.getByRole("status").getByText("Waiting for events").waitFor();
    await happens();
    await rowsOf(page, "Events").first().waitFor();
  }
}
