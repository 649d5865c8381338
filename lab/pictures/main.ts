// Makes the pictures of the console in the README and the guides, from a server with the demo workspace: npm run
// pictures.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { findOrInstall } from "../harness/apt.ts";
import { ROOT, spawnServer } from "../harness/server-process.ts";

const FOLDER = join(ROOT, "docs", "guides", "images");
/** The address in the pictures, which is that of a reader's own server. */
const BASE = "http://localhost:3000";
const WINDOW = { width: 1280, height: 800 };

/** Name of a picture → what a person does in the console before it is taken. */
const PICTURES: Record<string, { view: string; act?(page: Page): Promise<void> }> = {
  "console-records": { view: "records", act: findCustomers },
  "console-record": { view: "records", act: previewJobTitle },
  "console-board": { view: "board" },
  "console-trash": { view: "trash", act: previewRestore },
  "console-webhooks": { view: "webhooks" },
  "console-events": { view: "events" },
  "console-requests": { view: "requests" },
};

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
const server = spawnServer("the pictures", { DATA_DIR: folder, PORT: "3000", PUBLIC_URL: BASE });
try {
  await server.ready;
  const key = /^API key: (\S+)$/m.exec(server.said())?.[1];
  if (key === undefined) throw new Error(`The start printed no key:\n${server.said()}`);
  await makeActivity(key);
  await takePictures(key);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A webhook with deliveries that fail, requests with errors, a person about whom something is known, and a deleted
 * person, so that no view is empty.
 */
async function makeActivity(key: string): Promise<void> {
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${BASE}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { data: { id: string; items: { id: string }[] } };
  };
  const subscribedEvents = [{ eventType: "person.created" }, { eventType: "person.updated" }];
  const webhook = { name: "Billing", targetUrl: "https://billing.example/contacts", subscribedEvents };
  await send("POST", "/v1/webhooks", webhook);
  for (const fullName of ["Mary Jackson", "Dorothy Vaughan"]) {
    const { data } = await send("POST", "/v1/people", {
      fullName,
      emails: [`${fullName.split(" ")[0]}@langley.example`],
    });
    await send("PATCH", `/v1/people/${data.id}`, { jobTitle: "Mathematician" });
  }
  await send("POST", "/v1/people", { birthday: "2025-02-30" });
  await makeContact(send);
  const { data } = await send("POST", "/v1/people", { fullName: "Annie Easley" });
  await send("POST", "/v1/notes", { content: "Wrote the code", visibility: "public", entity: { id: data.id } });
  await send("DELETE", `/v1/people/${data.id}`);
  for (let page = 0; page < 12; page += 1) await send("GET", "/v1/people?limit=5");
}

/** A note, a task and an interaction of the person whose page is shown. */
async function makeContact(
  send: (method: string, path: string, body?: object) => Promise<{ data: { items: { id: string }[] } }>,
): Promise<void> {
  const { data } = await send("GET", "/v1/people?filter[fullName][eq]=Grace%20Hopper");
  const entity = { id: data.items[0]?.id };
  const content = "Wants to see the compiler before she signs.";
  await send("POST", "/v1/notes", { content, visibility: "public", entity });
  await send("POST", "/v1/tasks", { title: "Send the offer", dueAt: "2031-01-31", entity });
  const meeting = { title: "Lunch", content: "Talked about licences.", activityType: "lunch", entity };
  await send("POST", "/v1/interactions", { ...meeting, dateTime: "2026-10-12T11:30:00Z" });
}

async function takePictures(key: string): Promise<void> {
  const program = findOrInstall("chromium", "chromium");
  if (!("path" in program)) throw new Error(program.missing);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: program.path, args });
  try {
    const page = await browser.newPage({ viewport: WINDOW, locale: "en-US", timezoneId: "UTC" });
    await page.goto(`${BASE}/console`);
    await page.getByLabel("API key").fill(key);
    await page.getByLabel("API key").press("Enter");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    for (const [name, { view, act }] of Object.entries(PICTURES)) {
      await page.goto(`${BASE}/console#${view}`);
      await page.getByText("Loading…").waitFor({ state: "detached" });
      await act?.(page);
      await page.locator("[role=row], .card").nth(1).waitFor();
      await page.screenshot({ path: join(FOLDER, `${name}.png`) });
      console.log(`docs/guides/images/${name}.png`);
    }
  } finally {
    await browser.close();
  }
}

async function findCustomers(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add a condition" }).click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByLabel("Field").selectOption({ label: "Status (Sales)" });
  await condition.getByLabel("Operator").selectOption("in");
  await condition.getByLabel("Value").selectOption("Customer");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByLabel("Sort by").selectOption({ label: "Met on (Sales)" });
  await page.locator("[aria-sort=ascending]").waitFor();
  await page.getByRole("heading", { name: /^[1-9]\d* records?$/ }).waitFor();
}

async function previewJobTitle(page: Page): Promise<void> {
  await page.goto(`${BASE}/console#records/people`);
  await page.getByRole("link", { name: "Grace Hopper" }).click();
  await page.getByRole("heading", { name: "History of Grace Hopper" }).waitFor();
  await page.getByText("Talked about licences.").waitFor();
  await page.getByRole("button", { name: "Edit Job title" }).click();
  await page.locator(".edit input").fill("Rear Admiral");
  await page.keyboard.press("Enter");
  await page.getByText("1 field of Grace Hopper would change.").waitFor();
}

async function previewRestore(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Restore Annie Easley" }).click();
  await page.getByText("2 changes would be made").waitFor();
}
