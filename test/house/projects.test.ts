import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

const ROOT = join(import.meta.dirname, "..", "..");
const { LONG } = createRequire(import.meta.url)("../support/sequencer.cjs") as { LONG: readonly string[] };
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), "utf8"));

it("Every project of jest is run by npm test or by npm run test:all, which .ci/run calls", () => {
  const { test, "test:all": all } = read("package.json").scripts;
  const projects = read("jest.config.json").projects.map(({ displayName }: { displayName: string }) => displayName);
  const run = [test, all].flatMap((script: string) => {
    const [, names = ""] = /--selectProjects (.*?) --/.exec(script) ?? [];
    return [...names.matchAll(/"([^"]+)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  });
  expect(run).toEqual(projects);
  expect(readFileSync(join(ROOT, ".ci", "run"), "utf8")).toMatch(/\nnpm test\nnpm run test:all\n$/);
});

it("Every file that the sequencer calls long is there", () => {
  const files = globSync("{test,packages/*/test}/**/*.test.ts", { cwd: ROOT });
  expect(LONG.filter((name) => !files.some((file) => file.includes(name)))).toEqual([]);
});
