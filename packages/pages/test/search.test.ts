import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import MiniSearch from "minisearch";
import { readGuides } from "../docs/guides/chapters.ts";
import { createFinder } from "../docs/guides/find.js";
import { searchedSections } from "../docs/guides/sections.ts";
import { QUERIES } from "./queries.ts";

const DOCS = join(import.meta.dirname, "..", "..", "..", "docs");
const sections = searchedSections(readGuides(join(DOCS, "guides")), readFileSync(join(DOCS, "openapi.json"), "utf8"));
const find = createFinder(MiniSearch, sections);
const found = (words: string) => find(words).map(({ id }) => sections[id]?.href ?? "");

describe("The search", () => {
  it.each(QUERIES)("finds the right section first or second: %s", (words, wanted) => {
    expect(sections.map(({ href }) => href)).toEqual(expect.arrayContaining(wanted));
    expect(
      found(words)
        .slice(0, 2)
        .filter((href) => wanted.includes(href)),
    ).not.toEqual([]);
  });

  it("finds operations, and guides first where both have the words", () => {
    expect(found("list people")).toContain("/docs#tag/people/GET/v1/people");
    expect(found("merge")[0]).toMatch(/^\/docs\/guides\//);
  });

  it("finds sections with some of the words if none has all", () => {
    expect(find("cursor xyzzyplugh")[0]).toMatchObject({ hasAll: false });
    expect(find("cursor")[0]).toMatchObject({ hasAll: true });
    expect(find("xyzzyplugh")).toEqual([]);
  });

  it("takes a query of stop words alone as it is", () => {
    expect(found("all")).toContain("/docs/guides/filters#all");
  });
});
