import { isApiError } from "../../../base/contract/errors.ts";
import { type IdKind, type Uuid, uuidOf } from "../../../base/values/ids.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { upsertLocks } from "../../../engine/records/upsert.ts";
import { takeLocks, type UpsertLocks } from "../../../engine/records/upsert-locks.ts";
import { scopeIn } from "../../../mixins/records.ts";
import type { UpsertParams } from "../../../mixins/works/upsert.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import { companies } from "../../../model/resources/companies.ts";
import type { Planned } from "./read-operations.ts";

// Two transactions with the same records in another order would deadlock if each operation took its locks at its turn.
// So the locks of all that the operations name are taken before the first one runs, in an order that is the same for
// all transactions: the names and match keys first, then the rows of each kind by their ids.
// docs/guides/transactions.md#at-the-same-time

/** Kinds of rows in the order in which they are locked, with their tables. */
const TABLES = [
  ["company", "companies"],
  ["object", "objects"],
  ["person", "people"],
  ["note", "notes"],
  ["task", "tasks"],
  ["interaction", "interactions"],
] as const satisfies readonly (readonly [IdKind, string])[];

/** Strengths of locks, from the weakest: of a row that is named in a link, one that is changed, and a deleted one. */
const STRENGTHS = ["key share", "no key update", "update"] as const;
const [NAMED, CHANGED, DELETED] = [0, 1, 2] as const;

/** Ids that operations name, with the strengths of their locks. */
type Wanted = Map<string, number>;

/** Takes the locks of all operations until the transaction ends. One that stands alone takes its own. */
export async function lockAll(writing: WriteContext, operations: readonly Planned[]): Promise<void> {
  if (operations.length < 2) return;
  await takeLocks(
    writing.query,
    operations.flatMap((planned) => locksOfKeys(writing, planned)),
  );
  const wanted: Wanted = new Map();
  for (const planned of operations) collect(planned, wanted);
  for (const [kind, table] of TABLES) await lockRowsOf(writing, kind, table, wanted);
}

/** One statement, because only that locks rows in the order of their ids; so all get the strongest of their locks. */
async function lockRowsOf({ query, caller }: WriteContext, kind: IdKind, table: string, wanted: Wanted): Promise<void> {
  const uuids: Uuid[] = [];
  let strength: number = NAMED;
  for (const [id, needed] of wanted) {
    const uuid = uuidOf(kind, id);
    if (uuid) uuids.push(uuid);
    if (uuid) strength = Math.max(strength, needed);
  }
  if (uuids.length === 0) return;
  await query(
    `select id from ${table} where workspace_id = $1 and id = any($2::uuid[]) order by id for ${STRENGTHS[strength]}`,
    [caller.workspaceId, printUuids(uuids)],
  );
}

function collect({ operation: { kind, verb }, values, body }: Planned, wanted: Wanted): void {
  const want = (id: string, strength: number) => wanted.set(id, Math.max(wanted.get(id) ?? NAMED, strength));
  const inPath = verb === "remove" ? DELETED : CHANGED;
  for (const value of Object.values(values)) want(value, inPath);
  for (const id of idsIn(body)) want(id, strengthOf(kind, verb));
}

/** Strength of the locks of the records that a body names: an interaction changes the counts of its person. */
function strengthOf(kind: IdKind, verb: string): number {
  if (verb === "merge") return DELETED;
  return kind === "interaction" && verb !== "create" ? CHANGED : NAMED;
}

/** Values of all members with the name `id`. */
function idsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "id" && typeof member === "string" ? [member] : idsIn(member),
  );
}

/** The locks of the match keys of an upsert, and of the names of companies that an operation may make. */
function locksOfKeys(writing: WriteContext, { operation, values, body }: Planned): UpsertLocks[] {
  const { records, verb } = operation;
  if (!records || verb === "remove" || verb === "merge") return [];
  if (verb === "upsert") {
    const { match, record } = body as unknown as UpsertParams["body"];
    const scope = scopeOf(() => scopeIn(records, writing.definitions, writing.caller, values));
    return scope ? [upsertLocks(writing, records.resource, scope, { match, record }), ...ofNames(writing, record)] : [];
  }
  const own = operation.kind === "company" ? [body] : [];
  return [...own.flatMap((one) => ofName(writing, one)), ...ofNames(writing, body)];
}

/** The scope of a path; undefined where it leads nowhere, which the operation tells at its turn. */
function scopeOf<Scope>(find: () => Scope): Scope | undefined {
  try {
    return find();
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

/** Companies that a record names may be new ones. docs/guides/people.md#companies-of-a-person */
function ofNames(writing: WriteContext, { companies: linked }: RequestBody): UpsertLocks[] {
  return Array.isArray(linked) ? linked.flatMap((one: RequestBody) => ofName(writing, one)) : [];
}

function ofName(writing: WriteContext, { name }: RequestBody): UpsertLocks[] {
  if (typeof name !== "string") return [];
  const scope = { entity: companies.kind, homeGroup: null };
  return [upsertLocks(writing, companies, scope, { match: ["name"], record: { name } })];
}
