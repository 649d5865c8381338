import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Rendered, render } from "./markdown.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "..", "docs", "guides");

/** Name of the file that lists the chapters. */
export const INDEX = "README";

/** A file of docs/guides: the index or a chapter. */
export interface Guide extends Rendered {
  /** `filters` of docs/guides/filters.md. */
  name: string;
  /** Where the gateway serves it. */
  path: string;
  title: string;
}

/** Names of all guides, in no particular order. None where somebody runs the server without the folder: its API works all the same. */
export function guideNames(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER).flatMap((file) => (file.endsWith(".md") ? [file.slice(0, -".md".length)] : []));
}

/** Where the gateway serves a guide. */
export function pathOf(name: string): string {
  return name === INDEX ? "/docs/guides" : `/docs/guides/${name}`;
}

/** Reads and renders all guides: the index, then the chapters in the order in which it links to them. */
export function readGuides(): Guide[] {
  const index = read(INDEX);
  const chapters = guideNames().flatMap((name) => (name === INDEX ? [] : [read(name)]));
  const linked = [...index.html.matchAll(/href="([^"#]+)/g)].map(([, path]) => path);
  const place = ({ path }: Guide) => (linked.includes(path) ? linked.indexOf(path) : linked.length);
  return [index, ...chapters.sort((a, b) => place(a) - place(b))];
}

function read(name: string): Guide {
  const rendered = render(readFileSync(join(FOLDER, `${name}.md`), "utf8"));
  return { ...rendered, name, path: pathOf(name), title: rendered.sections[0]?.heading ?? name };
}
