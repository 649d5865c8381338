import type { Broken } from "../promise.ts";
import type { Change } from "../webhooks/history.ts";
import { judgeDeliveries, judgeListeners, type Listeners } from "../webhooks/judge.ts";
import type { Found, LoadHistory, Made } from "./history.ts";

/** A time in which deliveries may come again. Times of `now()`. */
interface Disturbance {
  at: number;
  recoveredAt: number;
}

/** The promises about records, and about what listeners were told, that a history shows broken. */
export function judgeLoad(history: LoadHistory, disturbances: Disturbance[], bounds: { repeatsMs: number }): Broken[] {
  const { written, read, streamed, received } = history;
  const listeners: Listeners = {
    webhook: { told: received, hasCursor: false },
    feed: { told: read, hasCursor: true },
    ...Object.fromEntries(streamed.map((told, i) => [`stream ${i}`, { told, hasCursor: true }])),
  };
  return [
    ...judgeRecords(history),
    ...judgeListeners({ written, perhaps: [...history.perhaps, ...unanswered(history)] }, listeners),
    ...judgeDeliveries(received, disturbances, bounds),
  ];
}

/** Creations that nobody was told of, and that have happened all the same. */
function unanswered({ people, found }: LoadHistory): Change[] {
  const names = new Set(people.filter(({ ids }) => ids === undefined).map(({ name }) => name));
  return found.people.flatMap(({ id, firstName }) => (names.has(firstName ?? "") ? [{ recordId: id, number: 0 }] : []));
}

function judgeRecords({ people, notes, titles, found }: LoadHistory): Broken[] {
  return [
    ...judgeMade(
      people,
      found.people.map(({ id, firstName }) => ({ id, name: firstName ?? "" })),
    ),
    ...judgeMade(
      notes,
      found.notes.map(({ id, content }) => ({ id, name: content })),
    ),
    ...judgeTitles(titles, found),
  ];
}

function judgeMade(all: Made[], found: { id: string; name: string }[]): Broken[] {
  const there = Map.groupBy(found, ({ name }) => name);
  const names = new Set(all.map(({ name }) => name));
  return [
    ...all.flatMap(({ name, count, ids }) => {
      const mine = (there.get(name) ?? []).map(({ id }) => id);
      const seen = `${name}: ${mine.length} of ${count}`;
      if (mine.length > count) return [broken("a key has its effect once", seen)];
      const missing = ids?.filter((id) => !mine.includes(id)) ?? [];
      if (missing.length > 0)
        return [broken("no acknowledged write is lost", `${seen}, without ${missing.join(", ")}`)];
      // A batch is written as a whole.
      return ids || mine.length === 0 || mine.length === count ? [] : [broken("a key has its effect once", seen)];
    }),
    ...[...there.keys()].filter((name) => !names.has(name)).map((name) => broken("every record has its request", name)),
  ];
}

function judgeTitles(titles: LoadHistory["titles"], found: Found): Broken[] {
  const there = new Map(found.people.map(({ id, jobTitle }) => [id, Number(jobTitle ?? 0)]));
  return titles
    .filter(({ recordId, acknowledged, perhaps }) => ![acknowledged, perhaps].includes(there.get(recordId) ?? -1))
    .map(({ recordId, acknowledged }) =>
      broken("a record is as it was told", `${recordId}: ${there.get(recordId)} instead of ${acknowledged}`),
    );
}

function broken(promise: string, seen: string): Broken {
  return { promise, seen };
}
