import { setTimeout as pause } from "node:timers/promises";
import { type Came, type Connections, openConnections } from "../connections.ts";
import type { Answered } from "../history.ts";
import { type Wanted, wire } from "../wire.ts";
import type { AttackerUser } from "../workspaces.ts";
import type { Order } from "./order.ts";

/** What an attacker has: a workspace, keys, and what sends. */
export interface World extends Omit<Order, "ms" | "attack"> {
  /** The first user, who is admin of everything. */
  admin: AttackerUser;
  connections: Connections;
  /** False when the time is over; nothing is sent any more then. */
  goesOn(): boolean;
  /** Notes what came of a request, or of a connection. */
  note(what: string | number): void;
  answered: Answered;
  /** Sends a request and notes what came of it. */
  ask(wanted: Wanted | Buffer): Promise<Came>;
  /** Sends a request until it is answered with 200, and gives its data: what an attack needs beforehand. */
  make<Data = { id: string }>(wanted: Wanted): Promise<Data>;
}

const PATIENCE_MS = 15_000;
const AGAIN_MS = 200;
const MAKE_MS_MAX = 45_000;

/** The world of an attacker; the clock begins when `begin` is called. */
export function openWorld(order: Order): World & { begin(): void } {
  const connections = openConnections(order.port, "127.0.0.1", PATIENCE_MS);
  const answered: Answered = {};
  let until = Number.POSITIVE_INFINITY;
  const [admin] = order.users;
  if (!admin) throw new Error("An attacker has no users.");
  const note = (what: string | number) => {
    answered[what] = (answered[what] ?? 0) + 1;
  };
  return {
    ...order,
    admin,
    connections,
    answered,
    note,
    goesOn: () => performance.now() < until,
    begin: () => {
      for (const what of Object.keys(answered)) delete answered[what];
      until = performance.now() + order.ms;
    },
    async ask(wanted) {
      const came = await connections.ask(Buffer.isBuffer(wanted) ? wanted : wire(wanted));
      note(came.error ?? came.status);
      return came;
    },
    async make<Data>(wanted: Wanted): Promise<Data> {
      const begun = performance.now();
      for (;;) {
        const came = await connections.ask(wire(wanted));
        const text = came.text().split("\r\n\r\n")[1] ?? "";
        if (came.status === 200) return (JSON.parse(text) as { data: Data }).data;
        const mayPass = came.status === 429 || came.status === 503;
        if (!mayPass || performance.now() - begun > MAKE_MS_MAX)
          throw new Error(`${wanted.method} ${wanted.path}: ${came.status} ${came.error ?? text.slice(0, 300)}`);
        await pause(AGAIN_MS);
      }
    },
  };
}
