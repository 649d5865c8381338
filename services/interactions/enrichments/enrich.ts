import type { Caller } from "../../../base/contract/caller.ts";
import { unprocessable } from "../../../base/contract/errors.ts";
import type { Issue } from "../../../base/contract/issues.ts";
import { closed, type TSchema, Type } from "../../../base/contract/schema.ts";
import { issuesOf } from "../../../base/contract/validate.ts";
import { toId } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { readRecord } from "../../../engine/records/read.ts";
import type { RecordRow } from "../../../engine/records/select.ts";
import { lockRows, writeDrafts } from "../../../engine/records/write.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import { people } from "../../../model/resources/people.ts";
import { type End, end, holdsLease, type Job, postpone } from "./jobs.queries.ts";
import type { EnrichmentError, Outcome, Provider } from "./providers/provider.ts";

const NAMES = ["firstName", "lastName", "fullName"];

/**
 * Body of an update with which an answer fills the empty fields of a person and changes no other. It is empty when
 * there is nothing to fill. docs/guides/enrichment.md#what-is-filled
 */
export function fillOf(current: RecordRow, fields: RequestBody): RequestBody {
  const filled = FILLED_FIELDS.filter(
    (name) => Object.hasOwn(fields, name) && isEmpty(current, name) && !isUnset(name, fields[name]),
  );
  // Names follow from each other in an update. Those that are there are sent along, so that they stay.
  const kept = NAMES.some((name) => filled.includes(name)) ? NAMES.filter((name) => !isEmpty(current, name)) : [];
  return Object.fromEntries([
    ...filled.map((name) => [name, fields[name]]),
    ...kept.map((name) => [name, current[name]]),
  ]);
}

/** The fields that were empty before and are not afterwards, in the order of the table of fields. */
export function addedFields(before: RecordRow, after: RecordRow): string[] {
  return FILLED_FIELDS.filter((name) => isEmpty(before, name) && !isEmpty(after, name));
}

function isEmpty(row: RecordRow, name: string): boolean {
  return isUnset(name, row[name]);
}

/** True if the value means that the field is not set. */
function isUnset(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const storage = people.fields[name]?.storage;
  return value === null || value === "" || (storage?.shape === "column" && value === storage.unset);
}

/** Waits after attempts that may end better another time. docs/guides/enrichment.md#attempts */
const WAITS_MS = [2_000, 10_000, 60_000];

/** Maximum number of times a provider is asked. */
const ATTEMPTS_MAX = WAITS_MS.length + 1;

/**
 * Wait after the attempt of this number, the first is 1. At least as long as the provider asks for. Null when there is
 * no further attempt.
 */
export function waitAfter(attempt: number, afterMs = 0): number | null {
  const waitMs = WAITS_MS[attempt - 1];
  return waitMs === undefined ? null : Math.max(waitMs, afterMs);
}

/** Dependencies of an enrichment. */
export interface Means {
  store: Store;
  /** Runs a statement of its own. It writes. */
  query: Query;
  provider: Provider;
}

const PEOPLE = { entity: "person", homeGroup: null } as const;

/**
 * Does an enrichment on behalf of the user who requested it: asks the provider, and writes the result. No transaction
 * is open while the provider is asked.
 * @throws when the signal is aborted, and when the database fails; the enrichment is then done again
 */
export async function enrich({ store, query, provider }: Means, job: Job, signal: AbortSignal): Promise<void> {
  if (job.attempts > ATTEMPTS_MAX) return end(query, job, failed(INTERRUPTED));
  const caller: Caller = { workspaceId: job.workspaceId, userId: job.createdBy, keyId: null, access: "full" };
  if (isRemoved(await store.definitionsCache.current(job.workspaceId), caller)) return end(query, job, CREATOR_REMOVED);
  const person = await readRecord(store, people, caller, PEOPLE, job.personId);
  // The deletion of the person has cancelled it.
  if (person === null) return;
  const outcome = await provider({ id: toId("enrichment", job.uuid), person: person.data, signal });
  if ("found" in outcome) await complete(store, caller, job, outcome.found);
  else if ("failed" in outcome) await end(query, job, failed(outcome.failed));
  else await later(query, job, outcome);
}

const INTERRUPTED: EnrichmentError = {
  code: "INTERRUPTED",
  message: `The server was interrupted each of the ${ATTEMPTS_MAX} times that it worked on this.`,
};

const CREATOR_REMOVED: End = {
  status: "cancelled",
  error: {
    code: "CREATOR_REMOVED",
    message: "The user who requested this was removed from the workspace before it finished.",
  },
};

function failed(error: EnrichmentError): End {
  return { status: "failed", error };
}

/** True if the user that the work is done for has left the workspace. */
function isRemoved({ users }: Definitions, { userId }: Caller): boolean {
  return users.get(userId)?.removed !== false;
}

async function later(query: Query, job: Job, { again, afterMs }: Extract<Outcome, { again: unknown }>): Promise<void> {
  const waitMs = waitAfter(job.attempts, afterMs);
  if (waitMs === null) await end(query, job, failed(again));
  else await postpone(query, job, waitMs);
}

/** Ends the enrichment in the transaction that writes the person, so that both happen or nothing. */
async function complete(store: Store, caller: Caller, job: Job, answer: unknown): Promise<void> {
  const read = readAnswer(answer);
  await store.write(caller, async (writing) => {
    // The person before the enrichment, locked in the order in which deletions and merges lock people.
    const current = (await lockRows(writing, people, PEOPLE, [job.personId])).get(job.personId);
    if (!current || !(await holdsLease(writing.query, job))) return;
    const ending = isRemoved(writing.definitions, caller)
      ? CREATOR_REMOVED
      : "issues" in read
        ? failed(invalid(unprocessable(read.issues)))
        : await fill(writing, current, read.fields);
    await end(writing.query, job, ending);
  });
}

async function fill(writing: WriteContext, current: RecordRow, fields: RequestBody): Promise<End> {
  const sent = fillOf(current, fields);
  if (Object.keys(sent).length === 0) return { status: "completed", addedFields: [] };
  const [written] = await writeDrafts(writing, people, [{ at: [], sent, current, scope: PEOPLE, groups: "replace" }]);
  if (!written) throw new Error("Nothing became of the person");
  if ("error" in written) return failed(invalid(written.error));
  return { status: "completed", addedFields: addedFields(current, written.row) };
}

function invalid({ message }: Error): EnrichmentError {
  return { code: "PROVIDER_ANSWER_INVALID", message: `The answer of the enrichment provider is not valid: ${message}` };
}

/**
 * The fields of a person that an enrichment may fill: its own ones, and its companies. Groups and custom values are the
 * users'.
 */
const FILLED = Object.entries(people.fields).filter(([, { write, storage }]) => {
  return write !== null && (storage.shape === "column" || storage.shape === "links");
});

/** Their names, in the order of the table of fields. */
export const FILLED_FIELDS: readonly string[] = FILLED.map(([name]) => name);

const schema = closed(Object.fromEntries(FILLED.map(([name, { write }]) => [name, Type.Optional(write as TSchema)])));

/**
 * Fields of a person in an answer of a provider, judged like a body that a client sends. Unknown and null members say
 * nothing.
 * docs/guides/enrichment.md#answers
 */
export function readAnswer(answer: unknown): { fields: RequestBody } | { issues: Issue[] } {
  const known = knownOf(schema, answer);
  const fields = isObject(known)
    ? Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
    : known;
  const issues = issuesOf(schema, fields);
  return issues.length > 0 ? { issues } : { fields: fields as RequestBody };
}

/**
 * A value without the members that its schema does not know. Of alternatives it keeps the first: an id rather than a
 * name.
 */
function knownOf({ items, properties, exactlyOneOf }: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => knownOf(items, item)) : value;
  if (!isObject(value) || !properties) return value;
  const alternatives = (exactlyOneOf ?? []) as string[];
  const kept = alternatives.find((name) => Object.hasOwn(value, name));
  const members = Object.entries(value).filter(
    ([name]) => Object.hasOwn(properties, name) && (!alternatives.includes(name) || name === kept),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, knownOf(properties[name], member)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
