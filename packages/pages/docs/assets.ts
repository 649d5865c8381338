import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Asset, assetReply, kept, type Page } from "./page-reply.ts";

const SCRIPT = "text/javascript; charset=utf-8";
const STYLE = "text/css; charset=utf-8";

/** Content that a page loads besides itself, read at the first request. */
export interface AssetFile {
  type: string;
  read(): string | Buffer;
}

/** The files that pages have in common, by name. */
export interface Assets<Name extends string> {
  /** The address of a file. */
  linkTo(name: Name): string;
  /** Page of each address, without its version. */
  pages(): [path: string, page: Page][];
}

/** Files that are found at addresses below `path`. */
export function assetsAt<Name extends string>(path: string, files: Record<Name, AssetFile>): Assets<Name> {
  const links = new Map<Name, string>();
  return {
    linkTo(name) {
      const link = links.get(name) ?? versioned(`${path}/${name}`, files[name].read());
      links.set(name, link);
      return link;
    },
    pages: () =>
      Object.entries<AssetFile>(files).map(([name, { type, read }]) => [
        `${path}/${name}`,
        kept(async () => assetReply(await pack(read(), type))),
      ]),
  };
}

/** A script or a style sheet, by its place. */
export function onDisk(...path: string[]): AssetFile {
  const file = join(...path);
  return { type: file.endsWith(".css") ? STYLE : SCRIPT, read: () => readFileSync(file) };
}

/** A file of a package, by its path from the folder of the one that Node resolves. */
export function ofPackage(name: string, ...path: string[]): AssetFile {
  return onDisk(dirname(createRequire(import.meta.url).resolve(name)), ...path);
}

/** A script that is made. */
export function script(make: () => string): AssetFile {
  return { type: SCRIPT, read: make };
}

const gzipped = promisify(gzip);

/** Content as an asset. */
export async function pack(content: string | Buffer, type: string): Promise<Asset> {
  return { type, packed: await gzipped(content) };
}

/** An address that changes with the content behind it, so browsers may keep what they have for ever. */
export function versioned(path: string, content: string | Buffer): string {
  return `${path}?v=${createHash("sha256").update(content).digest("base64url").slice(0, 12)}`;
}
