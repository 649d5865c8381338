import { type ApiError, isApiError, unprocessable, unsaved } from "../../base/contract/errors.ts";
import { type Path, unrecognizedKeys } from "../../base/contract/issues.ts";
import { mapInSlices } from "../../base/loop/in-slices.ts";
import { newUuid } from "../../base/values/ids.ts";
import { needRole } from "../../model/definitions/roles.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import type { WriteContext } from "./draft.ts";
import { type MatchKey, readKeys, valueIssues } from "./upsert-keys.ts";
import { locksOf, type UpsertLocks } from "./upsert-locks.ts";
import { askedOf, type Places } from "./upsert-match.ts";
import type { Ordered, Step, Upserted, Upserting, UpsertOptions, UpsertOutcome } from "./upsert-step.ts";
import { writeWaves } from "./upsert-write.ts";

/**
 * Upserts one record in the transaction of the caller. A transaction with several upserts takes all their locks first
 * (`upsertLocks`).
 * @param at place of the body in the request
 * @throws ApiError that says why not
 */
export async function upsertOne(
  writing: WriteContext,
  resource: RecordType,
  scope: Scope,
  { record, ...options }: UpsertOptions & { record: RequestBody },
  at: Path = [],
): Promise<Upserted> {
  const [outcome] = await upsertAll(writing, {
    resource,
    scope,
    options,
    records: [record],
    matchAt: [...at, "match"],
    placesOf: () => singlePlaces(at),
  });
  if (!outcome) throw new Error("An upsert has no outcome");
  if ("error" in outcome) throw outcome.error;
  return outcome;
}

/** Faults of the keys of a single upsert stand at the key, and at the name of a company that is matched without one. */
function singlePlaces(at: Path): Places {
  const record = [...at, "record"];
  return {
    record,
    key: (key) => {
      if (key === null) return record;
      return key.place === null ? [...record, key.name] : [...at, "match", key.place];
    },
  };
}

/**
 * The locks that `upsertOne` takes for a request. They are known before anything of it is looked up. A key that does
 * not exist has none.
 */
export function upsertLocks(
  { definitions, caller }: Pick<WriteContext, "definitions" | "caller">,
  resource: RecordType,
  scope: Scope,
  { match, record }: Pick<UpsertOptions, "match"> & { record: RequestBody },
): UpsertLocks {
  let keys: MatchKey[] = [];
  try {
    keys = readKeys(resource, scope, definitions, caller, match, []);
  } catch (error) {
    if (!isApiError(error)) throw error;
  }
  return locksOf(caller.workspaceId, scope, askedOf(resource, keys, record));
}

/**
 * Upserts records, each of which sees what those before it have made; each succeeds or fails on its own. Records that
 * have nothing in common are looked up and written together, so that the number of statements does not grow with them.
 * docs/guides/upsert.md#batches
 * @throws ApiError that refuses them all: a role, unknown keys
 */
export async function upsertAll(writing: WriteContext, upserting: Upserting): Promise<UpsertOutcome[]> {
  const { resource, scope, options, records, matchAt } = upserting;
  const { definitions, caller } = writing;
  if (scope.homeGroup) needRole(scope.homeGroup, caller, "contributor");
  const keys = readKeys(resource, scope, definitions, caller, options.match, matchAt);
  refuseIds(keys, upserting);
  const outcomes: UpsertOutcome[] = [];
  const steps = await mapInSlices(records.entries(), ([place, sent]): Step[] => {
    const places = upserting.placesOf(place);
    const error = faultOf(upserting, keys, sent, places);
    if (error) outcomes[place] = { error };
    return error ? [] : [{ place, sent, places, asked: askedOf(resource, keys, sent), uuid: newUuid() }];
  });
  const log: Ordered[] = [];
  for await (const wave of writeWaves(writing, upserting, steps.flat(), log)) {
    for (const { place, outcome } of wave) outcomes[place] = outcome;
    await upserting.written?.(wave);
  }
  for (const one of log.sort((a, b) => a.place - b.place)) writing.log.push(one.entry);
  return outcomes;
}

/** Fault of a record that is known before anything is looked up. Another definition may take a value for a key. */
function faultOf(
  { check }: Upserting,
  keys: readonly MatchKey[],
  sent: RequestBody,
  { record }: Places,
): ApiError | undefined {
  const issues = check?.(sent, record) ?? [];
  if (issues.length > 0) return unprocessable(issues);
  const faulty = valueIssues(keys, sent, record);
  return faulty.length > 0 ? unsaved(unprocessable(faulty)) : undefined;
}

/** An `id` is a member of a record only where a key is one. docs/guides/upsert.md#match-keys */
function refuseIds(keys: readonly MatchKey[], { records, placesOf }: Upserting): void {
  if (keys.some(({ source }) => source.shape === "id")) return;
  const issues = records.flatMap((sent, i) =>
    Object.hasOwn(sent, "id") ? [unrecognizedKeys(placesOf(i).record, ["id"])] : [],
  );
  if (issues.length > 0) throw unprocessable(issues);
}
