import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

// Of this package we use the ready-made bundle of Scalar that it brings along, and none of its code for Fastify. The
// bundle's own package, @scalar/api-reference, installs 272 packages with 287 MB; this one adds 20 to ours, and its whole
// tree has 27 MB. Stay with 1.60.0: in later versions (seen in 1.62.9 and 1.72.1) the bundle is no file of its own.
const SCALAR = join(
  dirname(createRequire(import.meta.url).resolve("@scalar/fastify-api-reference")),
  "js",
  "standalone.js",
);

// Of MiniSearch browsers get the bundle that needs no module loader; Node resolves the package to another one.
const MINISEARCH = join(dirname(createRequire(import.meta.url).resolve("minisearch")), "..", "umd", "index.js");

const FILES = {
  "scalar.js": { path: SCALAR, type: "text/javascript; charset=utf-8" },
  "no-eval.js": { path: join(import.meta.dirname, "no-eval.js"), type: "text/javascript; charset=utf-8" },
  "reference.js": { path: join(import.meta.dirname, "reference.js"), type: "text/javascript; charset=utf-8" },
  "reference-mends.js": {
    path: join(import.meta.dirname, "reference-mends.js"),
    type: "text/javascript; charset=utf-8",
  },
  "reference.css": { path: join(import.meta.dirname, "reference.css"), type: "text/css; charset=utf-8" },
  "minisearch.js": { path: MINISEARCH, type: "text/javascript; charset=utf-8" },
  "search.js": { path: join(import.meta.dirname, "guides", "search.js"), type: "text/javascript; charset=utf-8" },
  "guides.js": { path: join(import.meta.dirname, "guides", "guides.js"), type: "text/javascript; charset=utf-8" },
  "guides.css": { path: join(import.meta.dirname, "guides", "guides.css"), type: "text/css; charset=utf-8" },
  "code.css": { path: join(import.meta.dirname, "guides", "code.css"), type: "text/css; charset=utf-8" },
  "tables.css": { path: join(import.meta.dirname, "guides", "tables.css"), type: "text/css; charset=utf-8" },
  "search.css": { path: join(import.meta.dirname, "guides", "search.css"), type: "text/css; charset=utf-8" },
  "top.css": { path: join(import.meta.dirname, "top.css"), type: "text/css; charset=utf-8" },
  "page.css": { path: join(import.meta.dirname, "page.css"), type: "text/css; charset=utf-8" },
  "errors.css": { path: join(import.meta.dirname, "errors.css"), type: "text/css; charset=utf-8" },
};

export type AssetName = keyof typeof FILES;

export const ASSET_NAMES = Object.keys(FILES) as AssetName[];

/** A file of the documentation, packed: 3.6 MB of script become 1.0 MB. */
export interface Asset {
  type: string;
  packed: Buffer;
}

const gzipped = promisify(gzip);
const packed = new Map<AssetName, Promise<Asset>>();
const links = new Map<AssetName, string>();

/** Reads and packs a file when it is first asked for, and keeps it: few servers are ever asked. */
export function assetOf(name: AssetName): Promise<Asset> {
  let asset = packed.get(name);
  if (!asset) {
    const { path, type } = FILES[name];
    asset = pack(readFileSync(path), type);
    packed.set(name, asset);
  }
  return asset;
}

/** Content as an asset. */
export async function pack(content: string | Buffer, type: string): Promise<Asset> {
  return { type, packed: await gzipped(content) };
}

/** The address of a file. */
export function linkTo(name: AssetName): string {
  let link = links.get(name);
  if (link === undefined) {
    link = versioned(`/docs/assets/${name}`, readFileSync(FILES[name].path));
    links.set(name, link);
  }
  return link;
}

/** An address that changes with the content behind it, so browsers may keep what they have for ever. */
export function versioned(path: string, content: string | Buffer): string {
  return `${path}?v=${createHash("sha256").update(content).digest("base64url").slice(0, 12)}`;
}
