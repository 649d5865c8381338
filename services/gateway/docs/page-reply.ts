import type { Reply } from "../response/reply.ts";
import type { Asset } from "./assets.ts";

/** What a path of the documentation answers. */
export type Page = () => Promise<Reply> | Reply;

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

/** The answer with a page, or with a document that is read like one. */
export function pageReply(body: string, type: string, policy: string[]): Reply {
  return {
    status: 200,
    body,
    headers: {
      "Content-Type": type,
      // After an update of the server nobody should read about the version before.
      "Cache-Control": "no-cache",
      "Content-Security-Policy": policy.join("; "),
      "Referrer-Policy": "no-referrer",
    },
  };
}

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
