import { stringify } from "csv-stringify/sync";
import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { Query } from "../../database/query.ts";
import { rowOfTexts } from "../../engine/records/select.ts";
import { shownOfTexts } from "../../engine/records/shown-record.ts";
import { showRows } from "../../engine/records/shown-texts.ts";
import { type Definitions, type EntityKey, type Group, loadDefinitions } from "../../model/definitions/definitions.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { inSnapshot } from "../installation/own-connection.ts";
import { type Admin, CommandError } from "../terminal/admin.ts";
import { exportColumns } from "./columns.ts";
import { cellNames, type LinksAs } from "./mentions.ts";
import { operatorViewer } from "./operator.ts";
import { type ExportScope, longestLists, recordPages } from "./record-pages.ts";
import { type OutputOptions, type Take, toOutput } from "./sink.ts";

/** Scope of an export: the kind of records, and the groups whose custom fields it shows. */
interface WhatToExport {
  definitions: Definitions;
  resource: RecordType;
  entity: EntityKey;
  /** The one group that was asked for; undefined for the whole workspace. Objects are in the group of their type. */
  group: Group | undefined;
  groups: Group[];
}

const OF_WORKSPACE: Record<string, { resource: RecordType; entity: EntityKey }> = {
  people: { resource: people, entity: "person" },
  companies: { resource: companies, entity: "company" },
};

/**
 * Scope of an export, from the words of a command.
 * @throws CommandError that lists the possible names, for an unknown group or type, and for a type that several groups
 *   have
 */
async function whatToExport(
  query: Query,
  workspaceId: Uuid,
  { what, group: asked }: { what: string; group?: string | undefined },
): Promise<WhatToExport> {
  const definitions = await loadDefinitions(query, workspaceId);
  if (!definitions) throw new CommandError("The workspace was removed just now.");
  const all = [...definitions.groups.values()];
  const group = asked === undefined ? undefined : groupNamed(all, asked);
  const groups = group ? [group] : all;
  const known = OF_WORKSPACE[what];
  if (known) return { definitions, ...known, group, groups };
  const types = groups.flatMap((one) => one.objectTypes.map((type) => ({ ...type, group: one })));
  const found = types.filter(({ name }) => comparable(name) === comparable(what.trim()));
  const [type] = found;
  if (!type) throw unknownType(what, types, group);
  if (found.length > 1)
    throw new CommandError(
      `${found.length} groups have a type "${what}". Say with --group which: ${found.map((one) => nameOf(one.group, all)).join(", ")}.`,
    );
  return { definitions, resource: objects, entity: type.uuid, group: type.group, groups: [type.group] };
}

function unknownType(what: string, types: { name: string }[], group: Group | undefined): CommandError {
  const names = [...new Set(types.map(({ name }) => name))];
  const where = group ? `the group "${group.name}"` : "the workspace";
  const there = [...Object.keys(OF_WORKSPACE), ...names].join(", ");
  return new CommandError(`There is no type "${what}" in ${where}. There are: ${there}.`);
}

function groupNamed(groups: Group[], asked: string): Group {
  const uuid = uuidOf("group", asked);
  const found = groups.filter((one) => one.uuid === uuid || comparable(one.name) === comparable(asked.trim()));
  const [group] = found;
  if (group && found.length === 1) return group;
  const ids = found.map(({ id }) => id).join(", ");
  if (group) throw new CommandError(`${found.length} groups are named "${asked}". Give the id of one: ${ids}.`);
  const names = groups.map(({ name }) => `"${name}"`).join(", ");
  throw new CommandError(`There is no group "${asked}". ${names ? `There are: ${names}.` : "The workspace has none."}`);
}

/** The name of a group, or its id where another one has the name too. */
function nameOf(group: Group, all: Group[]): string {
  return all.some((one) => one !== group && one.name === group.name) ? group.id : `"${group.name}"`;
}

/** Formats of an export. docs/guides/export.md#formats */
type ExportFormat = "csv" | "json" | "ndjson";

/** With a byte order mark spreadsheets take a file for UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** The lines of a CSV file (RFC 4180). For spreadsheets, cells that look like formulas get an apostrophe. */
function csvLines(rows: string[][], { forSpreadsheets }: { forSpreadsheets: boolean }): string {
  return stringify(rows, {
    record_delimiter: "\r\n",
    // A line break that is not the one of the lines would else stand without quotes.
    quoted_match: /[\r\n]|^\s|\s$/,
    escape_formulas: forSpreadsheets,
  });
}

/** The line of headings, which begins the file. */
function csvHead(headings: string[], { forSpreadsheets }: { forSpreadsheets: boolean }): string {
  return (forSpreadsheets ? BYTE_ORDER_MARK : "") + csvLines([headings], { forSpreadsheets });
}

/** Texts around and between records that are JSON texts: a list with a record in each line, or the lines alone. */
const JSON_FRAMES = {
  json: { begin: "[\n", between: ",\n", end: "\n]\n", empty: "[]\n" },
  ndjson: { begin: "", between: "\n", end: "\n", empty: "" },
} as const;

export interface RecordsOptions extends OutputOptions {
  workspace: string;
  group?: string;
  format: ExportFormat;
  links: LinksAs;
  serverFields?: boolean;
  forSpreadsheets?: boolean;
}

/**
 * Writes records to a file or to standard output, page by page: memory stays the same however many they are. Gives
 * their number.
 */
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
  const { definitions, resource, entity, groups, scope, links } = work;
  const form = { forSpreadsheets: work.forSpreadsheets ?? false };
  const columns = exportColumns({
    definitions,
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
    const names = await cellNames(query, definitions, resource, rows, links);
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

async function writeJson(query: Query, take: Take, { resource, scope, format, definitions }: Work): Promise<number> {
  const frame = JSON_FRAMES[format === "ndjson" ? "ndjson" : "json"];
  const view = operatorViewer(definitions);
  let count = 0;
  let goesOn = true;
  for await (const rows of recordPages(query, scope)) {
    if (!goesOn) break;
    const texts = await showRows({ query, ...view }, resource, {
      rows,
      shownOf: shownOfTexts(resource),
      names: new Map(),
    });
    goesOn = await take((count === 0 ? frame.begin : frame.between) + texts.join(frame.between));
    count += texts.length;
  }
  if (goesOn) await take(count === 0 ? frame.empty : frame.end);
  return count;
}
