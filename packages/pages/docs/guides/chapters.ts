import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { INDEX, pathOf } from "./links.ts";
import { type Rendered, render } from "./markdown.ts";

/** A file of docs/guides: the index or a chapter. */
export interface Guide extends Rendered {
  /** `filters` of docs/guides/filters.md. */
  name: string;
  /** Address at which the gateway serves it. */
  path: string;
  title: string;
  /** The heading of the index under which it is listed; empty for the index itself. */
  part: string;
  /** Text beside its link in the index; empty for the index itself. */
  summary: string;
}

/**
 * Names of all guides in a folder, in no particular order. None where somebody runs the server without the folder: its
 * API works all the same.
 */
export function guideNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => (file.endsWith(".md") ? [file.slice(0, -".md".length)] : []));
}

/** Reads and renders all guides of a folder: the index, then the chapters in the order in which it links to them. */
export function readGuides(folder: string): Guide[] {
  const index = read(folder, INDEX);
  const parts = partsOf(index.html());
  const paths = [...parts.keys()];
  const chapters = guideNames(folder).flatMap((name) => (name === INDEX ? [] : [read(folder, name)]));
  const place = ({ path }: Guide) => (paths.includes(path) ? paths.indexOf(path) : paths.length);
  const listed = chapters.map((chapter) => ({ ...chapter, ...parts.get(chapter.path) }));
  return [index, ...listed.sort((a, b) => place(a) - place(b))];
}

function read(folder: string, name: string): Guide {
  const rendered = render(readFileSync(join(folder, `${name}.md`), "utf8"), folder);
  return { ...rendered, name, path: pathOf(name), title: rendered.sections[0]?.heading ?? name, part: "", summary: "" };
}

/**
 * Path of a chapter → its place in the index: the heading above the list that links to it, and the text beside the
 * link.
 */
function partsOf(html: string): Map<string, Pick<Guide, "part" | "summary">> {
  const [, ...parts] = html.split(/(?=<h2 )/);
  const links = parts.flatMap((part) => {
    const heading = /<h2 [^>]*>(.*?) <a/.exec(part)?.[1] ?? "";
    const items = [...part.matchAll(/<li>\s*(?:<p>)?<a href="([^"#]+)">[^<]*<\/a>(?:: )?(.*?)<\/(?:p|li)>/g)];
    return items.map(([, path = "", summary = ""]): [string, Pick<Guide, "part" | "summary">] => [
      path,
      { part: heading, summary: summary.replaceAll(/<[^>]+>/g, "") },
    ]);
  });
  return new Map(links);
}
