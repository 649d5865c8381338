import { ApiError, type ErrorCode, notFound, unprocessable } from "../../base/contract/errors.ts";
import type { Issue, Path } from "../../base/contract/issues.ts";
import { issuesOf } from "../../base/contract/validate.ts";
import { mapInSlices } from "../../base/loop/in-slices.ts";
import { byId, toId, type Uuid, uuidsOf } from "../../base/values/ids.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { type Draft, partKey, placeOf, type Warning, type WriteContext, type Written } from "./draft.ts";
import { deleteRecords } from "./remove.ts";
import type { RecordRow } from "./select.ts";
import { lockRows, writeDrafts } from "./write.ts";

/** Result of one record of a batch. Records of one key share the row. */
export type Outcome =
  | { row: RecordRow; operation: "created" | "updated"; removedGroups: Uuid[]; warnings: Warning[] }
  | { error: ApiError };

/** A record of a batch: its draft, which becomes one with the drafts of the same key, or why it has none. */
export type Entry = { key: string; draft: Draft } | { error: ApiError };

/** The place of a record of a batch in the request. */
export const recordAt = (index: number): Path => ["records", index];

/**
 * Makes records; each succeeds or fails on its own. Outcomes are in the order of the records.
 * docs/guides/batches.md#create
 */
export function batchCreate(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  records: RequestBody[],
): Promise<Outcome[]> {
  const entries = records.map((sent, i): Entry => {
    const draft: Draft = { at: recordAt(i), sent, current: null, scope, groups: "replace", unseenGroups: "warn" };
    return { key: String(i), draft };
  });
  return writeEntries(writing, resource, entries);
}

/**
 * Updates records by their ids; several records for one id become one update. Outcomes have the order of the records.
 * docs/guides/batches.md#update
 */
export async function batchUpdate(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  records: ({ id: string } & RequestBody)[],
): Promise<Outcome[]> {
  const rows = await lockRows(
    writing,
    resource,
    scope,
    uuidsOf(
      resource.kind,
      records.map(({ id }) => id),
    ),
  );
  const entries = records.map(({ id, ...sent }, i): Entry => {
    const current = byId(rows, resource.kind, id);
    if (!current) return { error: notFound(resource.title.toLowerCase(), id) };
    return {
      key: current.uuid,
      draft: { at: recordAt(i), sent, current, scope, groups: "replace", unseenGroups: "warn" },
    };
  });
  return writeEntries(writing, resource, entries);
}

/**
 * Deletes records by their ids; a repeated id succeeds twice. Returns the id of the deleted record, or an error, for
 * each in the order of the request. docs/guides/batches.md#delete
 */
export async function batchDelete(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  records: { id: string }[],
): Promise<({ id: string } | { error: ApiError })[]> {
  const deleted = await deleteRecords(
    writing,
    resource,
    scope,
    uuidsOf(
      resource.kind,
      records.map(({ id }) => id),
    ),
  );
  return records.map(({ id }) => {
    const uuid = byId(deleted, resource.kind, id);
    return uuid ? { id: toId(resource.kind, uuid) } : { error: notFound(resource.title.toLowerCase(), id) };
  });
}

/**
 * Writes the entries of a batch. Those of one key become one draft in the order of the request, are judged as a whole
 * and share its outcome. Outcomes are in the order of the entries. docs/guides/batches.md#several-records-for-one-id
 */
export async function writeEntries(writing: WriteContext, resource: RecordType, entries: Entry[]): Promise<Outcome[]> {
  const drafts = new Map<string, Draft>();
  for (const entry of entries) {
    if (!("draft" in entry)) continue;
    const before = drafts.get(entry.key);
    drafts.set(entry.key, before ? mergeDrafts(before, entry.draft) : entry.draft);
  }
  const outcomes = new Map<string, Written>();
  await mapInSlices(drafts, ([key, draft]) => {
    const issues = schemaIssues(resource, draft);
    if (issues.length > 0) outcomes.set(key, { error: unprocessable(issues) });
  });
  const sound = [...drafts].filter(([key]) => !outcomes.has(key));
  const written = await writeDrafts(
    writing,
    resource,
    sound.map(([, draft]) => draft),
  );
  for (const [i, outcome] of written.entries()) outcomes.set(sound[i]?.[0] ?? "", outcome);
  return report(entries, outcomes);
}

/**
 * Issues of a draft by the schema of the single operation. The schema of the batch lets records pass that fail alone,
 * among them text that is no valid Unicode. docs/guides/batches.md#what-fails-one-record
 */
function schemaIssues(resource: RecordType, draft: Draft): Issue[] {
  const schema = draft.current ? resource.updateBody : resource.createBody;
  return issuesOf(schema, withGroupsOnce(draft.sent)).map((issue) => ({
    ...issue,
    path: placeOf(draft, ...issue.path),
  }));
}

/**
 * A group that several records of one draft name counts once against the limit of groups. The groups themselves were
 * judged with the request, so no issue tells of a place in this shorter list. docs/guides/values.md#lists-in-bodies
 */
function withGroupsOnce(sent: RequestBody): RequestBody {
  if (!Array.isArray(sent.groups)) return sent;
  const groups = new Map(sent.groups.map((group: { id: string }) => [group.id, group]));
  return { ...sent, groups: [...groups.values()] };
}

function report(entries: Entry[], outcomes: Map<string, Written>): Outcome[] {
  const seen = new Set<string>();
  return entries.map((entry) => {
    if ("error" in entry) return entry;
    const written = outcomes.get(entry.key);
    if (!written || "error" in written)
      return { error: written?.error ?? new ApiError("INTERNAL_SERVER_ERROR", "Nothing was written.") };
    const { isNew, removedGroups, warnings } = written.plan;
    const operation = isNew && !seen.has(entry.key) ? "created" : "updated";
    seen.add(entry.key);
    return { row: written.row, operation, removedGroups, warnings };
  });
}

/** The code that an error has in the entry of a batch. docs/guides/errors.md#codes */
export function batchCode(type: ErrorCode): ErrorCode {
  return type === "RESOURCE_NOT_FOUND" ? "NOT_FOUND" : type;
}

/**
 * The draft that two drafts about the same record make together, in the order of the request. The last value of a field
 * wins, values of custom fields merge one by one, and groups that are only added unite.
 * docs/guides/batches.md#several-records-for-one-id, docs/guides/batches.md#create
 */
export function mergeDrafts(first: Draft, second: Draft): Draft {
  const sent: RequestBody = { ...first.sent, ...second.sent };
  if (isObject(first.sent.customFieldValues) && isObject(second.sent.customFieldValues)) {
    const depth = first.scope.homeGroup ? 1 : 2;
    sent.customFieldValues = mergeValues(first.sent.customFieldValues, second.sent.customFieldValues, depth);
  }
  if (first.groups === "add" && first.sent.groups && second.sent.groups) {
    sent.groups = [...(first.sent.groups as unknown[]), ...(second.sent.groups as unknown[])];
  }
  return { ...first, sent, origins: uniteOrigins(first, second) };
}

/**
 * Merges values by field name, or by group and then by field name. A name that is sent again is put last: where two
 * spellings name one field, the last counts.
 */
function mergeValues(first: RequestBody, second: RequestBody, depth: number): RequestBody {
  const merged = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) {
    const before = merged.get(name);
    merged.delete(name);
    merged.set(name, depth > 1 && isObject(before) && isObject(value) ? mergeValues(before, value, depth - 1) : value);
  }
  return Object.fromEntries(merged);
}

/** True for values that merge. Anything else replaces the values before it, and is refused later. */
function isObject(value: unknown): value is RequestBody {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// ---- where each part comes from

function uniteOrigins(first: Draft, second: Draft): Map<string, Path> {
  const origins = new Map(first.origins ?? placesOf(first));
  for (const [part, place] of second.origins ?? placesOf(second)) origins.set(part, place);
  if (first.groups === "add" && first.sent.groups && second.sent.groups) {
    const count = (first.sent.groups as unknown[]).length;
    for (let i = 0; i < count; i++) origins.set(partKey(["groups", i]), placeOf(first, "groups", i));
    for (const i of (second.sent.groups as unknown[]).keys())
      origins.set(partKey(["groups", count + i]), placeOf(second, "groups", i));
  }
  return origins;
}

/** Each field of a draft, and each value of a custom field in it, with its place in the request. */
function placesOf({ at, sent, scope }: Draft): [part: string, place: Path][] {
  const parts = Object.keys(sent).map((field): Path => [field]);
  parts.push(...valueParts(sent.customFieldValues, ["customFieldValues"], scope.homeGroup ? 1 : 2));
  return parts.map((part) => [partKey(part), [...at, ...part]]);
}

function valueParts(values: unknown, above: Path, depth: number): Path[] {
  if (depth === 0 || !isObject(values)) return [];
  return Object.entries(values).flatMap(([name, value]) => {
    const part = [...above, name];
    return [part, ...valueParts(value, part, depth - 1)];
  });
}
