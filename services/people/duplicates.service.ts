import type { ServiceSchema } from "moleculer";
import { type Polling, pauseUnlessAborted, startPolling } from "../../base/jobs/polling.ts";
import type { Uuid } from "../../base/values/ids.ts";
import { lookIntervals } from "../../database/citus/looks.ts";
import type { Database } from "../../database/database.ts";
import { dueWorkspaces, takeTurn } from "../../engine/duplicates/turn.ts";
import { storeOf } from "../../engine/store/store.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { pollingMixin } from "../../mixins/polling.mixin.ts";

/** Interval of the looks at the workspaces in which something was written. */
const LOOK_EVERY_MS = 1_000;
/** Interval of the looks at all workspaces, which find what no notice has told of. */
const LOOK_AT_ALL_EVERY_MS = 3_000;
/** The look at all workspaces takes no more than the twentieth part of the time. */
const LOOK_SHARE = 20;
/** Rest after a turn with more to do while requests wait, as a multiple of the time of the turn. */
const REST_TIMES_BEHIND = 3;

interface Finding extends Polling {
  /** Workspaces to look at next. */
  note(workspaces: Iterable<Uuid>): void;
}

interface Options {
  hasWaiting(): boolean;
  onFailure(error: Error): void;
}

/** Each round takes one turn in each workspace with something to do. */
function startFinding(database: Database, { hasWaiting, onFailure }: Options): Finding {
  const noted = new Set<Uuid>();
  let isAllDue = 0;

  async function look(): Promise<Uuid[]> {
    const begun = performance.now();
    const isAll = begun >= isAllDue;
    const asked = new Set(noted);
    noted.clear();
    // Something was written in those: a turn costs less than the question whether there is something to do.
    if (!isAll) return [...asked];
    const due = await dueWorkspaces(database.queryPlanned);
    const tookMs = performance.now() - begun;
    isAllDue = begun + Math.max(LOOK_AT_ALL_EVERY_MS, LOOK_SHARE * tookMs);
    return [...new Set([...asked, ...due])];
  }

  const polling = startPolling({
    ...lookIntervals(database, LOOK_EVERY_MS),
    async work(signal) {
      const left: Uuid[] = [];
      for (const workspaceId of await look()) {
        const begun = performance.now();
        const { hasMore } = await takeTurn(database, workspaceId);
        if (!hasMore) continue;
        left.push(workspaceId);
        const rests = hasWaiting() ? REST_TIMES_BEHIND : 1;
        await pauseUnlessAborted(rests * (performance.now() - begun), signal);
        if (signal.aborted) return false;
      }
      note(left);
      return left.length > 0;
    },
    onFailure,
  });
  function note(workspaces: Iterable<Uuid>): void {
    for (const workspaceId of workspaces) noted.add(workspaceId);
  }

  return { ...polling, note };
}

/**
 * Finds people and companies that are likely one, behind the writes. Each process of the folder does so; one at a time
 * does for a workspace. docs/decisions/0026-duplicates.md
 */
export default function duplicatesService({ database }: ServiceContext): ServiceSchema {
  const { hasWaiting } = storeOf(database);
  return {
    name: "duplicates",
    mixins: [
      pollingMixin<Finding>({
        wokenBy: "log.appended",
        // It need not be at once: more records at a time cost less.
        wake: (finding, { workspaces }) => finding.note(workspaces),
        start: (logger) =>
          startFinding(database, {
            hasWaiting,
            onFailure: ({ message }) => logger.warn("Duplicates were not looked for:", message),
          }),
      }),
    ],
  };
}
