import type { Group } from "../catalog/catalog.ts";
import { custom, type Issue } from "../contract/issues.ts";
import { issuesOf } from "../contract/validate.ts";
import type { Sent } from "../fields/field.ts";
import type { RecordType } from "../resources/record-type.ts";
import type { Scope } from "../resources/scope.ts";
import type { Draft, Plan, Writing, Written } from "./draft.ts";
import { companiesByKey } from "./found.ts";
import { companyKeysIn, matchesOf, type NamingFields, type Recognition, united } from "./import.ts";
import { entryOf, type ImportEntry, type ImportRow, leaveOut, sentOf, tooLong } from "./import-entry.ts";
import { resolveNames } from "./import-names.ts";
import type { Link, RecordRow } from "./select.ts";
import { lockRows, writeDrafts } from "./write.ts";

/**
 * What became of a row, with what was left out of it: the row is written without. The place of an issue is that in the row, a field
 * and the place in its list, or `customFieldValues` and the name of a field.
 */
export type ImportResult = ({ outcome: "created" | "updated" | "unchanged" } | { refused: Issue }) & {
  without: Issue[];
  /** Of a record that was there: the fields by which later rows find it, besides what its row says. */
  names?: NamingFields;
  /** Line of an earlier row that is about the same record. */
  repeats?: number;
};

/** Into what rows are imported, and how their records are found. */
export interface Importing {
  resource: RecordType;
  scope: Scope;
  group: Group;
  recognition: Recognition;
  match: "email" | "name";
  create: boolean;
}

/**
 * Writes rows of a file, each of which matches a record or makes one, and gives for each what became of it, in their order. A row that
 * matches a record changes it: lists are united, and every other field that the row has is replaced. What cannot be taken is left out
 * of its row; a row is refused when nothing names its record, or when it cannot be written at all. docs/guides/import.md#matching
 */
export async function importRows(writing: Writing, importing: Importing, rows: ImportRow[]): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  const refuse = (entry: ImportEntry, issue: Issue) => {
    results[entry.index] = { refused: issue, without: [] };
  };
  const entries = rows.map(entryOf);
  await resolveNames(writing, importing.resource, importing, entries);
  let left = entries.filter((entry) => {
    const issue = judgeAlone(writing, importing, entry);
    if (issue) refuse(entry, issue);
    return !issue;
  });
  while (left.length > 0) {
    const { wave, later } = await nextWave(writing, importing, left);
    const drafts = wave.map(({ draft }) => draft);
    const verdicts = await writeDrafts(writing, importing.resource, drafts);
    const again = wave.filter(({ entry, draft }, i) => {
      const verdict = verdicts[i];
      if (verdict && "plan" in verdict) {
        results[entry.index] = resultOf(importing, entry, verdict);
        return false;
      }
      const issue = lessen(writing, importing, entry, draft.sent, issuesIn(verdict));
      if (issue) refuse(entry, issue);
      return !issue;
    });
    left = [...again.map(({ entry }) => entry), ...later].sort((a, b) => a.index - b.index);
  }
  return results;
}

type Taken = Extract<Written, { plan: Plan }>;

function resultOf({ recognition }: Importing, { faults, repeats }: ImportEntry, { plan, row }: Taken): ImportResult {
  return {
    outcome: outcomeOf(plan),
    without: faults,
    ...(!plan.isNew && recognition.namesOf && { names: recognition.namesOf(row) }),
    ...(repeats !== undefined && { repeats }),
  };
}

/** Leaves out of a row what breaks the rules of fields, and finds its keys. Gives the issue that refuses the row. */
function judgeAlone(writing: Writing, importing: Importing, entry: ImportEntry): Issue | undefined {
  const sent = sentOf(entry, importing.scope, importing.group.id);
  return lessen(writing, importing, entry, sent, issuesOf(importing.resource.createBody, sent));
}

/** Leaves out of a row what issues are about. Gives the issue that refuses the row: then it is not tried again. */
function lessen(
  { caller }: Writing,
  { resource, scope, recognition, match }: Importing,
  entry: ImportEntry,
  sent: Sent,
  issues: Issue[],
): Issue | undefined {
  const refusal = leaveOut(entry, issues, scope, resource, sent);
  // A name that was left out is missing afterwards: what was wrong with it is what the row is refused for.
  if (refusal) return entry.faults[0] ?? refusal;
  entry.keys = recognition.keysOf(caller.workspaceId, entry.fields, { match, lost: entry.lost });
  if (entry.keys.length > 0) return undefined;
  // Such a row would make a new record each time the file is imported.
  return entry.faults[0] ?? custom([], "The row has no name to recognise it by");
}

/** A row that is about to be written. */
interface Next {
  entry: ImportEntry;
  draft: Draft;
}

/**
 * The next rows that can be written together. Rows about the same record are written one after the other, so that the later
 * one finds what the earlier one has left.
 */
async function nextWave(
  writing: Writing,
  importing: Importing,
  entries: ImportEntry[],
): Promise<{ wave: Next[]; later: ImportEntry[] }> {
  const { resource, scope } = importing;
  const keys = entries.map((entry) => entry.keys);
  const matches = await matchesOf(writing, resource, scope, keys);
  const rows = await lockRows(writing, resource, scope, [...new Set(matches.flatMap((uuid) => uuid ?? []))]);
  const companies = await companiesByKey(writing, [
    ...new Set(entries.flatMap(({ fields }, i) => (matches[i] ? companyKeysIn(resource, fields) : []))),
  ]);
  const taken = new Map<string, ImportEntry>();
  const wave: Next[] = [];
  const later: ImportEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    const match = matches[i];
    const current = (match && rows.get(match)) ?? null;
    // Two rows with different addresses may be about one person, so the id of the record counts as well.
    const earlier = take(taken, current ? [...entry.keys, current.uuid] : entry.keys, entry);
    if (earlier) {
      entry.repeats ??= earlier.line;
      later.push(entry);
    } else wave.push({ entry, draft: draftOf(importing, entry, current, companies) });
  }
  return { wave, later };
}

/** Takes names for a row. Gives the earlier row that has one of them already. */
function take(taken: Map<string, ImportEntry>, names: string[], entry: ImportEntry): ImportEntry | undefined {
  const earlier = names.map((name) => taken.get(name)).find((other) => other !== undefined);
  for (const name of names) if (!taken.has(name)) taken.set(name, entry);
  return earlier;
}

function draftOf(
  { resource, scope, group }: Importing,
  entry: ImportEntry,
  current: RecordRow | null,
  companies: Map<string, Link>,
): Draft {
  const sentNow = () => {
    const own = sentOf(entry, scope, group.id);
    return current ? united(resource, own, current, companies) : own;
  };
  const whole = sentNow();
  const over = current ? tooLong(resource, entry.fields, whole) : [];
  leaveOut(entry, over, scope, resource, whole);
  const keeps = entry.repeats === undefined ? {} : { keeps: `The ${resource.kind} of line ${entry.repeats}` };
  const sent = over.length > 0 ? sentNow() : whole;
  return { at: [], sent, current, uuid: entry.uuid, scope, groups: "add", ...keeps };
}

function issuesIn(verdict: Written | undefined): Issue[] {
  const error = verdict && "error" in verdict ? verdict.error : undefined;
  const issues = error?.data.details?.issues ?? [];
  return issues.length > 0 ? issues : [custom([], error?.message ?? "Nothing was written.")];
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
