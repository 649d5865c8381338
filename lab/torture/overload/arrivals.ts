import { type Connection, idleConnections, openConnection } from "../../harness/connection.ts";
import type { Order, Took } from "./order.ts";
import type { Tally } from "./tally.ts";

const TICK_MS = 1;
/** Arrivals that this process is later for than this are left out: a burst would be a load that nobody ordered. */
const LATE_MS_MAX = 50;
/**
 * A request without an answer by then counts as broken: the server promises an answer within 10 s.
 * docs/guides/conventions.md#when-something-is-away
 */
const ANSWER_MS_MAX = 12_000;

type Lasted = Pick<Took, "ms" | "restMs">;

/** Every connection sends the next request as soon as it has its answer. */
export async function sendAsAnswered(
  { port, ms, connections }: Order,
  next: () => Buffer,
  tally: Tally,
): Promise<Lasted> {
  const begun = performance.now();
  const converse = async () => {
    let connection = await openConnection(port);
    while (performance.now() - begun < ms) {
      if (!connection.isOpen()) connection = await openConnection(port);
      await ask(connection, next(), tally, begun);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, converse));
  return { ms: performance.now() - begun, restMs: 0 };
}

/**
 * Requests are sent when they are due, each on a connection that is free, or on a new one while there may be more. */
export async function sendAsDue(
  { port, ms, connections, perSecond = 0 }: Order,
  next: () => Buffer,
  tally: Tally,
): Promise<Lasted> {
  const begun = performance.now();
  const pool = openPool(port, connections);
  const underWay = new Set<Promise<void>>();
  const send = async (free: Promise<Connection>) => {
    try {
      const connection = await free;
      await ask(connection, next(), tally, begun);
      pool.giveBack(connection);
    } catch (error) {
      tally.sent(performance.now() - begun).broke((error as Error).message);
    }
  };
  const arrive = () => {
    const free = pool.take();
    if (!free) return tally.unsent();
    const sending = send(free).finally(() => underWay.delete(sending));
    underWay.add(sending);
  };
  await pace(ms, perSecond, begun, arrive, tally.unsent);
  const sentMs = performance.now() - begun;
  await Promise.all(underWay);
  pool.close();
  return { ms: sentMs, restMs: performance.now() - begun - sentMs };
}

/** Calls `arrive` for every request that is due, until the time is over. */
function pace(ms: number, perSecond: number, begun: number, arrive: () => void, leaveOut: () => void): Promise<void> {
  const lateMax = Math.floor((LATE_MS_MAX * perSecond) / 1000);
  let arrived = 0;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const atMs = performance.now() - begun;
      const due = Math.floor((Math.min(atMs, ms) * perSecond) / 1000);
      for (; arrived < due - lateMax; arrived++) leaveOut();
      for (; arrived < due; arrived++) arrive();
      if (atMs < ms) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
}

/** Connections of which there are so many at most. */
function openPool(port: number, max: number) {
  let opened = 0;
  const idle = idleConnections(() => {
    opened -= 1;
  });

  async function openOne(): Promise<Connection> {
    opened += 1;
    try {
      return await openConnection(port);
    } catch (error) {
      opened -= 1;
      throw error;
    }
  }

  /** Undefined when as many as may be are in use. */
  function take(): Promise<Connection> | undefined {
    const free = idle.take();
    if (free) return Promise.resolve(free);
    return opened < max ? openOne() : undefined;
  }
  return { ...idle, take };
}

/** One request on one connection. Never rejects. */
async function ask(connection: Connection, request: Buffer, tally: Tally, begun: number): Promise<void> {
  const sentAt = performance.now();
  const outcome = tally.sent(sentAt - begun);
  let isLate = false;
  const patience = setTimeout(() => {
    isLate = true;
    connection.close();
  }, ANSWER_MS_MAX);
  try {
    const answer = await connection.ask(request);
    outcome.answered(answer.status, performance.now() - sentAt, () => /\r\nretry-after: [1-9]/i.test(answer.text()));
  } catch (error) {
    connection.close();
    outcome.broke(isLate ? `no answer within ${ANSWER_MS_MAX} ms` : (error as Error).message);
  } finally {
    clearTimeout(patience);
  }
}
