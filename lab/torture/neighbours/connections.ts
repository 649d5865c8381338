import { type Connection, openConnection } from "../../harness/connection.ts";

/** What came of a request; status 0 when no whole answer came. */
export interface Came {
  status: number;
  text(): string;
  error?: string;
}

/** Connections of one client that stay open. */
export interface Connections {
  /** Sends on a connection that is free, or on a new one. Never rejects. */
  ask(request: Buffer): Promise<Came>;
  /** Sends on a connection of its own. Never rejects. */
  askAnew(request: Buffer): Promise<Came>;
  close(): void;
}

/** A connection that was idle for longer is not used again: a request sent just when the server closes it would be lost. */
const IDLE_MS_MAX = 3_000;

/** Opens none yet. What is not answered after `patienceMs` is given up. */
export function openConnections(port: number, localAddress: string, patienceMs: number): Connections {
  const idle: { connection: Connection; since: number }[] = [];

  function take(): Promise<Connection> {
    for (let last = idle.pop(); last; last = idle.pop()) {
      if (last.connection.isOpen() && performance.now() - last.since < IDLE_MS_MAX)
        return Promise.resolve(last.connection);
      last.connection.close();
    }
    return openConnection(port, localAddress);
  }

  async function askOn(opening: Promise<Connection>, request: Buffer, isKept: boolean): Promise<Came> {
    let connection: Connection | undefined;
    try {
      connection = await within(opening, patienceMs);
      const { status, text } = await within(connection.ask(request), patienceMs);
      if (isKept && connection.isOpen()) idle.push({ connection, since: performance.now() });
      else connection.close();
      return { status, text };
    } catch (error) {
      connection?.close();
      const { code, message } = error as NodeJS.ErrnoException;
      return { status: 0, text: () => "", error: code ?? message };
    }
  }

  return {
    ask: (request) => askOn(take(), request, true),
    askAnew: (request) => askOn(openConnection(port, localAddress), request, false),
    close: () => {
      for (const { connection } of idle.splice(0)) connection.close();
    },
  };
}

function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
