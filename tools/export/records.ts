import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import { rowOfTexts } from "../../engine/records/select.ts";
import { shownOfTexts } from "../../engine/records/shown-record.ts";
import { showRows } from "../../engine/records/shown-texts.ts";
import { inSnapshot } from "../installation/own-connection.ts";
import { type Admin, CommandError } from "../terminal/admin.ts";
import { exportColumns } from "./columns.ts";
import { csvHead, csvLines, type ExportFormat, JSON_FRAMES } from "./formats.ts";
import { cellNames, type LinksAs } from "./mentions.ts";
import { operatorView } from "./operator.ts";
import { type ExportScope, longestLists, recordPages } from "./record-pages.ts";
import { type WhatToExport, whatToExport } from "./scope.ts";
import { type OutputOptions, type Take, toOutput } from "./sink.ts";

export interface RecordsOptions extends OutputOptions {
  workspace: string;
  group?: string;
  format: ExportFormat;
  links: LinksAs;
  serverFields?: boolean;
  forSpreadsheets?: boolean;
}

/** Writes records to a file or to standard output, page by page: memory stays the same however many they are. Gives their number. */
export async function exportRecords(admin: Admin, what: string, options: RecordsOptions): Promise<number> {
  // It migrates the database, and knows which workspaces there are.
  const { id } = await admin.call<{ id: string }>("workspaces.get", { workspace: options.workspace });
  const workspaceId = uuidOf("workspace", id);
  if (workspaceId === null) throw new CommandError(`The workspace has no valid id: ${id}.`);
  return inSnapshot(admin.env, async (query) => {
    const found = await whatToExport(query, workspaceId, { what, group: options.group });
    const scope = scopeOf(workspaceId, found);
    const write = options.format === "csv" ? writeCsv : writeJson;
    return toOutput(admin, options, (take) => write(query, take, { ...options, ...found, scope }));
  });
}

type Work = Omit<RecordsOptions, "group"> & WhatToExport & { scope: ExportScope };

function scopeOf(workspaceId: Uuid, { resource, entity, group }: WhatToExport): ExportScope {
  if (resource.kind === "object") return { workspaceId, resource, objectTypeId: entity as Uuid };
  return { workspaceId, resource, groupId: group?.uuid };
}

async function writeCsv(query: Query, take: Take, work: Work): Promise<number> {
  const { catalog, resource, entity, groups, scope, links } = work;
  const form = { forSpreadsheets: work.forSpreadsheets ?? false };
  const columns = exportColumns({
    catalog,
    resource,
    entity,
    groups,
    longest: await longestLists(query, scope),
    withServerFields: work.serverFields ?? false,
    isOfOneGroup: work.group !== undefined,
  });
  let count = 0;
  let goesOn = await take(
    csvHead(
      columns.map(({ heading }) => heading),
      form,
    ),
  );
  for await (const page of recordPages(query, scope)) {
    if (!goesOn) break;
    const rows = page.map((texts) => rowOfTexts(resource, texts));
    const names = await cellNames(query, catalog, resource, rows, links);
    goesOn = await take(
      csvLines(
        rows.map((row) => columns.map(({ cell }) => cell(row, names))),
        form,
      ),
    );
    count += rows.length;
  }
  return count;
}

async function writeJson(query: Query, take: Take, { resource, scope, format, catalog }: Work): Promise<number> {
  const frame = JSON_FRAMES[format === "ndjson" ? "ndjson" : "json"];
  const view = operatorView(catalog);
  let count = 0;
  let goesOn = true;
  for await (const rows of recordPages(query, scope)) {
    if (!goesOn) break;
    const texts = await showRows({ query, ...view }, resource, {
      rows,
      shownOf: (row) => shownOfTexts(resource, row),
      names: new Map(),
    });
    goesOn = await take((count === 0 ? frame.begin : frame.between) + texts.join(frame.between));
    count += texts.length;
  }
  if (goesOn) await take(count === 0 ? frame.empty : frame.end);
  return count;
}
