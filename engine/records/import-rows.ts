import { custom, type Issue } from "../../base/contract/issues.ts";
import { issuesOf } from "../../base/contract/validate.ts";
import { mapInSlices } from "../../base/loop/in-slices.ts";
import { toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { Group } from "../../model/definitions/definitions.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { Draft, Plan, WriteContext, Written } from "./draft.ts";
import { companiesByKey, findNamed } from "./found.ts";
import { companyKeysIn, type NamingFields, type Recognition, united, withoutEqual } from "./import.ts";
import {
  type EntryKeys,
  entryOf,
  type ImportEntry,
  type ImportRow,
  leaveOut,
  sentOf,
  tooLong,
} from "./import-entry.ts";
import type { AreHeld, Match, Matching } from "./import-match.ts";
import { resolveNames } from "./import-names.ts";
import { judge } from "./judge.ts";
import { areTwo, type MatchedBy } from "./match-keys.ts";
import type { Link, RecordRow } from "./select.ts";
import { writeDrafts } from "./write.ts";

/**
 * Result of a row, with the values that were left out of it. The place of an issue is its place in the row: a field and
 * the position in its list, or `customFieldValues` and the name of a field.
 */
export type ImportResult = (({ outcome: "created" | "updated" | "unchanged" } & Found) | { refused: Issue }) & {
  without: Issue[];
  /** Fields of an existing record, besides those of its row, by which later rows find it. */
  names?: NamingFields;
  /** Line of an earlier row that is about the same record. */
  repeats?: number;
};

interface Found {
  record: string;
  /** Null for a record that was made. */
  by: MatchedBy | null;
  /** Whether it was made although another person has its name, and nothing else of the row. */
  nameOnly?: boolean;
}

/** Into what rows are imported, and how their records are found. */
export interface Importing extends Matching {
  group: Group;
  recognition: Recognition;
  create: boolean;
}

/**
 * Writes rows of a file, each of which matches a record or makes one, and gives for each what became of it, in their
 * order. A row that matches a record changes it: lists are united, and every other field that the row has is replaced.
 * A cell with an issue is left out of its row. A row is refused when no cell identifies its record, or when the record
 * cannot be written at all. docs/guides/import-matching.md#matching
 */
export async function importRows(
  writing: WriteContext,
  importing: Importing,
  rows: ImportRow[],
): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  const refuse = (entry: ImportEntry, issue: Issue) => {
    results[entry.index] = { refused: issue, without: [] };
  };
  // The statistics of a table that an import lets grow are old: the planner would walk through all of it, for each
  // look-up.
  await writing.query("select set_config('enable_seqscan', 'off', true)", []);
  const entries = rows.map(entryOf);
  const lines = linesOf(importing, rows);
  await resolveNames(writing, importing.resource, importing, entries);
  let left = entries.filter((entry) => {
    const issue = judgeAlone(importing, entry);
    if (issue) refuse(entry, issue);
    return !issue;
  });
  while (left.length > 0) {
    const { wave, later, refused } = await nextWave(writing, importing, left, lines);
    for (const { entry, issue } of refused) refuse(entry, issue);
    const drafts = wave.map(({ draft }) => draft);
    const verdicts = await writeDrafts(writing, importing.resource, drafts);
    const again = wave.filter((next, i) => {
      const { entry, draft } = next;
      const verdict = verdicts[i];
      if (verdict && "plan" in verdict) {
        results[entry.index] = resultOf(importing, next, verdict);
        lines.take(verdict.plan.uuid, entry.line);
        return false;
      }
      const issue = lessen(importing, entry, draft.sent, issuesIn(verdict));
      if (issue) refuse(entry, issue);
      return !issue;
    });
    left = [...again.map(({ entry }) => entry), ...later].sort((a, b) => a.index - b.index);
  }
  return results;
}

type Taken = Extract<Written, { plan: Plan }>;

function resultOf(
  { recognition, resource }: Importing,
  { entry: { faults, repeats }, match }: Next,
  { plan, row }: Taken,
): ImportResult {
  return {
    outcome: outcomeOf(plan),
    record: toId(resource.kind, plan.uuid),
    by: match.record ? match.by : null,
    ...(!match.record && match.nameOnly && { nameOnly: true }),
    without: faults,
    ...(!plan.isNew && recognition.namesOf && { names: recognition.namesOf(row) }),
    ...(repeats !== undefined && { repeats }),
  };
}

/** The first line about each record, for rows of this batch and of earlier ones. */
interface Lines {
  /** The line of the first other row about the record that a row has found. */
  earlier(entry: ImportEntry, uuid: Uuid): number | undefined;
  take(uuid: Uuid, line: number | undefined): void;
}

function linesOf({ resource }: Importing, rows: ImportRow[]): Lines {
  const first = new Map<Uuid, number>();
  const own = new Set(rows.map(({ line }) => line));
  const take = (uuid: Uuid | null, line: number | undefined) => {
    if (uuid && line !== undefined && !first.has(uuid)) first.set(uuid, line);
  };
  for (const { of = "", repeats } of rows) take(uuidOf(resource.kind, of), repeats);
  return {
    take,
    earlier(entry, uuid) {
      const line = first.get(uuid);
      if (line !== undefined && line !== entry.line) return line;
      return own.has(entry.hint) ? undefined : entry.hint;
    },
  };
}

/** Leaves out of a row what breaks the rules of fields, and finds its keys. Gives the issue that refuses the row. */
function judgeAlone(importing: Importing, entry: ImportEntry): Issue | undefined {
  const sent = sentOf(entry, importing.scope, importing.group.id);
  return lessen(importing, entry, sent, issuesOf(importing.resource.createBody, sent));
}

/** Removes the cells with issues from a row. Returns the issue that refuses the row, which is then not tried again. */
function lessen(
  { resource, scope, recognition, match }: Importing,
  entry: ImportEntry,
  sent: RequestBody,
  issues: Issue[],
): Issue | undefined {
  const refusal = leaveOut(entry, issues, scope, resource, sent);
  // A name that was removed is missing afterwards, so the row is refused for the fault of that name.
  if (refusal) return entry.faults[0] ?? refusal;
  const keys = recognition.keysOf(resource, entry, match);
  if (keys) {
    entry.keys = keys;
    return undefined;
  }
  // Such a row would make a new record each time the file is imported.
  return entry.faults[0] ?? custom([], "The row has no name to recognise it by");
}

/** A row that is about to be written. */
interface Next {
  entry: ImportEntry;
  draft: Draft;
  match: Exclude<Match, { refused: Issue }>;
}

interface Wave {
  wave: Next[];
  later: ImportEntry[];
  refused: { entry: ImportEntry; issue: Issue }[];
}

/**
 * The next rows that can be written together. Rows that may be about the same record are written one after the other,
 * so that the later one finds the result of the earlier one.
 */
async function nextWave(
  writing: WriteContext,
  importing: Importing,
  entries: ImportEntry[],
  lines: Lines,
): Promise<Wave> {
  const { resource, recognition } = importing;
  const first = withoutWaiting(entries);
  const companies = await companiesByKey(writing, [
    ...new Set(first.flatMap(({ fields }) => companyKeysIn(resource, fields))),
  ]);
  const areHeld: AreHeld = (pairs) => holdAll(writing, importing, pairs, companies);
  const matches = await recognition.find(writing, importing, first, areHeld);
  const isFirst = new Set(first);
  const found: Wave = { wave: [], later: entries.filter((entry) => !isFirst.has(entry)), refused: [] };
  const records = new Set<Uuid>();
  for (const entry of first) {
    const match = matches.get(entry);
    if (!match) continue;
    if ("refused" in match) {
      found.refused.push({ entry, issue: match.refused });
      continue;
    }
    const { record } = match;
    // Two rows with different addresses may be about one person.
    if (record && records.has(record.uuid)) {
      found.later.push(entry);
      continue;
    }
    if (record) records.add(record.uuid);
    entry.repeats = record ? lines.earlier(entry, record.uuid) : undefined;
    found.wave.push({ entry, match, draft: draftOf(importing, entry, match, companies) });
  }
  return found;
}

/** Whether each record has all that a row says: then the row changes nothing of it. */
async function holdAll(
  writing: WriteContext,
  { resource, scope, group }: Importing,
  pairs: { entry: ImportEntry; record: RecordRow }[],
  companies: Map<string, Link>,
): Promise<boolean[]> {
  if (pairs.length === 0) return [];
  const drafts = pairs.map(({ entry, record }): Draft => {
    const sent = united(resource, sentOf(entry, scope, group.id), record, companies);
    return { at: [], sent, current: record, scope, groups: "add" };
  });
  const found = await findNamed(writing, resource, drafts);
  return mapInSlices(drafts, (draft) => {
    const verdict = judge(writing, resource, draft, found);
    return "plan" in verdict && outcomeOf(verdict.plan) === "unchanged";
  });
}

function draftOf(
  { resource, scope, group }: Importing,
  entry: ImportEntry,
  match: Next["match"],
  companies: Map<string, Link>,
): Draft {
  const current = match.record;
  const sentNow = () => {
    const own = sentOf(entry, scope, group.id);
    return current ? united(resource, own, current, companies) : withoutRepeated(own);
  };
  const whole = sentNow();
  const over = current ? tooLong(resource, entry.fields, whole) : [];
  leaveOut(entry, over, scope, resource, whole);
  const keeps = entry.repeats === undefined ? {} : { keeps: `The ${resource.kind} of line ${entry.repeats}` };
  const sent = over.length > 0 ? sentNow() : whole;
  return { at: [], sent, current, uuid: entry.uuid, scope, groups: "add", ...keeps };
}

/** A new record has no e-mail address twice that its row writes in two ways. */
function withoutRepeated(sent: RequestBody): RequestBody {
  const { emails } = sent;
  return Array.isArray(emails) ? { ...sent, emails: withoutEqual("emails", emails, 0) } : sent;
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

/**
 * The rows of a batch that wait for no earlier one, in their order. A row waits for an earlier row that may be about
 * the same record, so that it finds what that row leaves. docs/guides/import-matching.md#rows-about-the-same-record
 */
export function withoutWaiting(entries: ImportEntry[]): ImportEntry[] {
  const earlier = new Map<string, EntryKeys[]>();
  return entries.filter(({ keys }) => {
    const waits =
      keys.looksFor.some((key) => earlier.has(key)) ||
      keys.looksForAlike.some((key) => earlier.get(key)?.some((other) => mayBeOne(keys, other)));
    for (const key of keys.has) {
      const known = earlier.get(key);
      if (known) known.push(keys);
      else earlier.set(key, [keys]);
    }
    return !waits;
  });
}

function mayBeOne({ identity: one }: EntryKeys, { identity: other }: EntryKeys): boolean {
  return !one || !other || !areTwo(one, other);
}
