import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { Socket } from "node:net";

/** A request as a client sends it. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** What came of it; status 0 and the reason when no whole answer came. */
export interface Came {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  error?: string;
}

/** A client with connections that stay open, to one gateway. */
export interface Sender {
  /**
   * Never rejects. With `cutAfterMs` the client resets its connection that long after it has sent, if no answer came
   * before.
   */
  send(sent: Sent, cutAfterMs?: number): Promise<Came>;
  /** Resets a share of the open connections, in use or not. */
  reset(random: () => number, share: number): number;
  close(): void;
}

/** Beyond the 10 s of docs/guides/conventions.md#when-something-is-away, so that what hangs is seen as such. */
const PATIENCE_MS = 20_000;

/** Opens a sender to a gateway. */
export function openSender(port: number): Sender {
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();

  function send({ method, path, headers, body }: Sent, cutAfterMs?: number): Promise<Came> {
    return new Promise((resolve) => {
      const length =
        body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
      const outgoing = request({ agent, host: "127.0.0.1", port, method, path, headers: { ...headers, ...length } });
      const patience = setTimeout(() => outgoing.destroy(new Error("no answer in time")), PATIENCE_MS);
      const cut =
        cutAfterMs === undefined ? undefined : setTimeout(() => outgoing.socket?.resetAndDestroy(), cutAfterMs);
      const finish = (came: Came) => {
        clearTimeout(patience);
        clearTimeout(cut);
        resolve(came);
      };
      const fail = (error: NodeJS.ErrnoException) =>
        finish({ status: 0, headers: {}, text: "", error: error.code ?? error.message });
      outgoing.on("error", fail);
      outgoing.on("socket", (socket) => watch(sockets, socket));
      outgoing.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => {
          const { statusCode: status = 0, headers: received } = response;
          finish({ status, headers: received, text: Buffer.concat(chunks).toString() });
        });
      });
      outgoing.end(body);
    });
  }

  return {
    send,
    reset: (random, share) => {
      const chosen = [...sockets].filter(() => random() < share);
      for (const socket of chosen) socket.resetAndDestroy();
      return chosen.length;
    },
    close: () => agent.destroy(),
  };
}

function watch(sockets: Set<Socket>, socket: Socket): void {
  if (sockets.has(socket)) return;
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
}
