import { ApiError, notFound, unprocessable } from "../../base/contract/errors.ts";
import { custom, type Path } from "../../base/contract/issues.ts";
import { toId, type Uuid } from "../../base/values/ids.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { RecordRow } from "./select.ts";
import { BY_NAME, type MatchKey, sentValues, storedForms } from "./upsert-keys.ts";
import { type Asked, type Candidates, FOUND_MAX } from "./upsert-lookup.ts";

/** Whether an upsert may make records, patch records, or both. docs/guides/upsert.md#modes */
export type Mode = "upsert" | "update" | "create";

/** Places in a request: of a record, and of the fault of one of its keys. */
export interface Places {
  record: Path;
  key(key: MatchKey | null): Path;
}

/** The one record that a key finds, or none; or why there is no answer. */
export type Match = { key: MatchKey; uuid: Uuid } | "none" | { error: ApiError };

/** Candidates that an answer tells of. docs/guides/upsert.md#several-records-for-one-key */
const CANDIDATES_TOLD_MAX = FOUND_MAX - 1;

/** The values that a record sends for the keys of its request. Companies are asked for by their names too. */
export function askedOf(resource: RecordType, keys: readonly MatchKey[], sent: RequestBody): Asked[] {
  const isNamed = keys.some(({ source }) => source.shape === "name");
  const all = isUnique(resource) && !isNamed ? [...keys, BY_NAME] : keys;
  return all.map((key) => ({ key, values: sentValues(resource, key, sent) }));
}

/** Whether no two records have one name. */
function isUnique({ columns }: RecordType): boolean {
  return columns.some(({ storage }) => storage.unique);
}

/**
 * The match of a record by the candidates of its keys: the first key that finds one decides.
 * docs/guides/upsert.md#match-keys
 */
export function matchOf(
  resource: RecordType,
  mode: Mode,
  asked: readonly Asked[],
  candidates: Candidates,
  places: Places,
): Match {
  const usable = asked.filter(({ key, values }) => key.place !== null && values.length > 0);
  if (usable.length === 0) return { error: withoutValue(places) };
  const one = usable.find((each) => (candidates.get(each) ?? []).length > 0);
  if (one) return foundBy(resource, mode, one.key, candidates.get(one) ?? [], places);
  const [named] = usable.filter(({ key }) => key.source.shape === "id").flatMap(({ values }) => values);
  if (named) return { error: notFound(resource.title.toLowerCase(), named.text) };
  const byName = asked.find(({ key }) => key.place === null);
  const owners = (byName && candidates.get(byName)) ?? [];
  if (mode === "update") return { error: noneFound(resource, usable) };
  if (byName && owners.length > 0) return foundBy(resource, mode, byName.key, owners, places);
  return "none";
}

/** Whether a locked record still has what it was found by. */
export function isStillFound(resource: RecordType, { key, values }: Asked, row: RecordRow): boolean {
  if (key.source.shape === "id") return true;
  const forms = new Set(storedForms(resource, key, row));
  return values.some((value) => value.forms.some((form) => forms.has(form)));
}

function foundBy(resource: RecordType, mode: Mode, key: MatchKey, uuids: readonly Uuid[], places: Places): Match {
  const [uuid, other] = uuids;
  if (uuid !== undefined && other === undefined && mode !== "create") return { key, uuid };
  return { error: unprocessable([refusal(resource, key, uuids, places.key(key))]) };
}

function refusal({ kind, title }: RecordType, { name }: MatchKey, uuids: readonly Uuid[], at: Path) {
  const candidates = uuids.slice(0, CANDIDATES_TOLD_MAX).map((uuid) => toId(kind, uuid));
  const count = uuids.length > candidates.length ? `More than ${candidates.length}` : String(uuids.length);
  const message =
    uuids.length === 1
      ? `There is a ${title.toLowerCase()} with this "${name}" already: ${candidates[0]}`
      : `${count} records have this "${name}": ${candidates.join(", ")}. Match by the id of one, or merge them`;
  return custom(at, message, { key: name, candidates });
}

function withoutValue(places: Places): ApiError {
  return unprocessable([custom(places.key(null), 'The record has no value for any key of "match"')]);
}

function noneFound({ title }: RecordType, usable: readonly Asked[]): ApiError {
  const keys = usable.map(({ key }) => `"${key.name}"`).join(", ");
  return new ApiError("RESOURCE_NOT_FOUND", `There is no ${title.toLowerCase()} that has the ${keys} of the record.`);
}
