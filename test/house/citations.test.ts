import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { anchorsOf } from "../docs/markdown-links.ts";

const ROOT = join(__dirname, "..", "..");
const KINDS = "{ts,mjs,cjs,js,css,sql,yaml}";
const SELF = "test/house/citations.test.ts";

/** Everything that has comments. */
const SOURCES = globSync([`**/*.${KINDS}`, `.*.${KINDS}`], {
  cwd: ROOT,
  exclude: (name) => ["node_modules", ".data", ".git", "coverage"].includes(name),
}).filter((file) => !file.startsWith("docs/") && file !== SELF);

/** `docs/guides/filters.md#like`. */
const CITATION = /(?<![\w/.-])(?<file>docs\/[\w/.-]+\.md)(?:#(?<anchor>[\p{L}\p{N}_-]+))?/gu;

/** References to documents that a reader of the repository does not have. */
const OUTSIDE = [
  /\bgaps \d/,
  /\bAPI document\b/,
  /(?<!guides\/)\brunning\.md/,
  /\bdesign\.md/,
  /(?<![\w/])notes\/\w/,
  /\(notes:/,
  /\btrap \d/,
  /\b(?:OP|ID|RL|WH|SE|DU)-\d\d\b/,
  /\brules? \d/,
];

/** Headings that released migrations cite and that have moved since: a released migration never changes. */
const MOVED = ["docs/guides/running.md#keys-and-users", "docs/guides/conventions.md#text"];

/** What is wrong with the citations in a text, a line each. */
function unresolved(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(({ 0: citation, groups: { file = "", anchor } = {} }) => {
    if (!existsSync(join(ROOT, file))) return [`${citation}: there is no ${file}`];
    if (anchor === undefined || anchorsOf(readFileSync(join(ROOT, file), "utf8")).has(anchor)) return [];
    return [`${citation}: ${file} has no such heading`];
  });
}

/** The lines of a text that refer to something outside of the repository. */
function outside(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) =>
    OUTSIDE.some((pattern) => pattern.test(line)) ? [`${index + 1}: ${line.trim()}`] : [],
  );
}

const perFile = (find: (text: string) => string[]) =>
  SOURCES.flatMap((file) => find(readFileSync(join(ROOT, file), "utf8")).map((found) => `${file}:${found}`));

describe("Citations in the sources", () => {
  it("lead to a file and a heading of the repository", () => {
    const faults = perFile((text) => unresolved(text).map((fault) => ` ${fault}`));
    const isReleased = (fault: string) =>
      fault.startsWith("database/migrations/") && MOVED.some((citation) => fault.includes(` ${citation}: `));
    expect(faults.filter((fault) => !isReleased(fault))).toEqual([]);
  });

  it("name nothing outside of the repository", () => {
    expect(perFile(outside)).toEqual([]);
  });

  it("are found wherever they stand", () => {
    expect(unresolved("// docs/torture.md, docs/decisions/0004-filters.md. (docs/architecture.md#data)")).toEqual([]);
    expect(unresolved("/** docs/nowhere.md#data */")).toEqual(["docs/nowhere.md#data: there is no docs/nowhere.md"]);
    expect(unresolved("`docs/architecture.md#nowhere`.")).toEqual([
      "docs/architecture.md#nowhere: docs/architecture.md has no such heading",
    ]);
  });

  it.each([
    "gaps 4, Batch",
    'API document, "Limits"',
    'running.md, "import"',
    "design.md",
    "notes/house.md",
    '(notes: decision "bus")',
    "(design, trap 1)",
    "OP-09",
    "(rule 10)",
    "rules 1, 5, 10",
  ])("outside of the repository are found: %s", (text) => {
    expect(outside(`code\n// ${text}`)).toEqual([`2: // ${text}`]);
  });

  it.each([
    "the OpenAPI document",
    "docs/guides/monitoring.md#logs",
    "/v1/notes/:id",
    "services/notes/notes.ts",
    "RFC-8259",
  ])("within it are let pass: %s", (text) => {
    expect(outside(`// ${text}`)).toEqual([]);
  });
});
