import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import type { Reply } from "../response/reply.ts";
import type { Asset } from "./assets.ts";

/** What a path of the documentation answers. */
export type Page = () => Promise<MadeReply> | MadeReply;

export const HTML = "text/html; charset=utf-8";

/** What the Content-Security-Policy of every page forbids. */
export const COMMON_POLICY = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "object-src 'none'"];

/** Makes a page when it is first asked for, and answers the same to everybody after that. */
export function kept<Answer>(make: () => Answer): () => Answer {
  let made: Answer | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A reply that is made once and sent to everybody, as it is or packed. */
export interface MadeReply extends Reply {
  /** The body in gzip. */
  packed?: Buffer;
}

/**
 * The answer with a page, or with a document that is read like one. Its bytes are made once, packed ones too: the description of the
 * API has half a megabyte, and nobody needs a key to ask for it.
 */
export function pageReply(text: string, type: string, policy: string[]): MadeReply {
  const body = Buffer.from(text);
  return {
    status: 200,
    body,
    packed: gzipSync(body),
    headers: {
      "Content-Type": type,
      ETag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`,
      Vary: "Accept-Encoding",
      // After an update of the server nobody should read about the version before.
      "Cache-Control": "no-cache",
      "Content-Security-Policy": policy.join("; "),
      "Referrer-Policy": "no-referrer",
    },
  };
}

/** What a client gets of a reply: nothing when it has it already (RFC 9110, 13.1.2), and the packed bytes when it takes them. */
export function replyFor({ headers: sent }: Pick<IncomingMessage, "headers">, made: MadeReply): Reply {
  const { status, body, headers, packed } = made;
  const { ETag: etag } = headers;
  if (etag !== undefined && sent["if-none-match"]?.includes(String(etag))) return { status: 304, body: "", headers };
  if (packed && GZIP.test(sent["accept-encoding"]?.toString() ?? ""))
    return { status, body: packed, headers: { ...headers, "Content-Encoding": "gzip" } };
  return { status, body, headers };
}

/** `gzip`, unless its weight is 0. */
const GZIP = /(^|,)\s*gzip\s*(;\s*q=(1|0\.\d*[1-9])\S*\s*)?(,|$)/i;

/** The answer with a part of a page. Always packed: every browser takes it, and whoever says nothing takes anything (RFC 9110, 12.5.3). */
export function assetReply({ type, packed }: Asset): Reply {
  return {
    status: 200,
    body: packed,
    headers: {
      "Content-Type": type,
      "Content-Encoding": "gzip",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  };
}
