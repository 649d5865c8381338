import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../../database/errors.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { type Answer, type Client, client } from "./client.ts";
import type { TestServer } from "./server.ts";

const WALKERS = 4;
/** Rest of a walker between two requests, so that a busy machine does not refuse them for lack of time. */
const REST_MS = 40;
const LOOK_MS = 50;
const REFUSED = "ECONNREFUSED";
/** A request may take this many attempts with one key: a busy machine refuses some requests for lack of time. */
const ATTEMPTS = 3;
/** A walker stops after this many, and the test fails. */
const ATTEMPTS_MAX = 100;
/** Rest of a walker between two attempts. */
const REPEAT_MS = 500;

/** An answer; status 0 and the code of the system when there was none. */
type Came = Pick<Answer, "status" | "text">;

type Sent = Parameters<Client["request"]>;

/** Whether a walker repeats a request with this answer. */
const mayRepeat = (status: number) => status === 0 || status === 503;

/** Clients that write and read people all the time, behind a proxy that looks at `/readyz` of the gateways. */
export interface Walkers {
  /** Title of each person by id, as it was acknowledged last. */
  acknowledged: ReadonlyMap<string, string>;
  requests(): number;
  /** Gives the requests that failed since its last call: not answered with 200 in as many attempts as they may take. */
  takeFailures(): string[];
  /** Sends a request as a walker does. */
  ask<Data>(method: string, path: string, body?: object): Promise<Data>;
  /** Ends the requests; returns when the last ones are answered. Rejects when one of them failed for good. */
  rest(): Promise<void>;
  close(): void;
}

/** Starts them on the gateways at these ports. */
export function startWalkers(ports: readonly number[], key: string): Walkers {
  const proxy = openProxy(ports, key);
  const acknowledged = new Map<string, string>();
  const failures: string[] = [];
  let requests = 0;
  let walking = true;

  /** Repeats a request with its key until the answer is definitive. */
  async function sendUntilAnswered(...sent: Sent): Promise<Came> {
    for (let attempt = 1; ; attempt += 1) {
      const came = await proxy.send(...sent);
      const { status, text } = came;
      requests += 1;
      if (status !== 200 && (attempt === ATTEMPTS || !mayRepeat(status)))
        failures.push(`${sent[0]} ${sent[1]}: ${status} ${text}`);
      if (!mayRepeat(status) || attempt === ATTEMPTS_MAX) return came;
      await pause(REPEAT_MS);
    }
  }

  async function ask<Data>(method: string, path: string, body?: object): Promise<Data> {
    const came = await sendUntilAnswered(method, path, body, { "Idempotency-Key": randomUUID() });
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
function openProxy(ports: readonly number[], key: string): { send(...sent: Sent): Promise<Came>; close(): void } {
  const gateways = ports.map((port) => {
    const base = `http://127.0.0.1:${port}`;
    return { base, client: client({ base, publicUrl: TEST_ENV.PUBLIC_URL } as TestServer, key), isReady: true };
  });
  let next = 0;
  let open = true;
  for (const gateway of gateways) void look(gateway);

  async function look(gateway: (typeof gateways)[number]): Promise<void> {
    while (open) {
      const probe = await fetch(`${gateway.base}/readyz`).catch(() => undefined);
      gateway.isReady = probe?.status === 200;
      await probe?.text().catch(() => undefined);
      await pause(LOOK_MS);
    }
  }

  async function send(...sent: Sent): Promise<Came> {
    next += 1;
    const inTurn = [...gateways.slice(next % gateways.length), ...gateways.slice(0, next % gateways.length)];
    let came: Came = { status: 0, text: REFUSED };
    for (const gateway of inTurn.sort((a, b) => Number(b.isReady) - Number(a.isReady))) {
      came = await gateway.client.request(...sent).catch(unanswered);
      if (came.text !== REFUSED) return came;
    }
    return came;
  }

  function close(): void {
    open = false;
  }

  return { send, close };
}

/** Stands for the answer of a connection that was refused or reset. An answer that fails its check is thrown. */
function unanswered(error: unknown): Came {
  const code = errorCode(error);
  if (code !== REFUSED && code !== "ECONNRESET") throw error;
  return { status: 0, text: code };
}
