import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { ERRORS } from "../../base/contract/errors.ts";
import { routes } from "../../services/gateway/operation/routes.ts";
import { describeServer } from "../support/scene.ts";

const ANCHORS = [...new Set(Object.values(ERRORS).map(({ anchor }) => anchor))];

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

  it("gives the schema of workspace files without a key, as the repository has it", async () => {
    const { status, headers, text } = await fetched("/docs/workspace-file.schema.json");
    expect({ status, type: headers.get("content-type") }).toEqual({
      status: 200,
      type: "application/schema+json; charset=utf-8",
    });
    expect(text).toBe(readFileSync(join(process.cwd(), "docs", "workspace-file.schema.json"), "utf8"));
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
    for (const code of Object.keys(ERRORS)) expect(text).toContain(`>${code}</a></div>`);
  });
});
