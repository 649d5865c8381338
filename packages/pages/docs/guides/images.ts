import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { pack, versioned } from "../assets.ts";
import { escapeHtml } from "../html.ts";
import { assetReply, kept, type Page } from "../page-reply.ts";

const PATH = "/docs/guides/images/";

const TYPES: Record<string, string> = { ".svg": "image/svg+xml", ".png": "image/png" };

/** Path → picture of the guides in a folder. */
export function imagePages(folder: string): [path: string, page: Page][] {
  const images = join(folder, "images");
  if (!existsSync(images)) return [];
  const names = readdirSync(images).filter((name) => extname(name) in TYPES);
  return names.map((name) => [
    `${PATH}${name}`,
    kept(async () => assetReply(await pack(readFileSync(join(images, name)), TYPES[extname(name)] ?? ""))),
  ]);
}

/**
 * A picture of the guides in a folder as HTML, by its address on the server. It says its own size, so that the text
 * below does not jump when it comes. What is no picture of the guides is shown by its words: the pages load nothing
 * from elsewhere.
 */
export function picture(folder: string, address: string, words: string): string {
  const file = join(folder, "images", address.slice(PATH.length));
  if (!address.startsWith(PATH) || !existsSync(file)) return escapeHtml(words);
  const content = readFileSync(file);
  const isPhoto = file.endsWith(".png");
  const [width, height] = isPhoto ? sizeOfPng(content) : sizeOfSvg(content.toString());
  const kind = isPhoto ? "picture screenshot" : "picture";
  return `<img class="${kind}" src="${versioned(address, content)}" width="${width}" height="${height}" alt="${escapeHtml(words)}">`;
}

/** Width and height in pixels, which a PNG has behind its signature and the head of its first chunk. */
function sizeOfPng(content: Buffer): [width: number, height: number] {
  return [content.readUInt32BE(16), content.readUInt32BE(20)];
}

function sizeOfSvg(svg: string): [width: string, height: string] {
  const [, width = "", height = ""] = /<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  return [width, height];
}
