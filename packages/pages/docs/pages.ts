import { join } from "node:path";
import { apiDocument, workspaceFileSchema } from "./document.ts";
import { docsFiles } from "./files.ts";
import { machinePages } from "./for-machines.ts";
import { guideNames, readGuides } from "./guides/chapters.ts";
import { guidePages } from "./guides/pages.ts";
import { COMMON_POLICY, HTML, kept, type Page, pageReply } from "./page-reply.ts";
import { referencePage } from "./reference.ts";

/**
 * No request to another host: the browser itself refuses it, whatever the script of the reference has in mind. Its
 * styles are made at run time, hence 'unsafe-inline' for them; scripts come from here only.
 */
const REFERENCE_POLICY = [
  "default-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  ...COMMON_POLICY,
];

interface Documentation {
  /** Folder of the OpenAPI document, the JSON Schema of workspace files, and the guides. */
  docs: string;
  /** Address of the server, without a slash at its end. */
  publicUrl: string;
}

/** The pages of the documentation, by path. None needs a key. docs/guides/conventions.md#the-openapi-document */
export function docsPages({ docs, publicUrl }: Documentation): [path: string, page: Page][] {
  const folder = join(docs, "guides");
  const guides = kept(() => readGuides(folder));
  return [
    [
      "/v1/openapi.json",
      kept(() => pageReply(apiDocument(docs, publicUrl), "application/json; charset=utf-8", ["default-src 'none'"])),
    ],
    ["/docs", kept(() => pageReply(referencePage(apiDocument(docs, publicUrl)), HTML, REFERENCE_POLICY))],
    [
      "/docs/workspace-file.schema.json",
      kept(() =>
        pageReply(workspaceFileSchema(docs), "application/schema+json; charset=utf-8", ["default-src 'none'"]),
      ),
    ],
    ...guidePages(folder, guides, () => apiDocument(docs, publicUrl)),
    ...machinePages(folder, guideNames(folder), guides, publicUrl),
    ...docsFiles.pages(),
  ];
}
