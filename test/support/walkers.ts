import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../../database/errors.ts";

const WALKERS = 4;
/** Rest of a walker between two requests, so that a busy machine does not refuse them for lack of time. */
const REST_MS = 40;
const LOOK_MS = 50;
const REFUSED = "ECONNREFUSED";
/** Attempts with one key until a request fails for good. */
const ATTEMPTS_MAX = 100;

/** A request as a client sends it. */
interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Its answer; status 0 and the code of the system when there was none. */
interface Came {
  status: number;
  text: string;
}

/** Clients that write and read people all the time, behind a proxy that looks at `/readyz` of the gateways. */
export interface Walkers {
  /** Title of each person by id, as it was acknowledged last. */
  acknowledged: ReadonlyMap<string, string>;
  requests(): number;
  /** Takes the first attempts that were not answered with 200 since the last call. */
  takeFailures(): string[];
  /** Sends a request as a walker does. */
  ask<Data>(method: string, path: string, body?: object): Promise<Data>;
  /** Ends the requests; returns when the last ones are answered. Rejects when one of them failed for good. */
  rest(): Promise<void>;
  close(): void;
}

/** Starts them on the gateways at these ports. */
export function startWalkers(ports: readonly number[], key: string): Walkers {
  const proxy = openProxy(ports);
  const acknowledged = new Map<string, string>();
  const failures: string[] = [];
  let requests = 0;
  let walking = true;

  /** Repeats a request with its key until the answer is definitive. */
  async function sendUntilAnswered(sent: Sent): Promise<Came> {
    for (let attempt = 1; ; attempt += 1) {
      const came = await proxy.send(sent);
      const { status, text } = came;
      requests += 1;
      if (status !== 200 && attempt === 1) failures.push(`${sent.method} ${sent.path}: ${status} ${text}`);
      if (![0, 503].includes(status) || attempt === ATTEMPTS_MAX) return came;
      await pause(REST_MS);
    }
  }

  async function ask<Data>(method: string, path: string, body?: object): Promise<Data> {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Idempotency-Key": randomUUID(),
      ...(body && { "Content-Type": "application/json" }),
    };
    const came = await sendUntilAnswered({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
    if (came.status !== 200) throw new Error(`${method} ${path}: ${came.status} ${came.text}`);
    return (JSON.parse(came.text) as { data: Data }).data;
  }

  async function walk(): Promise<void> {
    for (let step = 1; walking; step += 1) {
      const { id } = await ask<{ id: string }>("POST", "/v1/people", { firstName: "Walker", jobTitle: "new" });
      acknowledged.set(id, "new");
      await pause(REST_MS);
      await ask("PATCH", `/v1/people/${id}`, { jobTitle: `step ${step}` });
      acknowledged.set(id, `step ${step}`);
      await ask("GET", `/v1/people/${id}`);
      await pause(REST_MS);
    }
  }

  const walks = Promise.all(Array.from({ length: WALKERS }, walk));
  // rest() tells of it.
  walks.catch(() => undefined);
  return {
    acknowledged,
    requests: () => requests,
    takeFailures: () => failures.splice(0),
    ask,
    async rest() {
      walking = false;
      await walks;
    },
    close: proxy.close,
  };
}

/** Sends requests to gateways that are ready in turn, and to another one when a connection is refused. */
function openProxy(ports: readonly number[]): { send(sent: Sent): Promise<Came>; close(): void } {
  const gateways = ports.map((port) => ({ base: `http://127.0.0.1:${port}`, isReady: true }));
  let next = 0;
  let open = true;
  for (const gateway of gateways) void look(gateway);

  async function look(gateway: (typeof gateways)[number]): Promise<void> {
    while (open) {
      gateway.isReady = (await request(gateway.base, { method: "GET", path: "/readyz", headers: {} })).status === 200;
      await pause(LOOK_MS);
    }
  }

  async function send(sent: Sent): Promise<Came> {
    next += 1;
    const inTurn = [...gateways.slice(next % gateways.length), ...gateways.slice(0, next % gateways.length)];
    let came: Came = { status: 0, text: REFUSED };
    for (const { base } of inTurn.sort((a, b) => Number(b.isReady) - Number(a.isReady))) {
      came = await request(base, sent);
      if (came.text !== REFUSED) return came;
    }
    return came;
  }

  function close(): void {
    open = false;
  }

  return { send, close };
}

async function request(base: string, { path, ...init }: Sent): Promise<Came> {
  try {
    const answer = await fetch(`${base}${path}`, init);
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 0, text: errorCode((error as Error).cause) ?? String(error) };
  }
}
