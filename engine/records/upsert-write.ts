import { type ApiError, unprocessable } from "../../base/contract/errors.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { RunAgain } from "../../database/transaction.ts";
import type { LogEntry } from "../../model/log.ts";
import type { Draft, WriteContext, Written } from "./draft.ts";
import type { RecordRow } from "./select.ts";
import type { MatchKey } from "./upsert-keys.ts";
import { uniteLists } from "./upsert-lists.ts";
import { locksOf, takeLocks, tokenOf } from "./upsert-locks.ts";
import { type Asked, type Candidates, FOUND_MAX, findCandidates } from "./upsert-lookup.ts";
import { isStillFound, type Match, matchOf } from "./upsert-match.ts";
import type { Ordered, Outcome, Step, Upserting, UpsertOutcome } from "./upsert-step.ts";
import { wavesOf } from "./upsert-waves.ts";
import { lockRows, writeDrafts } from "./write.ts";

/**
 * Upserts records in waves: those that have nothing in common are looked up and written together. Gives the outcomes of
 * each wave, and adds its entries to `log`.
 */
export async function* writeWaves(
  writing: WriteContext,
  upserting: Upserting,
  steps: readonly Step[],
  log: Ordered[],
): AsyncGenerator<Outcome[]> {
  const { resource, scope } = upserting;
  if (steps.length === 0) return;
  const all = steps.flatMap(({ asked }) => asked);
  // The statements go out together, and run one behind the other: the look-ups see what was committed before the lock.
  const [, candidates] = await Promise.all([
    takeLocks(writing.query, [locksOf(writing.caller.workspaceId, scope, all)]),
    findCandidates(writing, resource, scope, all),
  ]);
  const waves = wavesOf(steps.map(({ asked }) => conflictsOf(asked, candidates)));
  // All rows are locked at once, in the order of their ids, so that two batches wait for each other.
  const uuids = steps.flatMap((step) => uuidOf(match(upserting, step, candidates)));
  const rows = await lockRows(writing, resource, scope, [...new Set(uuids)]);
  for (const [n, wave] of waves.entries()) {
    const group = wave.flatMap((i) => steps[i] ?? []);
    const known = n === 0 ? { candidates, rows } : await lookUp(writing, upserting, group);
    const matched = await matchAll(writing, upserting, group, known);
    yield await writeWave(writing, upserting, matched, log);
  }
}

function conflictsOf(asked: readonly Asked[], candidates: Candidates): { tokens: string[]; isBroad: boolean } {
  const found = asked.map((one) => candidates.get(one) ?? []);
  const tokens = asked.flatMap(({ key, values }) =>
    values.flatMap(({ forms }) => forms.map((form) => tokenOf(key, form))),
  );
  return { tokens: [...tokens, ...found.flat()], isBroad: found.some(({ length }) => length === FOUND_MAX) };
}

function match({ resource, options: { mode = "upsert" } }: Upserting, { asked, places }: Step, candidates: Candidates) {
  return matchOf(resource, mode, asked, candidates, places);
}

function uuidOf(found: Match): Uuid[] {
  return typeof found === "object" && "uuid" in found ? [found.uuid] : [];
}

// ---- one wave

/** The candidates of records at one moment, and the locked rows of those that were found. */
interface Known {
  candidates: Candidates;
  rows: Map<Uuid, RecordRow>;
}

async function lookUp(writing: WriteContext, upserting: Upserting, steps: readonly Step[]): Promise<Known> {
  const { resource, scope } = upserting;
  const asked = steps.flatMap((step) => step.asked);
  const candidates = await findCandidates(writing, resource, scope, asked);
  const uuids = steps.flatMap((step) => uuidOf(match(upserting, step, candidates)));
  return { candidates, rows: await lockRows(writing, resource, scope, [...new Set(uuids)]) };
}

/** A record with the row that it patches, or none; or why it fails. */
type Matched = { step: Step } & ({ key: MatchKey | null; row: RecordRow | null } | { error: ApiError });

/** Others change records meanwhile, with writes that are no upserts. So often a record is looked for again. */
const LOOKUPS_MAX = 10;

async function matchAll(
  writing: WriteContext,
  upserting: Upserting,
  steps: readonly Step[],
  known: Known,
): Promise<Matched[]> {
  const matched = new Map<Step, Matched>();
  let open = steps;
  let now = known;
  for (let lookups = 1; open.length > 0; lookups += 1) {
    if (lookups > LOOKUPS_MAX) throw new RunAgain("The records of an upsert change all the time");
    if (lookups > 1) now = await lookUp(writing, upserting, open);
    for (const step of open) {
      const one = settled(upserting, step, now);
      if (one) matched.set(step, { step, ...one });
    }
    open = open.filter((step) => !matched.has(step));
  }
  const all = steps.flatMap((step) => matched.get(step) ?? []);
  const uuids = all.flatMap((one) => ("row" in one && one.row ? one.row.uuid : []));
  if (new Set(uuids).size < uuids.length) throw new RunAgain("Two records of a batch have become one meanwhile");
  return all;
}

/** Undefined when the record that was found has lost what it was found by before it was locked. */
function settled(upserting: Upserting, step: Step, { candidates, rows }: Known) {
  const found = match(upserting, step, candidates);
  if (found === "none") return { key: null, row: null };
  if ("error" in found) return found;
  const row = rows.get(found.uuid);
  const asked = step.asked.find(({ key }) => key === found.key);
  return row && asked && isStillFound(upserting.resource, asked, row) ? { key: found.key, row } : undefined;
}

async function writeWave(
  writing: WriteContext,
  upserting: Upserting,
  matched: readonly Matched[],
  log: Ordered[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const drafts: { step: Step; key: MatchKey | null; draft: Draft }[] = [];
  for (const one of matched) {
    const drafted = "error" in one ? one : draftOf(writing, upserting, one.step, one.row);
    if ("error" in drafted) outcomes.push({ place: one.step.place, outcome: drafted });
    else drafts.push({ step: one.step, key: "key" in one ? one.key : null, draft: drafted });
  }
  const told: LogEntry[] = [];
  const written = await writeDrafts(
    { ...writing, log: told },
    upserting.resource,
    drafts.map(({ draft }) => draft),
  );
  for (const [i, { step, key }] of drafts.entries())
    outcomes.push({ place: step.place, outcome: outcomeOf(written[i], key) });
  log.push(...placed(told, drafts, written));
  return outcomes;
}

/** The entries of the log by the records that made them. Companies that people name are made before these. */
function placed(told: LogEntry[], drafts: readonly { step: Step }[], written: readonly Written[]): Ordered[] {
  const placeOf = new Map(
    drafts.flatMap(({ step }, i): [Uuid, number][] => {
      const one = written[i];
      return one && "row" in one ? [[one.row.uuid, step.place]] : [];
    }),
  );
  const first = Math.min(...placeOf.values());
  return told.map((entry) => ({ entry, place: placeOf.get(entry.recordId as Uuid) ?? first }));
}

function draftOf(
  writing: WriteContext,
  { resource, scope, options, unseenGroups }: Upserting,
  { sent: { id: _, ...sent }, places, uuid }: Step,
  current: RecordRow | null,
): Draft | { error: ApiError } {
  const at = places.record;
  const draft: Draft = { at, sent, current, uuid, scope, groups: "replace", ...(unseenGroups && { unseenGroups }) };
  if (options.lists !== "add" || current === null) return draft;
  const { sent: united, issues } = uniteLists(writing, resource, sent, current, at);
  return issues.length > 0 ? { error: unprocessable(issues) } : { ...draft, sent: united, groups: "add", lists: "add" };
}

function outcomeOf(written: Written | undefined, key: MatchKey | null): UpsertOutcome {
  if (!written) throw new Error("A record of an upsert was not written");
  if ("error" in written) return written;
  const { row, plan } = written;
  const isSame = plan.current !== null && row.version === plan.current.version;
  const operation = plan.isNew ? "created" : isSame ? "unchanged" : "updated";
  return { row, operation, matchedBy: key?.name ?? null, warnings: plan.warnings };
}
