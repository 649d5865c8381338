import { createHash } from "node:crypto";
import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { rowOfTexts } from "../../engine/records/select.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { recordPages } from "../export/record-pages.ts";
import { ARCHIVE_FORMAT, ARCHIVE_KIND, archivedColumns, archivedMembers, PARTS, type Part } from "./archived-tables.ts";

/** The workspace itself, in the first line of its archive. */
export interface ArchivedWorkspace {
  id: Uuid;
  slug: string;
  name: string;
  createdAt: string;
}

/** The first line of an archive. */
export interface ArchiveHead {
  format: number;
  kind: string;
  madeAt: string;
  workspace: ArchivedWorkspace;
  /** The workspace file, for readers: an import makes everything of the lines behind it. */
  file: unknown;
}

/**
 * The last line: how many lines of each part there are, and the SHA-256 of all lines before it with their line breaks.
 */
export interface ArchiveEnd {
  end: { counts: Record<string, number>; sha256: string };
}

const ROWS = 1000;

/**
 * The text of an archive, some lines at a time: a head, a line for each thing, and an end by which one that was cut
 * short is noticed. Read it in one transaction that sees one moment. docs/guides/export.md#the-archive
 */
export async function* archiveText(
  query: Query,
  workspace: ArchivedWorkspace,
  { file, madeAt }: { file: unknown; madeAt: string },
): AsyncGenerator<string> {
  const sha256 = createHash("sha256");
  const counts: Record<string, number> = {};
  const head: ArchiveHead = { format: ARCHIVE_FORMAT, kind: ARCHIVE_KIND, madeAt, workspace, file };
  const hashed = (text: string): string => {
    sha256.update(text);
    return text;
  };
  yield hashed(`${JSON.stringify(head)}\n`);
  for (const part of PARTS) {
    let count = 0;
    const lines = part.records ? recordLines(query, workspace.id, part.records) : tableLines(query, workspace.id, part);
    for await (const rows of lines) {
      count += rows.length;
      yield hashed(rows.map((row) => `{"${part.name}":${row}}\n`).join(""));
    }
    counts[part.name] = count;
  }
  const end: ArchiveEnd = { end: { counts, sha256: sha256.digest("hex") } };
  yield `${JSON.stringify(end)}\n`;
}

async function* recordLines(query: Query, workspaceId: Uuid, resource: RecordType): AsyncGenerator<string[]> {
  const members = archivedMembers(resource);
  for await (const page of recordPages(query, { workspaceId, resource }))
    yield page.map((texts) => {
      const row = rowOfTexts(resource, texts);
      return JSON.stringify(Object.fromEntries(members.map((name) => [name, row[name]])));
    });
}

/** The rows as JSON made by PostgreSQL, in which numbers keep all digits. */
async function* tableLines(query: Query, workspaceId: Uuid, part: Part): AsyncGenerator<string[]> {
  const { table, key, where = "true" } = part;
  const columns = (await archivedColumns(query, part)).map(({ name }) => `t."${name}"`).join(", ");
  const select = `select row_to_json(r) from ${table} t cross join lateral (select ${columns}) r
    where t.workspace_id = $1 and ${where} order by t.workspace_id, ${key.map((column) => `t.${column}`).join(", ")}`;
  for await (const rows of pagesOf<TextRow>(query, select, [workspaceId], { rows: ROWS, form: "texts" }))
    yield rows.map(([text]) => text ?? "null");
}
