import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { testFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** A document without fault, but that its only answer shows a text where its schema has a number. */
const BROKEN = {
  openapi: "3.1.1",
  info: {
    title: "Broken",
    version: "1",
    description: "A document with one fault.",
    contact: { name: "Nobody", url: "https://contact-workspace.invalid" },
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "https://contact-workspace.invalid" }],
  security: [{ apiKey: [] }],
  tags: [{ name: "Things", description: "All there is." }],
  paths: {
    "/things": {
      get: {
        operationId: "countThings",
        tags: ["Things"],
        summary: "Count things",
        description: "Says how many there are.",
        responses: {
          200: {
            description: "Their number.",
            content: { "application/json": { schema: { type: "number" }, example: "many" } },
          },
          401: { description: "No key." },
        },
      },
    },
  },
  components: { securitySchemes: { apiKey: { type: "http", scheme: "bearer" } } },
};

/** What `npm run check` runs, with another document. */
const LINTERS: [name: string, command: (file: string) => string[], rule: string][] = [
  [
    "Redocly",
    (file) => [join(ROOT, "node_modules", "@redocly", "cli", "bin", "cli.js"), "lint", file, "--config=redocly.yaml"],
    "no-invalid-media-type-examples",
  ],
  ["Spectral", (file) => [join(ROOT, "scripts", "spectral.ts"), file], "oas3-valid-media-example"],
];

let folder: ReturnType<typeof testFolder>;

beforeAll(() => {
  folder = testFolder();
});

afterAll(() => folder.remove());

it.each(LINTERS)("%s finds the one fault of a document", (_, command, rule) => {
  const lint = (document: unknown) => {
    const file = folder.write("document.json", JSON.stringify(document));
    const env = { ...process.env, REDOCLY_SUPPRESS_NOTIFICATIONS: "true" };
    const { status, stdout, stderr } = spawnSync(process.execPath, command(file), { cwd: ROOT, env, encoding: "utf8" });
    return { status, said: `${stdout}${stderr}` };
  };
  expect(lint(BROKEN)).toEqual({ status: 1, said: expect.stringContaining(rule) });
  const mended = JSON.parse(JSON.stringify(BROKEN).replace('"many"', "7"));
  expect(lint(mended)).toMatchObject({ status: 0 });
});
