import { connect, type Socket } from "node:net";

/** One connection that stays open: request, answer, request, answer. */
export interface Connection {
  /** Sends a whole request and gives its whole answer; rejects when the connection ends before. */
  ask(request: Buffer): Promise<Answered>;
  isOpen(): boolean;
  close(): void;
}

export interface Answered {
  status: number;
  /** Head and body. */
  text(): string;
  body(): string;
}

/** End of an answer in chunks. */
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/**
 * Own reading of HTTP, for JSON with a Content-Length or in chunks: that of Node costs as much as the server, and there
 * are two cores for the load, the server and PostgreSQL.
 * @param localAddress an address of the loopback network that the client has
 */
export async function openConnection(port: number, localAddress = "127.0.0.1"): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const read = answers(socket);
  return {
    ask: (request) => {
      const answer = read();
      socket.write(request);
      return answer;
    },
    isOpen: () => socket.readyState === "open",
    close: () => void socket.destroy(),
  };
}

/** Gives the next complete answer at each call. */
function answers(socket: Socket): () => Promise<Answered> {
  let chunks: Buffer[] = [];
  let got = 0;
  /** Bytes of the answer: below 0 before its head has arrived, and infinite in chunks. */
  let length = -1;
  let status = 0;
  let settle: { resolve(answer: Answered): void; reject(error: Error): void } | undefined;

  function takeHead(): void {
    const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const end = all?.indexOf("\r\n\r\n") ?? -1;
    if (!all || end < 0) return;
    const head = all.toString("latin1", 0, end);
    status = Number(head.slice(9, 12));
    length = isChunked(head)
      ? Number.POSITIVE_INFINITY
      : end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  }

  /** True if all of the answer has arrived. JSON contains no CR LF, so the last chunk is found by its bytes. */
  function isComplete(): boolean {
    if (length < 0) return false;
    if (length < Number.POSITIVE_INFINITY) return got >= length;
    if ((chunks.at(-1)?.length ?? 0) < LAST_CHUNK.length) chunks = [Buffer.concat(chunks)];
    return chunks.at(-1)?.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ?? false;
  }

  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    got += chunk.length;
    if (length < 0) takeHead();
    if (!isComplete()) return;
    const read = chunks;
    chunks = [];
    got = 0;
    length = -1;
    settle?.resolve({
      status,
      text: () => Buffer.concat(read).toString(),
      body: () => bodyOf(Buffer.concat(read)),
    });
  });
  socket.on("error", (error) => settle?.reject(error));
  socket.on("close", () => settle?.reject(new Error("The server closed the connection")));
  return () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
}

function isChunked(head: string): boolean {
  return /^transfer-encoding: chunked\r?$/im.test(head);
}

/** The body of an answer, without the lengths of its chunks. */
function bodyOf(answer: Buffer): string {
  const begin = answer.indexOf("\r\n\r\n") + 4;
  if (!isChunked(answer.toString("latin1", 0, begin))) return answer.toString("utf8", begin);
  const parts: Buffer[] = [];
  for (let at = begin; at < answer.length; ) {
    const data = answer.indexOf("\r\n", at) + 2;
    const end = data + Number.parseInt(answer.toString("latin1", at, data), 16);
    parts.push(answer.subarray(data, end));
    at = end + 2;
  }
  return Buffer.concat(parts).toString();
}

/**
 * A connection that was idle for longer is not used again: a request sent just when the server closes it would be lost.
 */
const IDLE_MS_MAX = 3_000;

/** Connections that wait for their next request; the one that was used last goes first. */
export interface IdleConnections {
  /** One that is still open; undefined when there is none. */
  take(): Connection | undefined;
  giveBack(connection: Connection): void;
  close(): void;
}

/** @param onClosed hears of each connection that was found closed, or too old to be used again */
export function idleConnections(onClosed: () => void = () => undefined): IdleConnections {
  const idle: { connection: Connection; since: number }[] = [];
  return {
    take() {
      for (let last = idle.pop(); last; last = idle.pop()) {
        if (last.connection.isOpen() && performance.now() - last.since < IDLE_MS_MAX) return last.connection;
        last.connection.close();
        onClosed();
      }
      return undefined;
    },
    giveBack(connection) {
      if (connection.isOpen()) idle.push({ connection, since: performance.now() });
      else onClosed();
    },
    close() {
      for (const { connection } of idle.splice(0)) connection.close();
    },
  };
}
