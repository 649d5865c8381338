import type { Reply } from "../response/reply.ts";
import { ASSET_NAMES, type AssetName, assetOf } from "./assets.ts";
import { apiDocument } from "./document.ts";
import { errorsPage } from "./errors.ts";
import { referencePage } from "./reference.ts";

type Page = () => Promise<Reply> | Reply;

const HTML = "text/html; charset=utf-8";
const COMMON_POLICY = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "object-src 'none'"];

/**
 * No request to another host: the browser itself refuses it, whatever the script of the reference has in mind. Its styles
 * are made at run time, hence 'unsafe-inline' for them; scripts come from here only.
 */
const REFERENCE_POLICY = [
  "default-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  ...COMMON_POLICY,
];
const ERRORS_POLICY = ["default-src 'none'", "style-src 'self'", "img-src data:", ...COMMON_POLICY];

/** The pages of the documentation, by path. None needs a key. docs/guides/conventions.md#the-openapi-document */
export function docsPages(publicUrl: string): [path: string, page: Page][] {
  return [
    [
      "/v1/openapi.json",
      kept(() => reply(apiDocument(publicUrl), "application/json; charset=utf-8", ["default-src 'none'"])),
    ],
    ["/docs", kept(() => reply(referencePage(), HTML, REFERENCE_POLICY))],
    ["/docs/errors", kept(() => reply(errorsPage(publicUrl), HTML, ERRORS_POLICY))],
    ...ASSET_NAMES.map((name): [string, Page] => [`/docs/assets/${name}`, () => assetReply(name)]),
  ];
}

/** Made when first asked for, then the same for all. */
function kept(make: () => Reply): Page {
  let made: Reply | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function reply(body: string, type: string, policy: string[]): Reply {
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

/** Always packed: every browser takes it, and whoever says nothing takes anything (RFC 9110, 12.5.3). */
async function assetReply(name: AssetName): Promise<Reply> {
  const { type, packed } = await assetOf(name);
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
