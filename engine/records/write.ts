import { ApiError, unprocessable } from "../../base/contract/errors.ts";
import { custom } from "../../base/contract/issues.ts";
import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { createBinder } from "../../database/binder.ts";
import type { Query, TextRow } from "../../database/query.ts";
import { printUuids } from "../../database/uuid-list.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Scope, within } from "../../model/resources/scope.ts";
import { UNCOUNTED_READ } from "../interactions/activity.ts";
import { applyPlans } from "./apply.ts";
import { type Draft, type Plan, placeOf, type Verdict, type WriteContext, type Written } from "./draft.ts";
import { findNamed } from "./found.ts";
import { judge } from "./judge.ts";
import { namesBeside } from "./names.ts";
import { type RecordRow, readerOf, rowOfTexts, statementOf } from "./select.ts";

/**
 * Writes drafts, no two of which are about the same record. Each is written or refused on its own, and its result has
 * the same place. A single operation is a batch of one. The transaction belongs to the caller.
 * docs/guides/batches.md#requests
 */
export async function writeDrafts(writing: WriteContext, resource: RecordType, drafts: Draft[]): Promise<Written[]> {
  const found = await findNamed(writing, resource, drafts);
  const judged = await mapInSlices(drafts, (draft) => judge(writing, resource, draft, found));
  const verdicts = await refuseTakenNames(writing, resource, drafts, judged);
  const plans = verdicts.flatMap((verdict) => ("plan" in verdict ? [verdict.plan] : []));
  const rows = await applyPlans(writing, resource, plans);
  const rowOfPlan = new Map(plans.map((plan, i) => [plan, rows[i] as RecordRow]));
  return verdicts.map((verdict) =>
    "plan" in verdict ? { plan: verdict.plan, row: rowOfPlan.get(verdict.plan) as RecordRow } : verdict,
  );
}

/**
 * Rows of records by the uuid that was asked for, locked in the order of their ids until the transaction ends; what
 * does not exist in the scope is missing. The uuid of a merged record leads to the row of its survivor.
 *
 * With `isDeleted` the lock also waits for writes that name one of them in a link, and later ones wait for it and then
 * do not find the record; without, those go on.
 */
export async function lockRows(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  uuids: Uuid[],
  { isDeleted = false }: { isDeleted?: boolean } = {},
): Promise<Map<Uuid, RecordRow>> {
  const strength = isDeleted ? "update" : "no key update";
  const rows = await lockAndRead(writing, resource, scope, uuids, strength);
  const missing = uuids.filter((uuid) => !rows.has(uuid));
  const survivors = await resolveAliases(writing.query, writing.caller.workspaceId, resource.kind, missing);
  const more = await lockAndRead(
    writing,
    resource,
    scope,
    [...new Set(survivors.values())].filter((uuid) => !rows.has(uuid)),
    strength,
  );
  for (const [alias, survivor] of survivors) {
    const row = rows.get(survivor) ?? more.get(survivor);
    if (row) rows.set(alias, row);
  }
  return rows;
}

// One statement locks and reads: when it has waited for another transaction, PostgreSQL gives the row that this one has
// left.
async function lockAndRead(
  { query, caller, linked }: WriteContext,
  resource: RecordType,
  scope: Scope,
  uuids: Uuid[],
  strength: "update" | "no key update",
): Promise<Map<Uuid, RecordRow>> {
  if (uuids.length === 0) return new Map();
  const bind = createBinder();
  bind(caller.workspaceId);
  const wanted = `and r.id = any(${bind(printUuids(uuids), "uuid[]")})${within(scope, bind)}`;
  const { select, selectNamed } = readerOf(resource);
  const one = uuids.length === 1 && strength === "no key update";
  const locking = statementOf(one ? selectNamed : select, `${wanted} order by r.id for ${strength} of r`);
  const rows = await query<TextRow>(locking, bind.values, "texts");
  const read = await mapInSlices(rows, (texts) => {
    if (one) for (const [id, record] of namesBeside(resource, texts)) linked.set(id, record);
    return rowOfTexts(resource, texts);
  });
  const waiting = read.filter((row) => row.uncounted);
  if (waiting.length > 0) await readUncounted(query, caller.workspaceId, waiting);
  return new Map(read.map((row) => [row.uuid, row]));
}

/**
 * Reads the interactions of locked people that are not counted yet once more. PostgreSQL gives the row of a person as
 * it is after a wait for the lock, but what stands in other tables as it was before. An interaction that was counted
 * meanwhile would be in both. While the people are locked nothing is counted.
 */
async function readUncounted(query: Query, workspaceId: Uuid, rows: RecordRow[]): Promise<void> {
  const ids = printUuids(rows.map(({ uuid }) => uuid));
  const found = await query<TextRow>(UNCOUNTED_NOW, [workspaceId, ids], "texts");
  const uncounted = new Map(found.map(([uuid, texts]) => [uuid, texts ?? null]));
  for (const row of rows) row.uncounted = uncounted.get(row.uuid) ?? null;
}

const UNCOUNTED_NOW = `select r.id, ${UNCOUNTED_READ} from people r where r.workspace_id = $1 and r.id = any($2::uuid[])`;

/**
 * Refuses drafts that give a record a name that another record has, or that another draft wants, too.
 * docs/guides/batches.md#unique-names. When another transaction writes such a name after this was looked up, the unique
 * index refuses it; then this transaction is run again, and finds the name here.
 */
async function refuseTakenNames(
  writing: WriteContext,
  resource: RecordType,
  drafts: Draft[],
  verdicts: Verdict[],
): Promise<Verdict[]> {
  const field = resource.columns.find(({ storage }) => storage.unique);
  const unique = field?.storage.unique;
  if (!field || !unique) return verdicts;
  const keys = verdicts.map((verdict, i) => ("plan" in verdict ? newKey(field, verdict.plan, drafts[i]) : null));
  const asked = [...new Set(keys.flatMap((key) => key ?? []))];
  if (asked.length === 0) return verdicts;
  const owners = await writing.query<{ key: string }>(
    `select '\\x' || encode(${unique.column}, 'hex') as key from ${resource.table} where workspace_id = $1 and ${unique.column} = any($2::bytea[])`,
    [writing.caller.workspaceId, asked],
  );
  const taken = new Set(owners.map(({ key }) => key));
  const wanted = Map.groupBy(keys, (key) => key);
  return verdicts.map((verdict, i) => {
    const key = keys[i];
    if (!("plan" in verdict) || typeof key !== "string") return verdict;
    // A new company is only drafted for a name that was free. If another transaction has taken the name since, the
    // index finds it, as above.
    const isFree = verdict.plan.isNew || !taken.has(key);
    if (isFree && wanted.get(key)?.length === 1) return verdict;
    const name = String(verdict.plan.columns?.[field.name]).slice(0, 100);
    const draft = drafts[i];
    return {
      error: unprocessable([
        custom(
          draft ? placeOf(draft, field.name) : [field.name],
          `There is another ${resource.kind} with the name "${name}"`,
        ),
      ]),
    };
  });
}

/**
 * The key of the name that a draft wants; null for a record that keeps its name. docs/guides/batches.md#unique-names
 */
function newKey(
  { name, storage }: RecordType["columns"][number],
  { columns }: Plan,
  draft: Draft | undefined,
): string | null {
  if (!storage.unique || !columns) return null;
  const key = storage.unique.key(columns[name]);
  return draft?.current && key === storage.unique.key(draft.current[name]) ? null : key;
}

/**
 * The row of the record that a single operation has written.
 * @throws ApiError that refused the draft
 */
export function rowOf(written: Written | undefined): RecordRow {
  if (written && "row" in written) return written.row;
  throw written?.error ?? new ApiError("INTERNAL_SERVER_ERROR", "Nothing was written.");
}
