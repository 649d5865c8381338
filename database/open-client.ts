import { lookup } from "node:dns/promises";
import { isIP, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type DatabaseHost, databaseAddress } from "../config/database-address.ts";
import { Client, type ClientConfig } from "./client.ts";
import { errorCode, isUnavailable } from "./errors.ts";

/**
 * A host that has not answered after this time does not hold up the next one, which is tried beside it. The attempt
 * goes on: on a busy machine one that was given up early would never succeed.
 */
const NEXT_HOST_MS = 500;

/** A host that was tried in vain. */
export interface HostFailure {
  /** Name or address of the host with its port. */
  place: string;
  error: unknown;
}

/** Thrown when none of several hosts has let a client in. Its code is that of a host which may do so later, if any. */
export class NoHost extends Error {
  readonly code: string | undefined;
  readonly failures: readonly HostFailure[];

  constructor(failures: readonly HostFailure[]) {
    const said = failures.map(({ place, error }) => `${place}: ${(error as Error).message}`).join("; ");
    const away = failures.find(({ error }) => isUnavailable(error));
    super(said);
    this.code = errorCode((away ?? failures[0])?.error);
    this.failures = failures;
  }
}

/** Settings of a connection that is opened, whatever its host. */
export type Opening = ClientConfig & { connectionString: string; connectionTimeoutMillis: number };

/** One of several ways to the database: a host, or one of the IP addresses of its name. */
interface Way {
  place: string;
  open(limitMs: number, signal: AbortSignal): Promise<Client>;
}

/** Ways that are tried one after the other. Searches with other keys do not share what was found. */
interface Search {
  key: string;
  ways: Way[];
}

/** For a list of ways: the place of the one that was open last. The connections of this process try that one first. */
const lastOpen = new Map<string, string>();

/**
 * Opens a connection, to the host that the address asks for. Several hosts, and several IP addresses of a name, are
 * tried in their order, beginning with the one that last worked. One that refuses, does not answer in time or is a
 * standby is left for the next. docs/guides/high-availability.md#several-hosts
 * @throws NoHost when there are several and none of them is right, else what pg throws
 */
export async function openClient(config: Opening): Promise<Client> {
  const address = databaseAddress(config.connectionString);
  if (!address) return connected(new Client(config));
  const { hosts, target, connectMs = Number.POSITIVE_INFINITY } = address;
  const [first] = hosts;
  const to = (url: string, limitMs: number): Opening => ({
    ...config,
    connectionString: url,
    connectionTimeoutMillis: Math.min(limitMs, connectMs),
    target,
  });
  const limitMs = config.connectionTimeoutMillis;
  if (hosts.length === 1 && target === "any" && first) return connected(new Client(to(first.url, limitMs)));
  const ways = hosts.map((host) => wayTo(host, (limitMs) => to(host.url, limitMs)));
  return firstOpen({ key: target, ways }, limitMs, new AbortController().signal);
}

async function connected(client: Client): Promise<Client> {
  await client.connect();
  return client;
}

/** Way to a host, by each of the IP addresses of its name. */
function wayTo({ host, port }: DatabaseHost, settings: (limitMs: number) => Opening): Way {
  const open = (limitMs: number, signal: AbortSignal, address?: string): Promise<Client> => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const client = new Client({
      ...settings(limitMs),
      ...(address !== undefined && { stream: () => socketTo(address) }),
    });
    const cutOff = () => client.connection.stream.destroy();
    signal.addEventListener("abort", cutOff);
    return connected(client).finally(() => signal.removeEventListener("abort", cutOff));
  };
  const place = `${host}:${port}`;
  return {
    place,
    async open(limitMs, signal) {
      const isName = host !== "" && !host.startsWith("/") && isIP(host) === 0;
      const addresses = isName ? await lookup(host, { all: true }) : [];
      if (addresses.length < 2) return open(limitMs, signal);
      const ways = addresses.map(({ address }) => ({
        place: `${place} (${address})`,
        open: (limitMs: number, signal: AbortSignal) => open(limitMs, signal, address),
      }));
      return firstOpen({ key: "", ways }, limitMs, signal);
    },
  };
}

/** A socket that connects to this address of a name. The certificate is still compared with the name. */
function socketTo(address: string): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (port: number, host: string) => Socket;
  return Object.assign(socket, { connect: (port: number) => connect(port, address) });
}

/**
 * Tries the ways one after the other, and gives the first connection that opens. While one of them is silent, the
 * others are asked again: a standby may become the primary in that time.
 */
async function firstOpen(search: Search, limitMs: number, outer: AbortSignal): Promise<Client> {
  const { ways } = search;
  const key = [search.key, ...ways.map(({ place }) => place)].join();
  const first = Math.max(
    0,
    ways.findIndex(({ place }) => place === lastOpen.get(key)),
  );
  const inOrder = [...ways.slice(first), ...ways.slice(0, first)];
  const deadline = performance.now() + limitMs;
  const over = new AbortController();
  const end = () => over.abort();
  outer.addEventListener("abort", end);
  const silent = new Map<Way, Promise<void>>();
  const failures = new Map<Way, unknown>();
  let found: Client | undefined;

  async function attempt(way: Way): Promise<void> {
    try {
      const client = await way.open(Math.max(1, deadline - performance.now()), over.signal);
      if (over.signal.aborted) client.connection.stream.destroy();
      else {
        found = client;
        lastOpen.set(key, way.place);
        over.abort();
      }
    } catch (error) {
      failures.set(way, error);
    } finally {
      silent.delete(way);
    }
  }

  const settled = () => Promise.race([...silent.values(), rest(over.signal)]);
  try {
    do {
      for (const way of inOrder) {
        if (silent.has(way) || over.signal.aborted) continue;
        const begun = attempt(way);
        silent.set(way, begun);
        await Promise.race([begun, rest(over.signal)]);
      }
      if (silent.size > 0) await settled();
    } while (silent.size > 0 && !over.signal.aborted);
    if (found) return found;
    throw noHost(inOrder.map((way) => ({ place: way.place, error: failures.get(way) ?? over.signal.reason })));
  } finally {
    outer.removeEventListener("abort", end);
  }
}

/** Resolves after the time of one host, or at the end of the search. */
function rest(signal: AbortSignal): Promise<void> {
  return pause(NEXT_HOST_MS, undefined, { signal }).catch(() => undefined);
}

/** The failure of a name with several addresses is that of each of them. */
function noHost(failures: HostFailure[]): NoHost {
  return new NoHost(failures.flatMap((one) => (one.error instanceof NoHost ? one.error.failures : [one])));
}
