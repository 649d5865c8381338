import { describe, expect, it } from "@jest/globals";
import { withSection } from "../../../lab/bench/sections.ts";

const WRITTEN = "# Benchmarks\n\nFigures.\n\n## Compression\n\nSmall.\n";
const BY_HAND = "\n## By hand\n\nA note.\n\n### Import\n\nAnother.\n";
const section = (text: string): string => `## Against another commit\n\n${text}\n`;

describe("the file of figures", () => {
  it("gets the section before what is written by hand, or at its end", () => {
    expect(withSection(WRITTEN + BY_HAND, section("Old."))).toBe(`${WRITTEN}\n${section("Old.")}${BY_HAND}`);
    expect(withSection(WRITTEN, section("Old."))).toBe(`${WRITTEN}\n${section("Old.")}`);
  });

  it("has the section replaced, and everything else left", () => {
    for (const rest of [BY_HAND, ""]) {
      const before = withSection(WRITTEN + rest, section("Old."));
      expect(withSection(before, section("New.\n\n### Part\n\nMore."))).toBe(
        `${WRITTEN}\n${section("New.\n\n### Part\n\nMore.")}${rest}`,
      );
    }
  });

  it("keeps the section of another kind of run", () => {
    const beside = "## Beside PostgREST\n\nOther.\n";
    const both = withSection(withSection(WRITTEN + BY_HAND, section("Old.")), beside);
    expect(both).toBe(`${WRITTEN}\n${section("Old.")}\n${beside}${BY_HAND}`);
    expect(withSection(both, section("New."))).toBe(`${WRITTEN}\n${section("New.")}\n${beside}${BY_HAND}`);
  });
});
