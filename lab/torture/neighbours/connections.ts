import { type Connection, idleConnections, openConnection } from "../../harness/connection.ts";

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

/** Opens none yet. What is not answered after `patienceMs` is given up. */
export function openConnections(port: number, localAddress: string, patienceMs: number): Connections {
  const idle = idleConnections();
  const open = () => openConnection(port, localAddress);

  async function askOn(opening: Connection | Promise<Connection>, request: Buffer, isKept: boolean): Promise<Came> {
    let connection: Connection | undefined;
    try {
      connection = await within(Promise.resolve(opening), patienceMs);
      const { status, text } = await within(connection.ask(request), patienceMs);
      if (isKept) idle.giveBack(connection);
      else connection.close();
      return { status, text };
    } catch (error) {
      connection?.close();
      const { code, message } = error as NodeJS.ErrnoException;
      return { status: 0, text: () => "", error: code ?? message };
    }
  }

  return {
    ask: (request) => askOn(idle.take() ?? open(), request, true),
    askAnew: (request) => askOn(open(), request, false),
    close: idle.close,
  };
}

function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
