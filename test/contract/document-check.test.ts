import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { checkAgainstDocument, readDocument } from "../support/document.ts";

const ID = "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70";
const GROUP = { id: `grp_${ID}`, name: "Sales", visibility: "public" };
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "x-request-id": ID,
  "x-api-version": "2025-06-09",
};
const LIMITS = {
  "x-ratelimit-limit": "600",
  "x-ratelimit-remaining": "599",
  "x-ratelimit-reset": "1772357400",
  "x-ratelimit-limit-burst": "20",
  "x-ratelimit-remaining-burst": "19",
  "x-ratelimit-reset-burst": "1772357400",
  "ratelimit-policy": '"default";q=600;w=60, "burst";q=20;w=2',
  ratelimit: '"default";r=599;t=60, "burst";r=19;t=2',
};
const DEPRECATED = { deprecation: "Thu, 13 Aug 2026 00:00:00 GMT", sunset: "Sat, 13 Feb 2027 00:00:00 GMT" };

/** An answer, and what of it differs from one to POST /v1/groups. */
interface Given {
  method?: string;
  path?: string;
  status?: number;
  headers?: IncomingHttpHeaders;
  body?: unknown;
}

function faults({ method = "POST", path = "/v1/groups", status = 200, headers = {}, body = { data: GROUP } }: Given) {
  const all = Object.fromEntries(Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== undefined));
  return checkAgainstDocument({ method, path, status, headers: all, text: "" }, body);
}

// Every answer that a test receives goes through this check, so that a gap in it would be one in all of them.
describe("The check of answers against the OpenAPI document", () => {
  it("finds no fault with what is described", () => {
    expect(faults({})).toEqual([]);
    expect(faults({ headers: LIMITS })).toEqual([]);
    expect(faults({ headers: { "idempotent-replayed": "true" } })).toEqual([]);
    const list = { data: { items: [], pagination: {} } };
    expect(faults({ method: "GET", path: "/v1/reminders?limit=5", headers: DEPRECATED, body: list })).toEqual([]);
    expect(faults({ method: "PUT", status: 405, headers: { allow: "GET, HEAD, POST" } })).toEqual([]);
    expect(faults({ method: "GET", path: "/v1/nothing", status: 404 })).toEqual([]);
  });

  const faulty: [what: string, given: Given, fault: string][] = [
    ["a status that the operation does not have", { status: 201 }, "createGroup has no answer 201"],
    ["a success where there is no operation", { path: "/v1/nothing" }, "no such operation"],
    ["a member that nobody described", { body: { data: { ...GROUP, color: "red" } } }, "unevaluated"],
    ["a member beside data", { body: { data: GROUP, took: 3 } }, "unevaluated"],
    ["a member that is missing", { body: { data: { id: GROUP.id, name: "Sales" } } }, "visibility"],
    ["a member of another form", { body: { data: { ...GROUP, visibility: "hidden" } } }, "allowed values"],
    ["a body that is null", { body: null }, "must be object"],
    ["another content type", { headers: { "content-type": "text/plain" } }, "no text/plain"],
    ["no content type", { headers: { "content-type": undefined } }, "no content"],
    ["no X-Request-Id", { headers: { "x-request-id": undefined } }, "X-Request-Id is missing"],
    ["another version", { headers: { "x-api-version": "1" } }, "X-API-Version 1"],
    ["a header that belongs to other answers", { headers: { "retry-after": "1" } }, "no header Retry-After"],
    ["a header of another form", { headers: { ...LIMITS, ratelimit: "599" } }, "RateLimit 599"],
    ["only some headers of limits", { headers: { ...LIMITS, ratelimit: undefined } }, "there are only"],
    ["the headers of a deprecated operation", { headers: DEPRECATED }, "deprecation has to be"],
    ["none of them", { method: "GET", path: "/v1/reminders", headers: {} }, "sunset has to be"],
    ["other methods in Allow", { method: "PUT", status: 405, headers: { allow: "GET, POST" } }, "Allow is GET, POST"],
    ["a 503 without Retry-After", { status: 503 }, "Retry-After is missing"],
  ];

  it("finds a member that nobody described in a record that is made of parts", () => {
    const path = "/v1/people/{personId}/merge";
    const { content } = readDocument().paths[path]?.post?.responses["200"] ?? {};
    const { data } = (content?.["application/json"]?.example ?? {}) as { data: object };
    expect(faults({ path, body: { data: { ...data, warnings: [] } } })).toEqual([]);
    expect(faults({ path, body: { data: { ...data, color: "red" } } })).toEqual([expect.stringContaining('"color"')]);
  });

  it.each(faulty)("finds %s", (_, given, fault) => {
    expect(faults(given)).toContainEqual(expect.stringContaining(fault));
  });
});
