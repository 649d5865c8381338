import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "@jest/globals";

/** Of longer lines the beginning and a hash are written down. */
const LINE_CHARACTERS_MAX = 10_000;

/** Compares a text with what was written down under this name; with UPDATE_GOLDEN=1 it is written down. */
export function expectGolden(name: string, text: string): void {
  const path = join(import.meta.dirname, "answers", `${name}.txt`);
  const is = text.split("\n").map(shortened);
  if (process.env.UPDATE_GOLDEN === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, is.join("\n"));
    return;
  }
  const was = (existsSync(path) ? readFileSync(path, "utf8") : "").split("\n");
  const at = is.findIndex((line, i) => line !== was[i]);
  // Only the surroundings of the first difference: a whole file would be printed for minutes.
  const part = (lines: string[]) => (at < 0 ? [] : lines.slice(Math.max(0, at - 4), at + 12));
  expect({ name, line: at + 1, lines: part(is), count: is.length }).toEqual({
    name,
    line: at + 1,
    lines: part(was),
    count: was.length,
  });
}

function shortened(line: string): string {
  if (line.length <= LINE_CHARACTERS_MAX) return line;
  return `${line.slice(0, LINE_CHARACTERS_MAX / 2)}… ${createHash("sha256").update(line).digest("hex")}`;
}
