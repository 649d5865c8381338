import { randomUUID } from "node:crypto";
import { type Target, target } from "../../lab/harness/load.ts";
import { compare, type Figures } from "./measure.ts";
import { routes } from "./routes.ts";
import type { Seeded } from "./seed.ts";
import type { Running } from "./servers.ts";

/** A request that is asked with a promise and without it. */
export interface Promised {
  name: string;
  /** The share of the requests per second that the promise may cost. */
  costMax: number;
  without: Figures;
  with: Figures;
}

interface Options {
  /** The server with limits, and one without. */
  limited: Running;
  unlimited: Running;
  reads: number;
  writes: number;
  seconds: number;
  postmaster: number;
}

/** More than a server answers meanwhile: a key that came twice would be a replay. */
const KEYS = 20_000;

/** What an Idempotency-Key adds to a create, and what rate limits add to a get. */
export async function measurePromises(seeded: Seeded, options: Options): Promise<Promised[]> {
  const { limited, unlimited, reads, writes, ...how } = options;
  const side = ({ pid, port }: Running, name: string) => {
    const requests = routes(seeded).find((route) => route.name === name)?.real ?? [];
    return { pid, target: target(port, requests, seeded.key, 0) };
  };
  const create = side(limited, "create");
  const keyed = { pid: limited.pid, target: withKeys(create.target) };
  const [plain, once] = await compare([create, keyed], { connections: writes, ...how });
  const gets: Parameters<typeof compare>[0] = [side(unlimited, "get one"), side(limited, "get one")];
  const [free, counted] = await compare(gets, { connections: reads, ...how });
  return [
    { name: "create, with an Idempotency-Key", costMax: 0.15, without: plain, with: once },
    { name: "get one, with rate limits", costMax: 0.05, without: free, with: counted },
  ];
}

/** The same requests, each with a key of its own. */
function withKeys({ port, bytes }: Target): Target {
  const keyed = Array.from({ length: KEYS }, (_, i) => {
    const text = bytes[i % bytes.length]?.toString() ?? "";
    return Buffer.from(text.replace("\r\n", `\r\nIdempotency-Key: ${randomUUID()}\r\n`));
  });
  return { port, bytes: keyed, next: 0 };
}

/** The section of the report. */
export function promisesSection(promised: Promised[]): string {
  return `## What promises cost

The same request to the same kind of server with the promise and without it, in short turns. CPU is per request.

| request | without /s | with /s | cost | aim | p50 ms without | with | CPU µs without | with | PostgreSQL µs without | with |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${promised.map(lineOf).join("\n")}
`;
}

/** What costs more than it may, or failed. */
export function promisesShortcomings(promised: Promised[]): string[] {
  return promised.flatMap(({ name, costMax, ...sides }) => {
    const failures = [...sides.without.failures, ...sides.with.failures];
    const cost = costOf(sides);
    return [
      ...(cost > costMax
        ? [`${name}: costs ${percent(cost)} of the requests per second, the aim is ${percent(costMax)}`]
        : []),
      ...(failures.length > 0 ? [`${name}: ${failures.length} requests failed, like ${failures[0]}`] : []),
    ];
  });
}

function lineOf({ name, costMax, ...sides }: Promised): string {
  const pair = (figure: "p50Ms" | "cpuUs" | "postgresUs", digits: number) =>
    [sides.without, sides.with].map((side) => side[figure].toFixed(digits));
  const [without, withIt] = [sides.without, sides.with].map(({ perSecond }) => perSecond.toFixed(0));
  const cells = [name, without, withIt, percent(costOf(sides)), percent(costMax)];
  return `| ${[...cells, ...pair("p50Ms", 1), ...pair("cpuUs", 0), ...pair("postgresUs", 0)].join(" | ")} |`;
}

function costOf(sides: Pick<Promised, "without" | "with">): number {
  return 1 - sides.with.perSecond / sides.without.perSecond;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
