import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

/** Stands between a server and what it connects to, so that one test can take that away and the others keep theirs. */
export interface NetworkProxy {
  url: string;
  /** As if PostgreSQL had stopped: connections end, new ones are refused. */
  cut(): Promise<void>;
  /** As if the network had: nothing is refused and nothing answered. */
  hang(): void;
  /**
   * As if a firewall had forgotten the connections that there are: they fall silent, and neither side is told. New ones
   * work.
   */
  freeze(): void;
  /** As if packets were lost one way or both ways: nothing gets through until `restore`, when all of it arrives. */
  stall(which: "requests" | "answers" | "both"): void;
  /** Resets the connections that there are. New ones work. */
  reset(): void;
  /** From now on a connection is reset in the place of this share of the pieces of what is answered. */
  lose(share: number, random: () => number): void;
  /** From now on every answer comes so much later, and in two parts. */
  slow(ms: number): void;
  /**
   * From now on a bit is flipped in this share of the pieces of what is answered: among the first bytes, where the peer
   * says what follows. Further inside it would make another value of a value, and nobody could tell.
   */
  corrupt(share: number, random: () => number): void;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** How much later the second part of a slow answer comes. */
const SECOND_PART_MS = 20;

/** Of PostgreSQL the kind of a message and its length, of NATS the word that begins a line. */
const HEAD_BYTES = 5;

/**
 * Opens a proxy to the database of this URL, on a port of its own.
 * @param onOpen gives for each connection what takes all that its client sends
 */
export function openProxy(databaseUrl: string, onOpen?: OnOpen): Promise<NetworkProxy> {
  const { host, port } = new pg.Client(databaseUrl);
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  return proxyTo(target, databaseUrl, onOpen);
}

/** What becomes of an answer on its way. */
type Way = (answer: Buffer, carry: Carry) => Promise<void> | void;

interface Carry {
  arrivedAt: number;
  write(data: Buffer): void;
  /** Resets the connection, on both sides. */
  reset(): void;
}

type OnOpen = () => (sent: Buffer) => void;

/** Opens a proxy to the target, on a port of its own; its URL is that of the target with this port. */
export async function proxyTo(target: NetConnectOpts, targetUrl: string, onOpen?: OnOpen): Promise<NetworkProxy> {
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  const stalls = openStalls();
  let hanging = false;
  let way: Way | undefined;

  function carry(from: Socket, to: Socket, isAnswer: boolean): void {
    sockets.add(from);
    stalls.add(from, isAnswer ? "answers" : "requests");
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      if (!frozen.delete(from)) to.destroy();
    });
    const write = (data: Buffer) => {
      if (!hanging) to.write(data);
    };
    // What was sent first arrives first, however slow it was.
    let before = Promise.resolve();
    let waiting = 0;
    from.on("data", (data) => {
      if (waiting === 0 && !(way && isAnswer)) return write(data);
      const [chosen, arrivedAt] = [way, performance.now()];
      waiting += 1;
      before = before
        .then(() => (chosen ? chosen(data, { arrivedAt, write, reset: () => resetAll([from, to]) }) : write(data)))
        .finally(() => {
          waiting -= 1;
        });
    });
  }

  const server = createServer({ noDelay: true }, (incoming) => {
    const outgoing = connect({ ...target, noDelay: true });
    if (onOpen) incoming.on("data", onOpen());
    carry(incoming, outgoing, false);
    carry(outgoing, incoming, true);
  });
  await listen(server, 0);
  const { port: proxied } = server.address() as AddressInfo;

  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const restore = async () => {
    // What hung has lost some of its bytes.
    if (hanging) for (const socket of sockets) socket.destroy();
    for (const socket of frozen) socket.destroy();
    hanging = false;
    way = undefined;
    stalls.end();
    if (!server.listening) await listen(server, proxied);
  };
  const hang = () => {
    hanging = true;
  };
  const freeze = () => {
    // What is not read does not tell of its end either.
    for (const socket of sockets) frozen.add(socket.pause());
  };
  const reset = () => resetAll(sockets);
  const lose = (share: number, random: () => number) => {
    way = (answer, { write, reset }) => (random() < share ? reset() : write(answer));
  };
  const slow = (ms: number) => {
    way = laterBy(ms);
  };
  const corrupt = (share: number, random: () => number) => {
    way = (answer, { write }) => write(random() < share ? flipBit(answer, random) : answer);
  };
  const url = Object.assign(new URL(targetUrl.replace(/@[^/]*/, "@127.0.0.1")), { port: String(proxied) }).href;
  const stop = () => (server.listening ? cut() : Promise.resolve());
  return { url, cut, hang, freeze, stall: stalls.begin, reset, lose, slow, corrupt, restore, stop };
}

type Side = "requests" | "answers";

/** Sockets that are not read for some time, so that what they bring waits in the system. */
function openStalls() {
  const sides = { requests: new Set<Socket>(), answers: new Set<Socket>() };
  const stalled = new Set<Side>();
  return {
    add(socket: Socket, side: Side): void {
      sides[side].add(socket);
      socket.on("close", () => sides[side].delete(socket));
      if (stalled.has(side)) socket.pause();
    },
    begin(which: Side | "both"): void {
      for (const side of which === "both" ? (["requests", "answers"] as const) : [which]) {
        stalled.add(side);
        for (const socket of sides[side]) socket.pause();
      }
    },
    end(): void {
      for (const side of stalled) for (const socket of sides[side]) socket.resume();
      stalled.clear();
    },
  };
}

/** A socket file knows no resets. What goes through it ends with the other side. */
function resetAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) if (socket.remoteAddress !== undefined) socket.resetAndDestroy();
}

function laterBy(ms: number): Way {
  return async (answer, { write, arrivedAt }) => {
    const middle = Math.ceil(answer.length / 2);
    await pause(Math.max(0, arrivedAt + ms - performance.now()));
    write(answer.subarray(0, middle));
    await pause(SECOND_PART_MS);
    write(answer.subarray(middle));
  };
}

function flipBit(answer: Buffer, random: () => number): Buffer {
  const flipped = Buffer.from(answer);
  const at = Math.floor(random() * Math.min(flipped.length, HEAD_BYTES));
  flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
  return flipped;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
}
