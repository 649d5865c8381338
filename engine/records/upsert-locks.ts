import { createHash } from "node:crypto";
import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { identityOf, type MatchKey, type SentValue } from "./upsert-keys.ts";

// Two upserts of equal values must not both find nothing and both make a record. So each takes locks named after its
// values before it looks for anything, and reads what the one before has committed. docs/decisions/0022-upserts.md

/** Locks of upserts of one kind of record: the number of the kind in its workspace, and those of the values. */
export interface UpsertLocks {
  area: bigint;
  values: bigint[];
}

/** With more values a transaction takes the lock of their whole kind: PostgreSQL has room for a few thousand locks. */
const VALUES_MAX = 200;

/** The locks of the values that records send for match keys. */
export function locksOf(
  workspaceId: Uuid,
  { entity }: Scope,
  asked: readonly { key: MatchKey; values: readonly SentValue[] }[],
): UpsertLocks {
  const area = `upsert ${workspaceId} ${entity}`;
  const forms = asked
    .filter(({ key }) => key.source.shape !== "id")
    .flatMap(({ key, values }) => values.flatMap((value) => value.forms.map((form) => tokenOf(key, form))));
  return { area: numberOf(area), values: [...new Set(forms)].map((form) => numberOf(`${area} ${form}`)) };
}

/** A value of a key as a text: equal values of one field have a token in common. */
export function tokenOf({ source }: MatchKey, form: string): string {
  return `${identityOf(source)} ${form}`;
}

/**
 * Takes the locks of upserts until the transaction ends, in an order that is the same for all, so that two that want
 * the same values wait for each other and never deadlock. One statement, and none without values.
 */
export async function takeLocks(query: Query, locks: readonly UpsertLocks[]): Promise<void> {
  const wanted = locks.filter(({ values }) => values.length > 0);
  const areas = sorted(wanted.map(({ area }) => area));
  const values = sorted(wanted.flatMap((one) => one.values));
  if (values.length === 0) return;
  const isMany = values.length > VALUES_MAX;
  const numbers = isMany ? areas : [...areas, ...values];
  const areShared = numbers.map((_, i) => !isMany && i < areas.length);
  await query(TAKE, [`{${numbers.join(",")}}`, `{${areShared.join(",")}}`]);
}

// The rows of a function in FROM come in their order, and each is locked before the next one comes.
const TAKE = `
select case when l.is_shared then pg_advisory_xact_lock_shared(l.number) else pg_advisory_xact_lock(l.number) end
from unnest($1::bigint[], $2::boolean[]) l (number, is_shared)`;

function sorted(numbers: readonly bigint[]): bigint[] {
  return [...new Set(numbers)].sort((one, other) => (one < other ? -1 : 1));
}

/** The one-number locks of transactions are those of claims too, which are hashes as well. */
function numberOf(text: string): bigint {
  return createHash("sha256").update(text).digest().readBigInt64BE();
}
