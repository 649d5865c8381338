import pg from "pg";
import { answersWithin } from "../base/loop/answers-within.ts";
import { type PoolConnection, query, type Waits } from "./connection.ts";
import { SILENCE } from "./errors.ts";

/** Signs by which a pool knows whether the server is still there at the other end of its connections. */
export interface Liveness {
  /** Notes from now on when a connection answers. */
  watch(connection: PoolConnection): void;
  /** Whether a connection that is not in use may be used; one that may not is cut off. */
  isAlive(connection: PoolConnection): Promise<boolean>;
  /** Milliseconds since any connection has answered. */
  sinceAnswer(): number;
}

/**
 * Finds connections that have fallen silent before anybody waits for them: one that has not answered lately is asked.
 * When one is silent, so are those that have not answered since: what took it away, a firewall or a failed host, took
 * them too.
 */
export function createLiveness({ trustMs, probeMs }: Pick<Waits, "trustMs" | "probeMs">): Liveness {
  const answers = new WeakMap<PoolConnection, number>();
  let lastAnswer = 0;
  let silentSince = 0;

  function noteAnswer(connection: PoolConnection): void {
    lastAnswer = performance.now();
    answers.set(connection, lastAnswer);
  }

  function watch(connection: PoolConnection): void {
    const send = connection.query.bind(connection);
    noteAnswer(connection);
    connection.query = (statement, answer) => {
      const sent = performance.now();
      return send(statement, (error, result) => {
        if (!error || error instanceof pg.DatabaseError) noteAnswer(connection);
        else if (isSilence(error)) silentSince = Math.max(silentSince, sent);
        answer(error, result);
      });
    };
  }

  async function isAlive(connection: PoolConnection): Promise<boolean> {
    const answered = answers.get(connection) ?? 0;
    const sent = performance.now();
    if (answered >= silentSince) {
      if (sent - answered < trustMs || (await answersWithin(probeMs, query(connection, { text: "select 1" }))))
        return true;
      silentSince = Math.max(silentSince, sent);
    }
    connection.connection.stream.destroy();
    return false;
  }

  return { watch, isAlive, sinceAnswer: () => performance.now() - lastAnswer };
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === SILENCE;
}
