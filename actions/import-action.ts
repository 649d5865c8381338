import { withFields } from "../lib/catalog/catalog.ts";
import { visibleGroup } from "../lib/catalog/roles.ts";
import { ApiError } from "../lib/contract/errors.ts";
import type { Issue, Path } from "../lib/contract/issues.ts";
import { closed, idSchema, nullable, oneOf, Type } from "../lib/contract/schema.ts";
import { issuesOf } from "../lib/contract/validate.ts";
import type { FieldData } from "../lib/custom-fields/definition.ts";
import { CUSTOM_FIELD_TYPES } from "../lib/custom-fields/type.ts";
import type { Sent } from "../lib/fields/field.ts";
import type { Draft, Plan, Verdict, Writing } from "../lib/records/draft.ts";
import { companiesByKey } from "../lib/records/found.ts";
import { companyKeysIn, type ImportKeys, matchesOf, united } from "../lib/records/import.ts";
import { lockRows, writeDrafts } from "../lib/records/write.ts";
import type { RecordType } from "../lib/resources/record-type.ts";
import { runOrTry } from "../lib/store/dry-run.ts";
import type { Store } from "../lib/store/store.ts";
import { type ActionContext, callerOf } from "./caller.ts";

/** A row of a file as a record: native fields, and the values of custom fields of the group, by the name of the field. */
export interface ImportRow {
  fields: Sent;
  values: Sent;
}

/**
 * What became of a row. A dry run also gives its `keys`, which are the addresses or names by which a later row of the file
 * would have found the record. docs/guides/import.md#matching
 */
export type ImportResult =
  | { outcome: "created" | "updated" | "unchanged"; keys?: string[] }
  | { refused: string; path: Path };

interface Params {
  groupId: string;
  match: "email" | "name";
  dryRun: boolean;
  rows: ImportRow[];
  /** What a dry run takes for the custom fields of the group. */
  fields?: FieldData[];
}

const ROWS_MAX = 1000;
const row = closed({ fields: Type.Object({}), values: Type.Object({}) });
const field = closed({
  uuid: Type.String(),
  name: Type.String(),
  type: oneOf(CUSTOM_FIELD_TYPES),
  config: nullable(Type.Object({})),
  options: Type.Array(closed({ uuid: Type.String(), label: Type.String(), color: Type.String() })),
});

/**
 * The action behind `import people` and `import companies`. It writes rows into a group, in one transaction, and gives for
 * each what became of it, in their order. A row that matches a record changes it: lists are united, and every other field
 * that the row has is replaced. docs/guides/import.md#matching
 */
export function importAction(resource: RecordType, store: Store, keys: ImportKeys) {
  return {
    params: closed({
      groupId: idSchema("group"),
      match: oneOf(["email", "name"]),
      dryRun: Type.Boolean(),
      rows: Type.Array(row, { maxItems: ROWS_MAX }),
      fields: Type.Optional(Type.Array(field)),
    }),
    handler: (ctx: ActionContext<Params>) =>
      runOrTry(
        ctx.params.dryRun,
        (work) => store.write(callerOf(ctx), work),
        (writing: Writing) => writeRows(withPretended(writing, resource, ctx.params), resource, keys, ctx.params),
      ),
  };
}

/** A dry run sees the fields that the import would have made. */
function withPretended(writing: Writing, { kind }: RecordType, { groupId, dryRun, fields }: Params): Writing {
  const group = visibleGroup(writing.catalog, writing.caller, groupId);
  if (!dryRun || !fields || !group) return writing;
  return { ...writing, catalog: withFields(writing.catalog, group, kind, fields) };
}

interface Entry {
  index: number;
  sent: Sent;
  keys: string[];
}

async function writeRows(
  writing: Writing,
  resource: RecordType,
  keysOf: ImportKeys,
  { groupId, match, rows, dryRun }: Params,
): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  let left: Entry[] = [];
  for (const [index, { fields, values }] of rows.entries()) {
    const sent = { ...fields, groups: [{ id: groupId }], customFieldValues: { [groupId]: values } };
    const [issue] = issuesOf(resource.createBody, sent);
    const keys = issue ? [] : keysOf(writing.caller.workspaceId, sent, match);
    if (issue) results[index] = refusal([issue]);
    // Such a row would make a new record each time the file is imported.
    else if (keys.length === 0) results[index] = { refused: "The row has no name to recognise it by", path: [] };
    else left.push({ index, sent, keys });
  }
  while (left.length > 0) {
    const { wave, later } = await nextWave(writing, resource, left);
    const verdicts = await writeDrafts(
      writing,
      resource,
      wave.map(({ draft }) => draft),
    );
    for (const [i, { entry }] of wave.entries())
      results[entry.index] = { ...resultOf(verdicts[i]), ...(dryRun && { keys: entry.keys }) };
    left = later;
  }
  return results;
}

/**
 * The next rows that can be written together. Rows about the same record are written one after the other, so that the later
 * one finds what the earlier one has left.
 */
async function nextWave(
  writing: Writing,
  resource: RecordType,
  entries: Entry[],
): Promise<{ wave: { entry: Entry; draft: Draft }[]; later: Entry[] }> {
  const scope = { entity: resource.kind, home: null };
  const matches = await matchesOf(
    writing,
    resource,
    entries.map(({ keys }) => keys),
  );
  const rows = await lockRows(writing, resource, scope, [...new Set(matches.flatMap((uuid) => uuid ?? []))]);
  const companies = await companiesByKey(writing, [
    ...new Set(entries.flatMap(({ sent }, i) => (matches[i] ? companyKeysIn(resource, sent) : []))),
  ]);
  const taken = new Set<string>();
  const wave: { entry: Entry; draft: Draft }[] = [];
  const later: Entry[] = [];
  for (const [i, entry] of entries.entries()) {
    const match = matches[i];
    const current = (match && rows.get(match)) ?? null;
    // Two rows with different addresses may be about one person, so the id of the record counts as well.
    const names = current ? [...entry.keys, current.uuid] : entry.keys;
    const sent = current ? united(resource, entry.sent, current, companies) : entry.sent;
    if (names.some((name) => taken.has(name))) later.push(entry);
    else wave.push({ entry, draft: { at: [], sent, current, scope, groups: "add" } });
    for (const name of names) taken.add(name);
  }
  return { wave, later };
}

function resultOf(verdict: Verdict | undefined): ImportResult {
  if (verdict && "plan" in verdict) return { outcome: outcomeOf(verdict.plan) };
  const { message, data } = verdict?.error ?? new ApiError("INTERNAL_SERVER_ERROR", "Nothing was written.");
  const issues = data.details?.issues ?? [];
  return issues.length > 0 ? refusal(issues) : { refused: message, path: [] };
}

function outcomeOf({
  isNew,
  columns,
  memberships,
  removedGroups,
  changedValues,
  links,
}: Plan): "created" | "updated" | "unchanged" {
  if (isNew) return "created";
  const isSame =
    columns === null && memberships === null && removedGroups.length + changedValues.length + links.size === 0;
  return isSame ? "unchanged" : "updated";
}

function refusal([first, ...more]: Issue[]): ImportResult {
  const rest = more.length > 0 ? ` (and ${more.length} more)` : "";
  return { refused: `${first?.message ?? "The row is not valid"}${rest}`, path: first?.path ?? [] };
}
