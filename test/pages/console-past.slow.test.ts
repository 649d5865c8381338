import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { until } from "../../lab/harness/until.ts";
import { violations } from "../support/axe.ts";
import { describePages, focused, overflow, type PageScene, WIDTHS } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { opened, rowsOf, tabTo } from "../support/console.ts";
import { keepPicture } from "../support/screenshots.ts";

// docs/guides/console.md#taking-changes-back
describePages("History, trash and undo in the console", tests, { RATE_LIMITS: "default=600/60,burst=600/2" });

const idOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers["x-request-id"]);
const dialogOf = (page: Page) => page.getByRole("dialog");
const buttonOf = (where: Page | Locator, name: string | RegExp) => where.getByRole("button", { name, exact: true });

/** Status of a person at the API: 200, or 404 for one that is deleted. */
async function statusOf(api: Client, id: string): Promise<number> {
  return (await api.get(`/v1/people/${id}`)).status;
}

function tests(scene: PageScene) {
  it("shows the history of a record: newest first, in pages, with the request of each change", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const group = await workspace.group(ada, { name: "Sales" });
    await workspace.field(ada, group, "person", { type: "textField", name: "Remark" });
    const api = scene.api(ada);
    const { data: company } = await api.post("/v1/companies", { name: "<b>Engines</b>" });
    const { data } = await api.post("/v1/people", {
      fullName: "Grace Hopper",
      description: `${"long ".repeat(60)}end`,
      groups: [{ id: group.id }],
    });
    for (let i = 0; i < 20; i += 1) await api.patch(`/v1/people/${data.id}`, { jobTitle: `Job ${i}` });
    const last = await api.patch(`/v1/people/${data.id}`, {
      jobTitle: "",
      companies: [{ id: company.id }],
      customFieldValues: { [group.id]: { Remark: "New" } },
    });

    const { page, faults } = await opened(scene, ada, "records");
    await buttonOf(page, "History of Grace Hopper").click();
    const rows = rowsOf(page, "History of Grace Hopper");
    await rows.first().waitFor();
    expect([await rows.count(), await focused(page)]).toEqual([20, "history"]);
    const newest = (await rows.first().innerText()).replaceAll(/\s+/g, " ");
    expect(newest).toContain(`updated ${ada.fullName}`);
    expect(newest).toContain(`api ${idOf(last)}`);
    expect(newest).toContain("jobTitle: Job 19 → —");
    expect(newest).toContain("companies: — → <b>Engines</b>");
    expect(newest).toContain("Remark (Sales): — → New");

    await buttonOf(page, "More").click();
    await page.getByRole("status").getByText("22 entries, newest first").waitFor();
    expect(await rows.last().innerText()).not.toContain("end");
    await rows.last().getByText("All 303 characters").click();
    await rows.last().getByText("long end").waitFor();

    await rows
      .first()
      .getByRole("link", { name: idOf(last) })
      .click();
    await page.getByRole("heading", { name: "One request" }).waitFor();
    await expect(rowsOf(page, "One request").allInnerTexts()).resolves.toEqual([expect.stringContaining(idOf(last))]);
    await page.getByRole("link", { name: "Show only the latest requests" }).click();
    await page.getByRole("heading", { name: "One request" }).waitFor({ state: "detached" });
    await page.goBack();
    await page.goBack();
    await buttonOf(page, "History of Grace Hopper").click();
    await buttonOf(page, "Close the history").click();
    expect(await rows.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("previews the return of a record, and restores it when it is confirmed", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const { data } = await api.post("/v1/people", { fullName: "Grace <i>Hopper</i>" });
    await api.post("/v1/notes", { content: "Likes ships", visibility: "public", entity: { id: data.id } });
    await api.post("/v1/people", { fullName: "Ada Lovelace" });
    await api.delete(`/v1/people/${data.id}`);
    const { page, faults } = await opened(scene, ada, "trash");
    await rowsOf(page, "Trash").nth(1).waitFor();
    const texts = (await rowsOf(page, "Trash").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
    expect(texts.sort()).toEqual([
      expect.stringMatching(new RegExp(`^Grace <i>Hopper</i> person .* ${ada.fullName} History Restore$`)),
      expect.stringMatching(/^Likes ships note .* person Grace <i>Hopper<\/i> History Restore$/),
    ]);

    await page.getByLabel("Notes").check();
    await page.getByRole("status").getByText("1 entry, newest first").waitFor();
    await page.getByLabel("Notes").uncheck();
    await page.getByRole("status").getByText("2 entries, newest first").waitFor();

    await buttonOf(page, "Restore Grace <i>Hopper</i>").click();
    await dialogOf(page).getByText("2 changes would be made").waitFor();
    expect((await dialogOf(page).getByRole("listitem").allInnerTexts()).sort()).toEqual([
      "note Likes ships comes back",
      "person Grace <i>Hopper</i> comes back",
    ]);
    await page.keyboard.press("Escape");
    expect(await statusOf(api, data.id)).toBe(404);

    await buttonOf(page, "Restore Grace <i>Hopper</i>").click();
    await buttonOf(dialogOf(page), "Restore").click();
    await dialogOf(page).getByRole("status").getByText("Grace <i>Hopper</i> is back").waitFor();
    expect(await statusOf(api, data.id)).toBe(200);
    await buttonOf(dialogOf(page), "Close").click();
    await page.getByText("Nothing that can be restored").waitFor();
    await until("the focus is in the view", async () => (await focused(page)) === "content");
    expect(faults).toEqual([]);
  });

  it("asks for another name when the name of a company is taken", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const { data } = await api.post("/v1/companies", { name: "Engines" });
    await api.delete(`/v1/companies/${data.id}`);
    await api.post("/v1/companies", { name: "Engines" });
    const { page, faults } = await opened(scene, ada, "trash");
    await buttonOf(page, "Restore Engines").click();
    await dialogOf(page).getByRole("alert").getByText('There is another company with the name "Engines"').waitFor();
    await page.keyboard.type("Old engines");
    await page.keyboard.press("Enter");
    await dialogOf(page).getByText("company Old engines comes back").waitFor();
    await buttonOf(dialogOf(page), "Restore").click();
    await dialogOf(page).getByText("Old engines is back").waitFor();
    expect((await api.get(`/v1/companies/${data.id}`)).data.name).toBe("Old engines");
    // The browser itself tells of the 422.
    expect(faults).toEqual([expect.stringContaining("422")]);
  });

  it("restores an object, whose path it takes from the event of its deletion", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const group = await workspace.group(ada, { name: "Sales" });
    await workspace.field(ada, group, "company", { type: "objectField", name: "Big Deals" });
    const api = scene.api(ada);
    const list = `/v1/groups/${group.id}/Big%20Deals`;
    const { data } = await api.post(list, { name: "Large" });
    await api.delete(`${list}/${data.id}`);
    const { page, faults } = await opened(scene, ada, "trash");
    await buttonOf(page, "History of Large").click();
    await rowsOf(page, "History of Large").filter({ hasText: "deleted" }).waitFor();
    await buttonOf(page, "Restore Large").click();
    await buttonOf(dialogOf(page), "Restore").click();
    await dialogOf(page).getByText("Large is back").waitFor();
    expect((await api.get(`${list}/${data.id}`)).status).toBe(200);
    expect(faults).toEqual([]);
  });

  it("gives the path of the API for an object whose event is gone", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const group = await workspace.group(ada, { name: "Sales" });
    await workspace.field(ada, group, "company", { type: "objectField", name: "Deals" });
    const api = scene.api(ada);
    const { data } = await api.post(`/v1/groups/${group.id}/Deals`, { name: "Large" });
    await api.delete(`/v1/groups/${group.id}/Deals/${data.id}`);
    const { page, faults } = await opened(scene, ada, "trash");
    const empty = JSON.stringify({ data: { items: [], pagination: {} } });
    await page.route("**/v1/events?**", (route) => route.fulfill({ body: empty, contentType: "application/json" }));
    await buttonOf(page, "Restore Large").click();
    const path = `POST /v1/groups/{groupId}/{objectType}/${data.id}/restore`;
    await dialogOf(page).getByRole("alert").getByText(path).waitFor();
    expect(await buttonOf(dialogOf(page), "Restore").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("names what goes with a record when its creation is undone, and closes the dialog with its view", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const created = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const entity = { id: created.data.id };
    await api.post("/v1/notes", { content: "Likes ships\nand code", visibility: "public", entity });
    const { page, faults } = await opened(scene, ada, "trash");
    await page.getByText("Nothing that can be restored").waitFor();
    // An id that the log has dropped, or that a run of the command line had, is not in it.
    await page.goto(`${scene.server.base}/console#requests/${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`);
    await page.getByText("The log does not have the request").waitFor();
    await page.goto(`${scene.server.base}/console#requests/${idOf(created)}`);
    await buttonOf(rowsOf(page, "One request"), /^Undo/).click();
    await dialogOf(page).getByText("would be undone").waitFor();
    expect(await dialogOf(page).getByRole("listitem").allInnerTexts()).toEqual([
      "person Grace Hopper goes into the trash",
      "note Likes ships goes into the trash",
    ]);
    await page.goto(`${scene.server.base}/console#trash`);
    await dialogOf(page).waitFor({ state: "hidden" });
    expect(await statusOf(api, created.data.id)).toBe(200);
    expect(faults).toEqual([]);
  });

  it("previews the undo of a request with what is left alone, and undoes it when it is confirmed", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const { data } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const changed = await api.patch(`/v1/people/${data.id}`, { jobTitle: "Admiral", description: "A text" });
    await api.patch(`/v1/people/${data.id}`, { jobTitle: "Rear admiral" });
    const refused = await api.post("/v1/people", { gender: "X" });
    const tried = await api.post("/v1/people", { fullName: "Ada" }, { "Dry-Run": "true" });
    const { page, faults } = await opened(scene, ada, "requests");
    const row = (id: string) => rowsOf(page, "Requests").filter({ hasText: id });
    await row(idOf(tried)).getByText("preview").waitFor();
    const undos = [changed, refused, tried].map((answer) => buttonOf(row(idOf(answer)), /^Undo/).count());
    expect(await Promise.all(undos)).toEqual([1, 0, 0]);
    expect(await buttonOf(rowsOf(page, "Requests").filter({ hasText: "GET /v1/" }), /^Undo/).count()).toBe(0);

    await buttonOf(row(idOf(changed)), /^Undo/).click();
    await dialogOf(page).getByText("Changes of 1 record would be undone. 1 thing left alone").waitFor();
    const told = (await dialogOf(page).innerText()).replaceAll(/\s+/g, " ");
    expect(told).toContain("person Grace Hopper changes: description");
    expect(told).toContain("person Grace Hopper has changed since jobTitle: — → Admiral, now Rear admiral");
    expect((await api.get(`/v1/people/${data.id}`)).data.description).toBe("A text");

    await buttonOf(dialogOf(page), "Undo").click();
    await dialogOf(page).getByText("Changes of 1 record were undone").waitFor();
    expect((await api.get(`/v1/people/${data.id}`)).data).toMatchObject({ description: "", jobTitle: "Rear admiral" });
    await buttonOf(dialogOf(page), "Close").click();
    // The undo is a request like others, and can be undone.
    const [undo] = await rowsOf(page, "Requests").filter({ hasText: "POST /v1/undo" }).all();
    expect(await buttonOf(undo as Locator, /^Undo/).count()).toBe(1);

    await buttonOf(row(idOf(changed)), /^Undo/).click();
    await dialogOf(page).getByText("Changes of 0 records would be undone").waitFor();
    expect(await buttonOf(dialogOf(page), "Undo").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it("shows no button that writes to a user whose key can only read", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.api(ada);
    const { data } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    await api.delete(`/v1/people/${data.id}`);
    const { page, faults } = await opened(scene, await workspace.key(ada, { access: "read" }), "trash");
    await buttonOf(page, "History of Grace Hopper").click();
    await rowsOf(page, "History of Grace Hopper").filter({ hasText: "deleted" }).waitFor();
    expect(await buttonOf(page, /^Restore/).count()).toBe(0);
    await page.getByRole("link", { name: "Requests" }).click();
    await rowsOf(page, "Requests").filter({ hasText: "DELETE" }).waitFor();
    expect(await buttonOf(page, /^Undo/).count()).toBe(0);
    // The browser itself tells that the preview by which the console finds out was refused.
    expect(faults).toEqual([expect.stringContaining("403")]);
  });

  it.each(WIDTHS)(
    "fits its window, breaks no rule of axe, and is worked by keyboard alone: %i px wide",
    async (width) => {
      const { ada } = await scene.workspace();
      const api = scene.api(ada);
      const name = `Long${"g".repeat(300)}`;
      const { data } = await api.post("/v1/companies", { name, description: "text ".repeat(200) });
      const patched = await api.patch(`/v1/companies/${data.id}`, { description: "w".repeat(500) });
      const { page, faults } = await opened(scene, ada, "records", width);
      const look = async (part: string) => {
        await keepPicture(page, { name: `console-${part}-${width}` });
        const found = { overflow: await overflow(page), violations: await violations(page) };
        expect({ part, ...found }).toEqual({ part, overflow: 0, violations: [] });
      };
      await page.getByRole("combobox", { name: "Records" }).selectOption({ label: "Companies" });
      await buttonOf(page, /^History of/).press("Enter");
      await rowsOf(page, "History of").first().waitFor();
      await tabTo(page, "All 500 characters");
      await page.keyboard.press("Enter");
      await look("history");

      await page.goto(`${scene.server.base}/console#requests/${idOf(patched)}`);
      await rowsOf(page, "One request").first().waitFor();
      await tabTo(page, `Undo PATCH /v1/companies/{companyId} ${idOf(patched)}`.slice(0, 60));
      await page.keyboard.press("Enter");
      await dialogOf(page).getByText("would be undone").waitFor();
      await look("undo");
      await page.keyboard.press("Escape");

      await api.delete(`/v1/companies/${data.id}`);
      await page.goto(`${scene.server.base}/console#trash`);
      await tabTo(page, `Restore ${name}`.slice(0, 60));
      await page.keyboard.press("Enter");
      await dialogOf(page).getByText("1 change would be made").waitFor();
      await look("restore");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await dialogOf(page).getByText("is back").waitFor();
      await look("restored");
      await page.keyboard.press("Enter");
      await until("the focus is in the view", async () => (await focused(page)) === "content");
      expect(faults).toEqual([]);
    },
  );
}
