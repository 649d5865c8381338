import { mapInSlices } from "../../base/loop/in-slices.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { type Candidates, findCandidates, type Looked, type Sharing, shareKeys } from "./candidates.ts";
import { addCrowds, type Crowd, crowdedDomains, endCrowds, type Looking, watchDomains } from "./crowds.ts";
import { type Key, SPAN } from "./keys.ts";
import { ownKeys, WIDE_SHARERS_MAX } from "./own-keys.ts";
import { likenessOf } from "./pair.ts";
import { type Pair, replacePairs } from "./pairs.ts";
import { type Marked, readMarks, readStored, type Stored, writeMarks } from "./stored.ts";
import { traitsOf } from "./traits.ts";

/**
 * Looks at records of one kind, and writes the pairs that each is in: those it was in are no longer there unless they
 * are found again. A record with the values of its last look is compared once more, too: it may have had other values
 * in between, with which others were compared. The transaction is the caller's. No other one may look at records of the
 * workspace at the same time. The number of statements does not grow with the number of records.
 */
export async function lookAt(looking: Looking, ids: readonly Uuid[]): Promise<void> {
  const { query, workspaceId, kind } = looking;
  const stored = await readStored(query, workspaceId, kind, ids);
  const there = new Set(stored.map(({ record }) => record.uuid));
  const absent = ids.filter((id) => !there.has(id));
  const gone = [...(await readMarks(query, workspaceId, absent))];
  const looked = await mapInSlices(stored, (one) => lookedOf(looking, one));
  const marked = looked.map((one) => one.marked);
  for (const [uuid, before] of gone) marked.push({ uuid, before, after: null });
  const left = gone.map(([uuid]) => uuid);
  const [sharing, lost] = await Promise.all([
    // Its statements come before the keys are written.
    shareKeys(looking, looked, left),
    writeMarks(query, workspaceId, marked),
  ]);
  await endCrowds(looking, lost);
  await addCrowds(looking, sharing.crowds);
  const candidates = await findCandidates(looking, looked, sharing);
  const pairs = await pairsOf(looking, candidates, sharing);
  await replacePairs(looking, [...looked.flatMap(({ traits, isNew }) => (isNew ? [] : traits.uuid)), ...left], pairs);
}

function lookedOf({ kind }: Looking, { record, mark }: Stored): Looked & { marked: Marked } {
  const traits = traitsOf(kind, record);
  const keys = ownKeys(traits);
  const marked = { uuid: record.uuid, before: mark, after: [...keys.stored.keys()] };
  return { traits, keys, isNew: mark === null, marked };
}

/** The pairs among candidates, once it is known which of their domains say nothing. */
async function pairsOf(
  looking: Looking,
  candidates: readonly Candidates[],
  { full, watched }: Sharing,
): Promise<Pair[]> {
  const likely = new Map<string, { two: Candidates; pair: Pair }>();
  await mapInSlices(candidates, (two) => {
    const [pair] = pairOf(two, full);
    if (pair) likely.set(`${pair.older} ${pair.younger}`, { two, pair });
  });
  const pairs = [...likely.values()];
  const two = pairs.map((one) => one.two);
  const areFilled = await countDomains(looking, two, { full, watched });
  return areFilled ? two.flatMap((one) => pairOf(one, full)) : pairs.map(({ pair }) => pair);
}

/**
 * Counts the records of domains that pairs rest on, and of those that did before. Adds those that say nothing to the
 * full ones, and gives whether there are any. Others are not counted, which would cost more than all the rest.
 */
async function countDomains(
  looking: Looking,
  pairs: readonly Candidates[],
  { full, watched }: Pick<Sharing, "full" | "watched">,
): Promise<boolean> {
  const shared = pairs.flatMap(({ one, other }) =>
    one.domains.flatMap(({ domain, key }) =>
      !full.has(key) && other.domains.some((two) => two.domain === domain) ? key : [],
    ),
  );
  const unwatched = [...new Set(shared)].filter((key) => !watched.has(key));
  await watchDomains(looking, unwatched);
  const filled = await crowdedDomains(looking, [...watched, ...unwatched]);
  await addCrowds(
    looking,
    filled.map((key): Crowd => ({ key, most: WIDE_SHARERS_MAX, span: SPAN })),
  );
  for (const key of filled) full.add(key);
  return filled.length > 0;
}

function pairOf({ one, other }: Candidates, full: ReadonlySet<Key>): Pair[] {
  const likeness = likenessOf(one, other, (key) => full.has(key));
  if (!likeness) return [];
  const [older, younger] = one.uuid < other.uuid ? [one, other] : [other, one];
  return [{ older: older.uuid, younger: younger.uuid, ...likeness }];
}
