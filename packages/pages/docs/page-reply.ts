import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gunzip, gzip } from "node:zlib";

/** Answer of a path of the documentation. */
export type Page = () => Promise<MadeReply> | MadeReply;

export const HTML = "text/html; charset=utf-8";

/** Prohibitions in the Content-Security-Policy of every page. */
export const COMMON_POLICY = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "object-src 'none'"];

/**
 * Quality of Brotli for pages, which are compressed once for all readers. One level more would take ten times as long
 * for a tenth less: docs/benchmarks.md#compression.
 */
const BROTLI_QUALITY = 9;

const [zip, unzip, brotli] = [promisify(gzip), promisify(gunzip), promisify(brotliCompress)];

/** Makes a page when it is first asked for, and answers the same to everybody after that. */
export function kept<Answer>(make: () => Answer): () => Answer {
  let made: Answer | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

interface Reply {
  status: number;
  body: string | Buffer;
  headers: Record<string, string | number>;
}

/** A reply that is made once and sent to everybody, as it is or compressed. */
export interface MadeReply extends Reply {
  forms?: Forms;
}

/** Coding of a body: as it is, or compressed. */
export type Coding = "identity" | "br" | "gzip";

/** The bytes of a reply in each coding, made when it is first asked for. */
interface Forms extends Record<Coding, () => Promise<Buffer>> {
  /** The coding for a client that says nothing of codings: it takes any (RFC 9110, 12.5.3). */
  unasked: Coding;
}

/**
 * The answer with a page, or with a document that is read like one. Its bytes are made once, compressed ones too: the
 * description of the API has most of a megabyte, and needs no key.
 */
export function pageReply(text: string, type: string, policy: string[]): MadeReply {
  const body = Buffer.from(text);
  return {
    status: 200,
    body,
    forms: {
      identity: async () => body,
      gzip: kept(() => zip(body)),
      br: kept(() => compressedWell(body)),
      unasked: "identity",
    },
    headers: {
      "Content-Type": type,
      ETag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`,
      Vary: "Accept-Encoding",
      // After an update of the server, readers must not see the old version.
      "Cache-Control": "no-cache",
      "Content-Security-Policy": policy.join("; "),
      "Referrer-Policy": "no-referrer",
    },
  };
}

/** A file of a page, compressed by gzip: 3.6 MB of script become 1.0 MB. */
export interface Asset {
  type: string;
  packed: Buffer;
}

/** The answer with a part of a page. It is kept compressed, because nearly every browser takes it so. */
export function assetReply({ type, packed }: Asset): MadeReply {
  const identity = kept(() => unzip(packed));
  return {
    status: 200,
    body: packed,
    forms: {
      identity,
      gzip: async () => packed,
      br: kept(async () => compressedWell(await unzip(packed))),
      unasked: "gzip",
    },
    headers: {
      "Content-Type": type,
      Vary: "Accept-Encoding",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  };
}

function compressedWell(body: Buffer): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return brotli(body, { params });
}

/**
 * Part of a reply that a client gets: nothing when it has it already (RFC 9110, 13.1.2), and the bytes in the coding
 * that it takes.
 * @param coding undefined for a client that says nothing of codings
 */
export async function replyFor(
  { headers: sent }: Pick<IncomingMessage, "headers">,
  { status, body, headers, forms }: MadeReply,
  coding: Coding | undefined,
): Promise<Reply> {
  const { ETag: etag } = headers;
  if (etag !== undefined && sent["if-none-match"]?.includes(String(etag))) return { status: 304, body: "", headers };
  if (!forms) return { status, body, headers };
  const taken = coding ?? forms.unasked;
  const coded = taken === "identity" ? headers : { ...headers, "Content-Encoding": taken };
  return { status, body: await forms[taken](), headers: coded };
}
