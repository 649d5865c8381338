import { describe } from "@jest/globals";
import type { Program } from "../../lab/harness/apt.ts";

/** A group of tests that need a program; skipped, with the reason in its title, where there is none. */
export function describeWith(program: Program, title: string, tests: () => void): void {
  if ("path" in program) describe(title, tests);
  else describe.skip(`${title} (skipped: ${program.missing})`, tests);
}
