import type { Uuid } from "../../../base/values/ids.ts";
import { PENDING_DELIVERIES_MAX } from "../../../config/limits.ts";
import { byWorkspace } from "../../../database/by-workspace.ts";
import { type Database, run, type Transaction } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { type Settled, settledStatement } from "../../../engine/feed/settled.ts";
import type { DefinitionsCache } from "../../../model/definitions/definitions-cache.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import {
  type Behind,
  behindOf,
  giveRoom,
  leaveBehind,
  type Reached,
  readBehind,
  writeReached,
} from "./behind.queries.ts";
import { createBudget } from "./budget.ts";
import { type FanOutBounds, fanOut } from "./fan-out.ts";
import { ENTRIES_AT_ONCE, type LogPage, readLog } from "./log-entries.ts";

/** Result of one run. */
export interface Run {
  deliveries: number;
  hasMore: boolean;
}

export interface PublisherMeans {
  definitionsCache: Pick<DefinitionsCache, "atLeast">;
  subscriptions: Subscriptions;
  /** Number of pending deliveries that a workspace may have. By default the one of the guide. */
  pendingMax?: number;
  /** Time for which webhooks that are behind and have no room are not looked at. */
  behindRestMs?: number;
}

/** Makes the deliveries of events, each workspace by itself. docs/decisions/0013-events.md#deliveries */
export interface Publisher {
  /**
   * Workspaces with webhooks in which there is something to do.
   * @param among undefined: all of them
   */
  due(among?: Iterable<Uuid>): Promise<Uuid[]>;
  /**
   * Does one thing for a workspace in one transaction: makes deliveries of new entries of its log, or for webhooks that
   * are behind, which have every second turn while there is both. Nothing happens when there is neither, or when
   * another process does it at the moment.
   */
  publish(workspaceId: Uuid): Promise<Run>;
}

const NOTHING: Run = { deliveries: 0, hasMore: false };
const BEHIND_REST_MS = 1_000;
/** Deliveries for webhooks that are behind, in one turn. It takes a tenth of a second then. */
const TURN_MAX = 1_000;
/** Each event of a workspace with many webhooks may fill a turn, so fewer are read, but not fewer than this. */
const EVENTS_MIN = 50;

/** The row of the progress of a workspace, with its state. */
interface Progress {
  through: number;
  webhooksVersion: number;
  isBehind: boolean;
}

/** A workspace at work, in the transaction that has locked its progress. */
interface Publishing extends Pick<Transaction, "last"> {
  query: Query;
  workspaceId: Uuid;
  progress: Progress;
  /** The number up to which its log may be read. */
  settled: number;
}

/** The parts that the publisher needs. */
export function createPublisher(database: Pick<Database, "read" | "transaction">, means: PublisherMeans): Publisher {
  const { pendingMax = PENDING_DELIVERIES_MAX, behindRestMs = BEHIND_REST_MS } = means;
  const { passOn, catchUp } = createDelivering(means, pendingMax);
  /** Workspaces whose webhooks that are behind had the last turn. */
  const hadTurn = new Set<Uuid>();
  /** Workspace → until when its webhooks that are behind have no room. */
  const resting = new Map<Uuid, number>();

  async function due(among?: Iterable<Uuid>): Promise<Uuid[]> {
    const rows = among
      ? await byWorkspace(
          [...among].map((workspaceId) => ({ workspaceId })),
          (workspaceId) => database.read<{ workspaceId: Uuid }>(DUE_IN, [workspaceId]),
        )
      : await database.read<{ workspaceId: Uuid }>(DUE);
    return rows.map(({ workspaceId }) => workspaceId);
  }

  function publish(workspaceId: Uuid): Promise<Run> {
    return database.transaction(
      async (trx) => {
        const [[progress] = [], [settled] = []] = (await trx.opened) as [Progress[], Settled[]];
        if (!progress) return NOTHING;
        const query: Query = (sql, values, form) => run(trx, sql, values, form);
        const publishing = { query, last: trx.last, workspaceId, progress, settled: settled?.through ?? 0 };
        const mayCatchUp = progress.isBehind && (resting.get(workspaceId) ?? 0) <= performance.now();
        if (mayCatchUp && !hadTurn.delete(workspaceId)) {
          hadTurn.add(workspaceId);
          return { deliveries: await takeTurn(publishing), hasMore: true };
        }
        const passed = await passOn(publishing);
        return { ...passed, hasMore: passed.hasMore || mayCatchUp };
      },
      { opening: [{ text: LOCK, values: [workspaceId] }, settledStatement([workspaceId])] },
    );
  }

  /** Makes deliveries for webhooks that are behind, and gives how many. */
  async function takeTurn(publishing: Publishing): Promise<number> {
    const { query, workspaceId } = publishing;
    const behind = await readBehind(query, workspaceId, TURN_MAX, pendingMax);
    if (behind.length === 0) {
      resting.set(workspaceId, performance.now() + behindRestMs);
      return 0;
    }
    resting.delete(workspaceId);
    return catchUp(publishing, behind);
  }

  return { due, publish };
}

/** The work on one workspace, whose progress is locked. */
function createDelivering(means: PublisherMeans, pendingMax: number) {
  /** The next entries of the log, with the subscriptions that were active when they were read, or later ones. */
  async function nextPage({ query, workspaceId, progress }: Publishing, after: number, through: number, most: number) {
    for (let version = progress.webhooksVersion; ; ) {
      const index = await means.subscriptions.atLeast(query, workspaceId, version);
      const page = await readLog(query, { workspaceId, after, through, most, types: index.types() });
      if (page.webhooksVersion <= version) return { index, page };
      version = page.webhooksVersion;
    }
  }

  async function makeDeliveries(
    { query, workspaceId }: Publishing,
    { index, page }: Awaited<ReturnType<typeof nextPage>>,
    bounds: FanOutBounds,
  ) {
    if (page.events.length === 0) return { deliveries: 0, full: [] };
    const definitions = await means.definitionsCache.atLeast(workspaceId, page.definitionsVersion);
    return fanOut(query, { workspaceId, index, definitions }, page.events, bounds);
  }

  /**
   * Makes deliveries of the next entries, until the budget is used up. The webhooks of a workspace that has more to do
   * than that are left behind, and so are those that have no room.
   * docs/decisions/0013-events.md#webhooks-that-are-behind
   */
  async function passOn(publishing: Publishing): Promise<Run> {
    const { query, last, workspaceId, progress, settled } = publishing;
    if (settled <= progress.through) return NOTHING;
    const read = await nextPage(publishing, progress.through, settled, ENTRIES_AT_ONCE);
    const { page } = read;
    const behind = progress.isBehind ? await behindOf(query, workspaceId) : new Set<Uuid>();
    const budget = createBudget();
    /** The position behind which deliveries are still to be made. */
    let left: number | null = null;
    const { deliveries, full } = await makeDeliveries(publishing, read, {
      mayBegin({ position }) {
        if (left === null && !budget.isLeft()) left = position - 1;
        return left === null;
      },
      mayHave: (_, webhookId) => !behind.has(webhookId),
      budget,
    });
    if (left !== null) await leaveBehind(query, workspaceId, left);
    else if (full.length > 0)
      await giveRoom(query, workspaceId, { webhooks: full, position: page.through, pendingMax });
    last(query(REACH, [workspaceId, page.through]));
    return { deliveries, hasMore: page.hasMore || left !== null };
  }

  async function catchUp(publishing: Publishing, behind: Behind[]): Promise<number> {
    const { query, workspaceId, progress } = publishing;
    const open = new Map(behind.map((webhook) => [webhook.webhookId, { ...webhook }]));
    const from = Math.min(...behind.map(({ through }) => through));
    const most = Math.min(ENTRIES_AT_ONCE, Math.max(EVENTS_MIN, Math.ceil(TURN_MAX / behind.length)));
    const read = await nextPage(publishing, from, progress.through, most);
    const budget = createBudget(TURN_MAX);
    /** The first event that is left for the next turn. */
    let rest: number | null = null;

    const { deliveries } = await makeDeliveries(publishing, read, {
      mayBegin({ position }) {
        if (rest === null && !budget.isLeft()) rest = position;
        return rest === null;
      },
      mayHave({ position }, webhookId) {
        const webhook = open.get(webhookId);
        if (!webhook || webhook.through >= position || webhook.room <= 0) return false;
        webhook.room -= 1;
        // A later turn takes those behind the last one that there is room for.
        if (webhook.room === 0) webhook.through = position;
        return true;
      },
      budget,
    });
    const reached = [...open.values()].map((webhook) => reachedBy(webhook, read.page, rest));
    await writeReached(query, workspaceId, reached);
    return deliveries;
  }

  return { passOn, catchUp };
}

/** @param rest the first event that is left for the next turn; null for none */
function reachedBy({ webhookId, through, room }: Behind, page: LogPage, rest: number | null): Reached {
  if (room === 0) return { webhookId, through };
  if (rest === null && !page.hasMore) return { webhookId, through: null };
  return { webhookId, through: Math.max(through, rest === null ? page.through : rest - 1) };
}

/** @param workspace SQL of the workspace of the progress `p` */
const isDue = (
  workspace: string,
) => `(exists (select from change_log l where l.workspace_id = ${workspace} and l.seq > p.through)
  or exists (select from webhook_queues q where q.workspace_id = ${workspace} and q.made_through is not null))`;

/** All workspaces are looked at now and then, and those in which something has happened at once. */
const DUE = `/* background */ select workspace_id as "workspaceId" from webhook_progress p where ${isDue("p.workspace_id")}`;
const DUE_IN = `/* background */ select workspace_id as "workspaceId" from webhook_progress p
where p.workspace_id = $1 and ${isDue("$1")}`;

const LOCK = `/* background */ select p.through::float8 as through, w.webhooks_version::float8 as "webhooksVersion",
  exists (select from webhook_queues q where q.workspace_id = $1 and q.made_through is not null) as "isBehind"
from webhook_progress p join workspaces w on w.id = p.workspace_id where p.workspace_id = $1 for update of p skip locked`;

const REACH = "/* background */ update webhook_progress set through = $2 where workspace_id = $1";
