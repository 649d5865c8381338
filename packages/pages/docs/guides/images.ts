import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pack, versioned } from "../assets.ts";
import { escapeHtml } from "../html.ts";
import { assetReply, kept, type Page } from "../page-reply.ts";

const PATH = "/docs/guides/images/";

/** Path → picture of the guides in a folder. */
export function imagePages(folder: string): [path: string, page: Page][] {
  const images = join(folder, "images");
  if (!existsSync(images)) return [];
  const names = readdirSync(images).filter((name) => name.endsWith(".svg"));
  return names.map((name) => [
    `${PATH}${name}`,
    kept(async () => assetReply(await pack(readFileSync(join(images, name)), "image/svg+xml"))),
  ]);
}

/**
 * A picture of the guides in a folder as HTML, by its address on the server. It says its own size, so that the text below does not jump when it comes.
 * What is no picture of the guides is shown by its words: the pages load nothing from elsewhere.
 */
export function picture(folder: string, address: string, words: string): string {
  const file = join(folder, "images", address.slice(PATH.length));
  if (!address.startsWith(PATH) || !existsSync(file)) return escapeHtml(words);
  const svg = readFileSync(file, "utf8");
  const [, width = "", height = ""] = /<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  return `<img class="picture" src="${versioned(address, svg)}" width="${width}" height="${height}" alt="${escapeHtml(words)}">`;
}
