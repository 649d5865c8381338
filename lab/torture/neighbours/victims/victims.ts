/**
 * A process of clients who have nothing to do with an attack, so that neither the attacker nor what measures stalls
 * them: first a message with where the server is and who they are, then, for each attack, one to begin and one to end,
 * which is answered with what came of their requests.
 */
import { openConnections } from "../connections.ts";
import type { Asked } from "../history.ts";
import { wire } from "../wire.ts";
import { ANEW, KINDS, LIVEZ, NAMES, type Records } from "./kinds.ts";
import type { Order } from "./order.ts";
import { makeRecords } from "./records.ts";

/** Beyond the 10 s of docs/guides/conventions.md#when-something-is-away, so that what hangs is seen as such. */
const PATIENCE_MS = 12_000;
/** The attackers have another one: what is bounded by address must not stand between them. */
const ADDRESS = "127.0.0.2";
const TICK_MS = 2;

process.on("disconnect", () => process.exit());
process.once("message", (order: Order) => void serve(order));

async function serve(order: Order): Promise<void> {
  const records = await makeRecords(order.port, order.keys[0] ?? "", order.group);
  let end = () => Promise.resolve<Asked[]>([]);
  process.on("message", (word: "begin" | "end") => {
    if (word === "begin") end = begin(order, records);
    else void end().then((asked) => process.send?.(asked));
  });
  process.send?.("ready");
}

/** Lets all kinds come at even times, whatever came of those before. Gives what ends it and tells what came of them. */
function begin({ port, keys, perSecond }: Order, records: Records): () => Promise<Asked[]> {
  const connections = openConnections(port, ADDRESS, PATIENCE_MS);
  const asked: Asked[] = [];
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  const spacingMs = 1000 / perSecond / NAMES.length;
  let arrived = 0;

  const ask = async (kind: string, request: Buffer, dueMs: number) => {
    const { status, error } = await (kind === ANEW ? connections.askAnew(request) : connections.ask(request));
    const ms = performance.now() - begun - dueMs;
    asked.push({ kind, dueMs, ms, status, ...(error !== undefined && { error }) });
  };
  const timer = setInterval(() => {
    for (; arrived * spacingMs <= performance.now() - begun; arrived++) {
      const place = arrived % NAMES.length;
      const kind = NAMES[place] ?? "";
      const round = Math.floor(arrived / NAMES.length);
      const request = requestOf(kind, round, keyOf(keys, place, round), records);
      const asking = ask(kind, request, arrived * spacingMs).finally(() => underWay.delete(asking));
      underWay.add(asking);
    }
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(underWay);
    connections.close();
    return asked;
  };
}

/** Each kind has users of its own, who take turns: so none comes near the limits. */
function keyOf(keys: string[], place: number, round: number): string {
  return keys[(place * 2 + (round % 2)) % keys.length] ?? "";
}

function requestOf(kind: string, round: number, key: string, records: Records): Buffer {
  if (kind === LIVEZ) return wire({ method: "GET", path: "/livez" });
  if (kind === ANEW) return wire({ method: "GET", path: "/v1/users/me", key, head: ["Connection: close"] });
  const wanted = KINDS[kind];
  if (!wanted) throw new Error(`There is no kind "${kind}".`);
  return wire({ ...wanted(round, records), key });
}
