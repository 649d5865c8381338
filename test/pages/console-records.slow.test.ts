import { expect, it } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { until } from "../../lab/harness/until.ts";
import type { TestGroup, TestUser, TestWorkspace } from "../../lab/harness/world.ts";
import { violations } from "../support/axe.ts";
import { describePages, focused, overflow, type PageScene, WIDTHS } from "../support/browser.ts";
import { opened, rowsOf, tabTo } from "../support/console.ts";
import { keepPicture } from "../support/screenshots.ts";

// docs/guides/console.md
describePages("Records in the console", tests, { RATE_LIMITS: "default=600/60,burst=600/2" });

const buttonOf = (where: Page | Locator, name: string | RegExp) => where.getByRole("button", { name, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");
const notice = (page: Page) => page.locator(".notice");
/** The value of a field on the page of a record. */
const fieldOf = (page: Page, field: string) =>
  page.locator(".fields > div").filter({ has: page.locator("dt").getByText(field, { exact: true }) });

/** A group with fields of all forms, for people and for deals. */
async function sales(workspace: TestWorkspace, ada: TestUser): Promise<TestGroup> {
  const group = await workspace.group(ada, { name: "Sales" });
  const labels = (...names: string[]) => names.map((label) => ({ label }));
  const fields: [entity: string, definition: object][] = [
    ["person", { type: "singleSelect", name: "Status", options: labels("Lead", "Customer") }],
    ["person", { type: "multipleSelect", name: "Interests", options: labels("Chess", "Ships", "Poetry, old") }],
    ["person", { type: "numericField", name: "Value", config: { format: "currency", currency: "EUR" } }],
    ["person", { type: "dateField", name: "Met on" }],
    ["person", { type: "textField", name: "Remark" }],
    ["person", { type: "objectField", name: "Deals" }],
    ["Deals", { type: "singleSelect", name: "Stage", options: labels("Open", "Won, at last", "Lost") }],
    ["Deals", { type: "numericField", name: "Amount", config: { format: "currency", currency: "EUR" } }],
  ];
  for (const [entity, definition] of fields) await workspace.field(ada, group, entity, definition);
  return group;
}

function tests(scene: PageScene) {
  /** Grace Hopper in the group, with a company, a deal, and one thing of each kind about her. */
  async function grace(workspace: TestWorkspace) {
    const { ada } = workspace;
    const group = await sales(workspace, ada);
    const api = scene.api(ada);
    const { data: company } = await api.post("/v1/companies", { name: "US Navy" });
    const { data: person } = await api.post("/v1/people", {
      fullName: "Grace Hopper",
      emails: ["grace@navy.test"],
      companies: [{ id: company.id }],
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: { Status: "Lead", Value: "1234.5" } },
    });
    const { data: deal } = await api.post(`/v1/groups/${group.id}/Deals`, {
      name: "Compilers",
      people: [{ id: person.id }],
      customFieldValues: { Stage: "Open", Amount: "48000" },
    });
    await api.patch(`/v1/people/${person.id}`, { customFieldValues: { [group.id]: { Deals: [{ id: deal.id }] } } });
    return { group, api, company, person, deal };
  }

  it("sorts by the heads of columns, says so, and keeps the order in the address", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const records = ["Charles Babbage", "Ada Lovelace", "Grace Hopper"].map((fullName) => ({
      fullName,
      jobTitle: "x",
    }));
    await api.post("/v1/people/batch/create", { records });
    const { page, faults } = await opened(scene, ada);
    const names = () => rowsOf(page, "Records").locator("td:first-child div").allInnerTexts();
    const head = page.getByRole("columnheader", { name: "Name" });
    const isOrder = (...expected: string[]) =>
      until(`the order ${expected}`, async () => String(await names()) === String(expected));
    await isOrder("Charles Babbage", "Ada Lovelace", "Grace Hopper");
    expect(await head.getAttribute("aria-sort")).toBe("none");
    await head.getByRole("button").press("Enter");
    await isOrder("Ada Lovelace", "Charles Babbage", "Grace Hopper");
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    await head.getByRole("button").press("Enter");
    await isOrder("Grace Hopper", "Charles Babbage", "Ada Lovelace");
    expect([await head.getAttribute("aria-sort"), new URL(page.url()).hash]).toEqual([
      "descending",
      "#records/people?sort=-fullName",
    ]);
    await page.reload();
    await isOrder("Grace Hopper", "Charles Babbage", "Ada Lovelace");
    await head.getByRole("button").press("Enter");
    await isOrder("Charles Babbage", "Ada Lovelace", "Grace Hopper");
    // A phone has no heads.
    await page.getByLabel("Sort by").selectOption({ label: "Full name" });
    await isOrder("Ada Lovelace", "Charles Babbage", "Grace Hopper");
    await page.goBack();
    await isOrder("Charles Babbage", "Ada Lovelace", "Grace Hopper");
    expect(await page.getByLabel("Sort by").inputValue()).toBe("");
    expect(faults).toEqual([]);
  });

  it("shows the columns that the user has chosen for the tab, of each list its own", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    await grace(workspace);
    const { page, faults } = await opened(scene, ada);
    const heads = async () =>
      (await page.getByRole("table", { name: "Records" }).locator("th").allInnerTexts()).map((text) =>
        text.replace(/ ↕$/, ""),
      );
    await rowsOf(page, "Records").first().waitFor();
    const usual = ["Name", "Created", "Companies", "Emails", "Status (Sales)", "Value (Sales)", "Changes"];
    expect((await heads()).sort()).toEqual(usual.sort());
    await page.locator("summary").filter({ hasText: "Columns" }).click();
    await page.getByLabel("Emails").uncheck();
    await page.getByLabel("Deals (Sales)").check();
    const chosen = ["Name", "Created", "Companies", "Status (Sales)", "Value (Sales)", "Deals (Sales)", "Changes"];
    expect((await heads()).sort()).toEqual(chosen.sort());
    await expect(rowsOf(page, "Records").first().innerText()).resolves.toMatch(/€1,234\.50.*\s*Compilers/);
    await page.reload();
    await rowsOf(page, "Records").first().waitFor();
    expect((await heads()).sort()).toEqual(chosen.sort());
    await page.getByRole("combobox", { name: "Records" }).selectOption({ label: "Companies" });
    await until("the columns of companies", async () => String(await heads()) === "Name,Created,Changes");
    await page.goBack();
    await rowsOf(page, "Records").filter({ hasText: "Grace Hopper" }).waitFor();
    await page.locator("summary").filter({ hasText: "Columns" }).click();
    await buttonOf(page, "The usual columns").click();
    expect((await heads()).sort()).toEqual(usual.sort());
    expect(faults).toEqual([]);
  });

  it("shows a record on a page of its own, with what is about it, and leads back to the list as it was", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const { api, person, deal, group } = await grace(workspace);
    const entity = { id: person.id };
    await api.post("/v1/notes", { content: "Likes <i>ships</i>", visibility: "public", entity });
    await api.post("/v1/tasks", { title: "Send the offer", dueAt: "2031-01-31", entity });
    const interaction = { title: "Coffee", content: "At the harbour", activityType: "coffee", entity };
    await api.post("/v1/interactions", { ...interaction, dateTime: "2026-01-15T10:00:00Z" });
    await api.post("/v1/people", { fullName: "Ada Lovelace" });

    const { page, faults } = await opened(scene, ada);
    await page.getByRole("heading", { name: "2 records" }).waitFor();
    await buttonOf(page, "Add a condition").click();
    const condition = page.getByRole("group", { name: "Condition 1" });
    await condition.getByLabel("Field").selectOption("fullName");
    await condition.getByLabel("Operator").selectOption("like");
    await condition.getByRole("textbox", { name: "Value" }).fill("hopper");
    await buttonOf(page, "Find").click();
    await page.getByRole("heading", { name: "1 record" }).waitFor();
    await rowsOf(page, "Records").getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByRole("heading", { name: "Grace Hopper", level: 1 }).waitFor();
    await rowsOf(page, "History of Grace Hopper").nth(1).waitFor();
    await page.getByText("At the harbour").waitFor();
    await page.getByText("Loading…").first().waitFor({ state: "detached" });
    const text = (await page.getByRole("main").innerText()).replaceAll(/\s+/g, " ");
    for (const part of ["Emails grace@navy.test", "Fields of Sales Status Lead", "Value €1,234.50"])
      expect(text).toContain(part);
    for (const part of ["Likes <i>ships</i>", "due 2031-01-31, Ada Lovelace Send the offer", "Coffee At the harbour"])
      expect(text).toContain(part);
    expect(await page.title()).toBe("Grace Hopper · Console of the Contact Workspace");

    // A reference to an object has neither its group nor its type. The page finds them.
    await fieldOf(page, "Deals").getByRole("link", { name: "Compilers" }).click();
    await page.getByRole("heading", { name: "Compilers", level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#objects/${group.id}/Deals/${deal.id}`);
    await expect(fieldOf(page, "Amount").innerText()).resolves.toContain("€48,000");
    await fieldOf(page, "People").getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByRole("heading", { name: "Grace Hopper", level: 1 }).waitFor();
    await fieldOf(page, "Companies").getByRole("link", { name: "US Navy" }).click();
    // A company is linked to its people.
    await page.getByRole("heading", { name: "US Navy", level: 1 }).waitFor();
    await page.getByRole("heading", { name: "People", level: 2 }).waitFor();
    await page.getByRole("link", { name: "Grace Hopper" }).waitFor();

    await page.getByRole("link", { name: "← People" }).click();
    await page.getByRole("heading", { name: "1 record" }).waitFor();
    expect(
      await page.getByRole("group", { name: "Condition 1" }).getByRole("textbox", { name: "Value" }).inputValue(),
    ).toBe("hopper");
    await page.goto(`${scene.server.base}/console#objects/obj_00000000-0000-0000-0000-000000000000`);
    await page.getByRole("alert").getByText("There is no object with this id").waitFor();
    // The browser itself tells of the 404.
    expect(faults).toEqual([expect.stringContaining("404")]);
  });

  it("edits values of every form: previews them, saves them for the version that is shown, and undoes them", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const { api, person, group } = await grace(workspace);
    const path = `/v1/people/${person.id}`;
    // Lines within a text and within an entry are kept.
    await api.patch(path, { jobTitle: "Rear\nadmiral", addresses: ["Dock 1\nNew York"] });
    const { page, faults } = await opened(scene, ada, `people/${person.id}`);
    const patches: Record<string, string>[] = [];
    page.on("request", (sent) => sent.method() === "PATCH" && patches.push(sent.headers()));
    const now = async () => (await api.get(path)).data;
    const custom = async () => ((await now()).customFieldValues as Record<string, unknown>)[group.id];
    const edit = async (field: string, fill: (form: Locator) => Promise<unknown>) => {
      await buttonOf(page, `Edit ${field}`).click();
      await fill(page.locator(".edit"));
      await buttonOf(page, "Preview").click();
      await dialogOf(page).getByText("would change").waitFor();
    };
    const save = async () => {
      await buttonOf(dialogOf(page), "Save").click();
      await dialogOf(page).waitFor({ state: "hidden" });
      await notice(page).getByText("is changed.").waitFor();
    };

    await edit("First name", (form) => form.getByLabel("First name").fill("Rear"));
    const told = (await dialogOf(page).innerText()).replaceAll(/\s+/g, " ");
    expect(told).toContain("2 fields of Grace Hopper would change.");
    expect(told).toContain("fullName: Grace Hopper → Rear Hopper");
    expect(told).toContain("person Grace Hopper changes: firstName, fullName");
    expect((await now()).firstName).toBe("Grace");
    await page.keyboard.press("Escape");
    await buttonOf(page, "Cancel").click();
    await until("the focus is back", async () => (await focused(page)).startsWith("edit-"));

    await buttonOf(page, "Edit Job title").click();
    expect(await page.locator(".edit textarea").inputValue()).toBe("Rear\nadmiral");
    await buttonOf(page, "Cancel").click();
    await edit("Addresses", (form) => form.getByLabel("Addresses 2").fill("Yale"));
    await save();
    expect((await now()).addresses).toEqual(["Dock 1\nNew York", "Yale"]);
    await edit("Job title", (form) => form.getByLabel("Job title").fill("Admiral"));
    await save();
    expect((await now()).jobTitle).toBe("Admiral");
    expect(patches.slice(-2)).toEqual([
      expect.objectContaining({ "dry-run": "true", "if-match": expect.stringMatching(/^".+"$/) }),
      expect.objectContaining({ "if-match": expect.stringMatching(/^".+"$/) }),
    ]);
    expect(patches.at(-1)).not.toHaveProperty("dry-run");
    await edit("Birthday", (form) => form.getByLabel("Birthday").fill("1906-12-09"));
    await save();
    await edit("Gender", (form) => form.getByLabel("Gender").selectOption("Female"));
    await save();
    await edit("Emails", (form) => form.getByLabel("Emails").fill("grace@navy.test\n\n grace@home.test "));
    await save();
    await edit("Status", (form) => form.getByLabel("Status").selectOption("Customer"));
    await save();
    await edit("Interests", async (form) => {
      await form.getByLabel("Ships").check();
      await form.getByLabel("Poetry, old").check();
    });
    await save();
    await edit("Met on", (form) => form.getByLabel("Met on").fill("2026-02-09"));
    await save();
    await edit("Remark", (form) => form.getByLabel("Remark").fill("two\nlines"));
    await save();
    await edit("Value", (form) => form.getByLabel("Value").fill(""));
    await save();
    expect(await now()).toMatchObject({ birthday: "1906-12-09", gender: "Female" });
    expect((await now()).emails).toEqual(["grace@navy.test", "grace@home.test"]);
    expect(await custom()).toMatchObject({ Interests: ["Ships", "Poetry, old"], Remark: "two\nlines", Value: null });
    expect(await custom()).toMatchObject({ Status: "Customer", "Met on": "2026-02-09" });

    await buttonOf(notice(page), "Undo").click();
    await dialogOf(page).getByText("Changes of 1 record would be undone").waitFor();
    await buttonOf(dialogOf(page), "Undo").click();
    await dialogOf(page).getByText("Changes of 1 record were undone").waitFor();
    await buttonOf(dialogOf(page), "Close").click();
    expect(await custom()).toMatchObject({ Value: "1234.5" });
    await fieldOf(page, "Value").getByText("€1,234.50").waitFor();
    expect(await notice(page).innerText()).toBe("");

    // Nothing to save, and a value that the server refuses.
    await buttonOf(page, "Edit Job title").click();
    await page.keyboard.press("Enter");
    await dialogOf(page).getByText("Nothing would change.").waitFor();
    expect(await buttonOf(dialogOf(page), "Save").count()).toBe(0);
    await page.keyboard.press("Escape");
    await buttonOf(page, "Cancel").click();
    expect(faults).toEqual([]);
    await buttonOf(page, "Edit Value").click();
    await page.locator(".edit input").fill("many");
    await page.keyboard.press("Enter");
    await dialogOf(page).getByRole("alert").getByRole("link", { name: "UNPROCESSABLE_ENTITY" }).waitFor();
  });

  it("creates a record and deletes one, each after a preview and with a way back", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const { data: company } = await api.post("/v1/companies", { name: "US Navy" });
    const { page, faults } = await opened(scene, ada, "records/companies");
    const count = (text: string) => page.getByRole("heading", { name: text, exact: true });
    const create = async (name: string) => {
      await page.locator("summary").filter({ hasText: "New company" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(name);
      await page.keyboard.press("Enter");
    };
    await count("1 record").waitFor();
    await create("US Navy");
    await dialogOf(page).getByText("US Navy is there already.").waitFor();
    expect(await buttonOf(dialogOf(page), "Create").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Name" }).fill("Eckert-Mauchly");
    await page.keyboard.press("Enter");
    await dialogOf(page).getByText("company Eckert-Mauchly is created").waitFor();
    expect((await api.get("/v1/companies")).items).toHaveLength(1);
    await buttonOf(dialogOf(page), "Create").click();
    await page.getByRole("heading", { name: "Eckert-Mauchly", level: 1 }).waitFor();
    await notice(page).getByText("Eckert-Mauchly is created.").waitFor();
    await buttonOf(notice(page), "Undo").click();
    await buttonOf(dialogOf(page), "Undo").click();
    await dialogOf(page).getByText("were undone").waitFor();
    await page.keyboard.press("Escape");
    await count("1 record").waitFor();

    await api.post("/v1/notes", { content: "Has ships", visibility: "public", entity: { id: company.id } });
    await rowsOf(page, "Records").getByRole("link", { name: "US Navy" }).click();
    await buttonOf(page, "Delete").click();
    await dialogOf(page).getByText("2 changes would be made.").waitFor();
    await expect(dialogOf(page).getByRole("listitem").allInnerTexts()).resolves.toEqual(
      expect.arrayContaining(["company US Navy goes into the trash", "note Has ships goes into the trash"]),
    );
    await buttonOf(dialogOf(page), "Delete").click();
    await notice(page).getByText("US Navy is in the trash.").waitFor();
    await count("0 records").waitFor();
    await buttonOf(notice(page), "Undo").click();
    await buttonOf(dialogOf(page), "Undo").click();
    await dialogOf(page).getByText("were undone").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "US Navy", level: 1 }).waitFor();
    expect([(await api.get(`/v1/companies/${company.id}`)).status, faults]).toEqual([200, []]);
  });

  it("overwrites nothing that others have changed meanwhile, and loads the record again", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const { data } = await api.post("/v1/people", { fullName: "Grace Hopper", jobTitle: "Admiral" });
    const { page } = await opened(scene, ada, `people/${data.id}`);
    const edit = async () => {
      await buttonOf(page, "Preview").click();
      await dialogOf(page).getByText("would change").waitFor();
    };
    await buttonOf(page, "Edit Job title").click();
    await page.locator(".edit input").fill("Rear admiral");
    await edit();
    await api.patch(`/v1/people/${data.id}`, { jobTitle: "Commodore" });
    await buttonOf(dialogOf(page), "Save").click();
    await dialogOf(page).getByText("The record has changed since").waitFor();
    expect((await api.get(`/v1/people/${data.id}`)).data.jobTitle).toBe("Commodore");
    await buttonOf(dialogOf(page), "Load it again").click();
    await rowsOf(page, "History of Grace Hopper").filter({ hasText: "Commodore" }).waitFor();
    // The words of the user are still in the form.
    await edit();
    await dialogOf(page).getByText("Commodore → Rear admiral").waitFor();
    await buttonOf(dialogOf(page), "Save").click();
    await notice(page).getByText("is changed.").waitFor();
    expect((await api.get(`/v1/people/${data.id}`)).data.jobTitle).toBe("Rear admiral");
  });

  it("shows nothing that changes records to a user whose key can only read", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const { person } = await grace(workspace);
    const { page, faults } = await opened(scene, await workspace.key(ada, { access: "read" }), `people/${person.id}`);
    await rowsOf(page, "History of Grace Hopper").first().waitFor();
    expect(await buttonOf(page, /^(Edit|Delete)/).count()).toBe(0);
    await page.goto(`${scene.server.base}/console#board`);
    await page.getByRole("link", { name: "Compilers" }).waitFor();
    expect(await page.getByText("Move").count()).toBe(0);
    // The browser itself tells that the preview by which the console finds out was refused.
    expect(faults).toEqual([expect.stringContaining("403")]);
  });

  it("shows objects as a board with counts and sums, and moves them", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const { group, api, deal } = await grace(workspace);
    const list = `/v1/groups/${group.id}/Deals`;
    const records = Array.from({ length: 12 }, (_, i) => ({
      name: `Deal ${String(i).padStart(2, "0")}`,
      customFieldValues: { Stage: "Won, at last", Amount: String(i) },
    }));
    await api.post(`${list}/batch/create`, { records: [...records, { name: "Someday" }] });
    const { page, faults } = await opened(scene, ada, "board");
    const column = (name: string) => page.getByRole("region", { name, exact: true });
    const textOf = async (name: string) => (await column(name).innerText()).replaceAll(/\s+/g, " ");
    await page.getByRole("heading", { name: "14 records, Amount €48,066" }).waitFor();
    await expect(page.locator(".board h3").allInnerTexts()).resolves.toEqual([
      "Open",
      "Won, at last",
      "Lost",
      "Without Stage",
    ]);
    expect(await textOf("Open")).toContain("1 record, Amount €48,000 Compilers €48,000 Grace Hopper");
    expect(await textOf("Without Stage")).toContain("1 record Someday");
    expect(await column("Won, at last").getByRole("listitem").count()).toBe(10);
    await buttonOf(page, "More of Won, at last").click();
    await column("Won, at last").getByRole("link", { name: "Deal 11" }).waitFor();
    await page.getByLabel("Sort by").selectOption("name");
    await page.getByRole("combobox", { name: "Order", exact: true }).selectOption({ label: "descending" });
    await until("the last name is first", async () => (await textOf("Won, at last")).includes("€66 Deal 11"));

    const card = column("Open").getByRole("listitem").filter({ hasText: "Compilers" });
    await card.getByText("Move").press("Enter");
    await buttonOf(card, "Won, at last").press("Enter");
    await dialogOf(page).getByText("Stage (Sales): Open → Won, at last").waitFor();
    await buttonOf(dialogOf(page), "Move").click();
    await notice(page).getByText("Compilers is in Won, at last.").waitFor();
    await until("the sum", async () => (await textOf("Won, at last")).includes("13 records, Amount €48,066"));
    expect((await api.get(`${list}/${deal.id}`)).data).toMatchObject({ customFieldValues: { Stage: "Won, at last" } });
    await buttonOf(notice(page), "Undo").click();
    await buttonOf(dialogOf(page), "Undo").click();
    await dialogOf(page).getByText("were undone").waitFor();
    await page.keyboard.press("Escape");
    await column("Open").getByRole("link", { name: "Compilers" }).waitFor();
    await page.getByLabel("Sum of").selectOption({ label: "nothing" });
    await page.getByRole("heading", { name: "14 records", exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it("is as readable in the dark", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const { person } = await grace(workspace);
    const { page } = await scene.open("/console#records/people?sort=fullName", { width: 1280, colorScheme: "dark" });
    await page.getByLabel("API key").fill(ada.key);
    await page.getByLabel("API key").press("Enter");
    await rowsOf(page, "Records").first().waitFor();
    const found = [await violations(page)];
    await page.goto(`${scene.server.base}/console#people/${person.id}`);
    await rowsOf(page, "History of Grace Hopper").first().waitFor();
    await buttonOf(page, "Edit Remark").click();
    found.push(await violations(page));
    await page.goto(`${scene.server.base}/console#board`);
    await page.getByRole("link", { name: "Compilers" }).waitFor();
    found.push(await violations(page));
    expect(found).toEqual([[], [], []]);
  });

  it.each(WIDTHS)(
    "fits its window, breaks no rule of axe, and is worked by keyboard alone: %i px wide",
    async (width) => {
      const workspace = await scene.workspace();
      const { ada } = workspace;
      const { api, person } = await grace(workspace);
      const name = `Long${"g".repeat(300)}`;
      await api.patch(`/v1/people/${person.id}`, {
        fullName: name,
        description: "w".repeat(400),
        urls: [`https://${"x".repeat(300)}`],
      });
      await api.post("/v1/notes", { content: "n".repeat(300), visibility: "public", entity: { id: person.id } });
      const { page, faults } = await opened(scene, ada, "", width);
      const look = async (part: string) => {
        await keepPicture(page, { name: `console-${part}-${width}` });
        const found = { overflow: await overflow(page), violations: await violations(page) };
        expect({ part, ...found }).toEqual({ part, overflow: 0, violations: [] });
      };
      await rowsOf(page, "Records").first().waitFor();
      await tabTo(page, "Columns");
      await page.keyboard.press("Enter");
      for (const box of await page.locator(".columns input").all()) await box.check();
      await look("columns");
      await tabTo(page, name.slice(0, 60));
      await page.keyboard.press("Enter");
      await page.getByText("n".repeat(300)).first().waitFor();
      await rowsOf(page, "History of").first().waitFor();
      await look("record");
      await tabTo(page, "Edit Interests");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Space");
      await look("edit");
      await tabTo(page, "Preview");
      await page.keyboard.press("Enter");
      await dialogOf(page).getByText("would change").waitFor();
      await look("edit-preview");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await notice(page).getByText("is changed.").waitFor();
      await rowsOf(page, "History of").first().waitFor();
      await look("edit-saved");
      await tabTo(page, "Undo");

      await page.goto(`${scene.server.base}/console#board`);
      await page.getByRole("link", { name: "Compilers" }).waitFor();
      await tabTo(page, "Move Compilers to …");
      await page.keyboard.press("Enter");
      await look("board");
      expect(faults).toEqual([]);
    },
  );
}
