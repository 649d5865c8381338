import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

const GUIDES = join(import.meta.dirname, "..", "..", "docs", "guides");
const PICTURES = globSync("images/*.svg", { cwd: GUIDES });
const CHAPTERS = globSync("*.md", { cwd: GUIDES }).map((file) => readFileSync(join(GUIDES, file), "utf8"));

const SMALLEST_LETTER_PX = 12;
/** On a phone 360 px wide a picture has 328; drawn for 360 its letters lose a tenth. */
const WIDEST_PX = 360;

describe.each(PICTURES)("The picture %s", (file) => {
  const svg = readFileSync(join(GUIDES, file), "utf8");

  it("says in words what it shows", () => {
    expect(svg).toMatch(/<svg [^>]*role="img" aria-labelledby="title desc">/);
    expect(svg).toMatch(/<title id="title">[^<]{10,}<\/title>/);
    expect(svg).toMatch(/<desc id="desc">[^<]{80,}<\/desc>/);
  });

  it("is readable on a phone: narrow, and in letters that are large enough", () => {
    const [, width, height] = /<svg [^>]*viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
    expect(svg).toContain(`width="${width}" height="${height}" role=`);
    expect(Number(width)).toBeLessThanOrEqual(WIDEST_PX);
    const letters = [...svg.matchAll(/font(?:-size)?: (\d+)px/g)].map(([, px]) => Number(px));
    expect(letters.length).toBeGreaterThan(0);
    expect(Math.min(...letters)).toBeGreaterThanOrEqual(SMALLEST_LETTER_PX);
  });

  it("has other colours in the dark for everything that has one, and takes nothing from elsewhere", () => {
    const [, style = ""] = /<style>(.*)<\/style>/s.exec(svg) ?? [];
    const [light = "", dark = ""] = style.split("@media (prefers-color-scheme: dark)");
    const coloured = (rules: string) =>
      [...rules.matchAll(/^\s*([^{}\n]+?) \{[^}]*(?:fill|stroke): #/gm)]
        .flatMap(([, names = ""]) => names.split(", "))
        .sort();
    expect(coloured(dark)).toEqual(coloured(light));
    expect(svg).not.toMatch(/<script|<image|href|url\(|@import/);
  });

  it("is shown by a guide, with words for those who do not see it", () => {
    const words = CHAPTERS.flatMap((text) => [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)]).filter(
      ([, , target]) => target === file,
    );
    expect(words.length).toBeGreaterThan(0);
    for (const [, alternative = ""] of words) expect(alternative.length).toBeGreaterThan(40);
  });
});

describe("The pictures", () => {
  const chapter = (name: string) => readFileSync(join(GUIDES, `${name}.md`), "utf8");
  /** Words of a picture that stand at this place from the left. */
  const wordsAt = (name: string, x: number) => {
    const svg = readFileSync(join(GUIDES, "images", `${name}.svg`), "utf8");
    return [...svg.matchAll(new RegExp(`<text[^>]* x="${x}"[^>]*>([^<]*)<`, "g"))].map(([, words = ""]) => words);
  };
  const statuses = (text: string) => (text.match(/\b[1-5]\d\d\b/g) ?? []).toSorted();

  it("tell the order of checks as its table does", () => {
    const [, section = ""] = chapter("conventions").split("## Order of checks\n");
    const rows = section.match(/^\| \d+ \|.*\|$/gm) ?? [];
    const told = rows.map((row) => statuses(row.split("|").at(-2) ?? ""));
    expect(told.length).toBeGreaterThan(10);
    expect(wordsAt("order-of-checks", 257).map(statuses)).toEqual(told);
  });

  it("tell the waits between attempts as the text does", () => {
    const [, waits = ""] = /there is a wait, of (.*?), each up to/.exec(chapter("webhook-deliveries")) ?? [];
    expect(wordsAt("webhook-retries", 130).slice(1)).toEqual(waits.split(/, | and /));
  });
});
