import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Browser } from "playwright-core";
import { ERRORS } from "../../lib/contract/errors.ts";
import { routes } from "../../services/gateway/operation/routes.ts";
import { launch, openPage, overflow } from "../support/browser.ts";
import { chromium } from "../support/chromium.ts";
import { describeServer } from "../support/scene.ts";

jest.setTimeout(120_000);

const ANCHORS = [...new Set(Object.values(ERRORS).map(({ anchor }) => anchor))];
const WIDTHS = [360, 1280];

describeServer("The documentation (docs/guides/conventions.md#the-openapi-document)", (scene) => {
  const fetched = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${scene.server.base}${path}`, { redirect: "manual", ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it("gives the OpenAPI document without a key, with PUBLIC_URL for its server and in its links", async () => {
    const { status, headers, text } = await fetched("/v1/openapi.json");
    expect({ status, type: headers.get("content-type") }).toEqual({
      status: 200,
      type: "application/json; charset=utf-8",
    });
    const document: { servers: unknown; paths: Record<string, object> } = JSON.parse(text);
    expect(document.servers).toEqual([{ url: scene.server.publicUrl }]);
    expect(text).toContain(`${scene.server.publicUrl}/docs/errors#not-found`);
    expect(text).not.toContain("contact-workspace.invalid");
    expect(Object.keys(document.paths).sort()).toEqual([...new Set(routes.map(({ path }) => path))].sort());
  });

  it("answers HEAD without a body, and other methods with 405", async () => {
    for (const path of ["/v1/openapi.json", "/docs", "/docs/errors", "/docs/guides", "/docs/assets/scalar.js"]) {
      const [get, head, post] = [
        await fetched(path),
        await fetched(path, { method: "HEAD" }),
        await fetched(path, { method: "POST" }),
      ];
      expect({ path, status: head.status, type: head.headers.get("content-type"), text: head.text }).toEqual({
        path,
        status: 200,
        type: get.headers.get("content-type"),
        text: "",
      });
      expect({ path, status: post.status, allow: post.headers.get("allow") }).toEqual({
        path,
        status: 405,
        allow: "GET, HEAD",
      });
    }
    expect((await fetched("/docs/assets/other.js")).status).toBe(404);
  });

  it("lets browsers keep the parts of a page for ever, under addresses that change with them", async () => {
    const { text } = await fetched("/docs");
    const links = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      expect(link).toMatch(/\?v=[\w-]{12}$/);
      expect((await fetched(link)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
  });

  it("forbids its pages every other host", async () => {
    for (const path of ["/docs", "/docs/errors", "/docs/guides", "/docs/guides/filters"]) {
      const policy = (await fetched(path)).headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src '(self|none)'; /);
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src/);
    }
  });

  it("explains every code of the table of errors where documentationUrl leads", async () => {
    const { text } = await fetched("/docs/errors");
    for (const anchor of ANCHORS) expect(text.split(`id="${anchor}"`)).toHaveLength(2);
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`<code>${code}</code>`);
  });

  const program = chromium();
  const describePages = "path" in program ? describe : describe.skip;

  describePages("path" in program ? "in a browser" : `in a browser (skipped: ${program.missing})`, () => {
    let browser: Browser;

    beforeAll(async () => {
      if ("path" in program) browser = await launch(program.path);
    });

    afterAll(() => browser?.close());

    it.each(WIDTHS)(
      "finds an operation, and sends a request from its console to the server that the page came from: %i px wide",
      async (width) => {
        const { ada } = await scene.workspace();
        const { page, faults } = await openPage(browser, scene.server.base, "/docs", { width });
        await page.getByRole("heading", { name: "Contact Workspace API" }).waitFor();
        expect(await overflow(page)).toBe(0);

        if (width < 1000) await page.getByRole("button", { name: "Open menu" }).first().click();
        await page.locator("button[role=search]:visible").first().click();
        await page.getByRole("combobox", { name: "Enter search query" }).fill("Create a person");
        await page.getByRole("option", { name: /Operation: Create a person/ }).click();
        await page.getByRole("button", { name: /post \/v1\/people\)$/ }).click();

        const console = page.getByRole("dialog", { name: "API Client" });
        await console.getByPlaceholder("Token").fill(ada.key);
        const answer = page.waitForResponse(
          (response) => response.url() === `${scene.server.base}/v1/people` && response.request().method() === "POST",
        );
        await console.getByRole("button", { name: /^Send/ }).first().click();
        expect(await (await answer).json()).toMatchObject({ data: { fullName: "Ada Lovelace", jobTitle: "Analyst" } });
        await console.getByText("200 OK").first().waitFor();
        expect(await overflow(page)).toBe(0);
        expect((await scene.api(ada).get("/v1/people")).items).toMatchObject([{ fullName: "Ada Lovelace" }]);
        expect(faults).toEqual([]);
        await page.context().close();
      },
    );

    it.each(WIDTHS)("opens the section of an error, light or dark: %i px wide", async (width) => {
      const colors: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, faults } = await openPage(browser, scene.server.base, "/docs/errors", { width, colorScheme });
        for (const anchor of ANCHORS) {
          await page.goto(`${scene.server.base}/docs/errors#${anchor}`);
          const [section, ...others] = await page.locator("section:target").all();
          expect({
            anchor,
            shown: await section?.isVisible(),
            title: await section?.getByRole("heading", { level: 2 }).count(),
            others,
          }).toEqual({ anchor, shown: true, title: 1, others: [] });
        }
        expect(await overflow(page)).toBe(0);
        expect(faults).toEqual([]);
        colors.push(
          await page.evaluate<string>(
            "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color",
          ),
        );
        await page.context().close();
      }
      expect(new Set(colors).size).toBe(2);
    });
  });
});
