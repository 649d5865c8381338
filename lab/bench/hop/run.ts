import { randomUUID } from "node:crypto";
import { findOrInstall } from "../../harness/apt.ts";
import { load, percentile, type Request, target } from "../../harness/load.ts";
import { setNatsProgram } from "../../harness/nats-server.ts";
import { ROOT } from "../../harness/server-process.ts";
import { spread } from "../against/reads.ts";
import type { How, Measured } from "../against/run.ts";
import { type Contents, contentsOf, vacuum } from "../against/seed.ts";
import { openSide, type Side } from "../against/side.ts";
import { type HopRow, reportHop } from "./report.ts";
import { ONE_PROCESS, OVER_THE_BUS, oneProcess, overTheBus, type Shape, type Spent } from "./shapes.ts";

/** A kind of request, and how many clients send it at once. */
interface Kind {
  name: string;
  clients: number;
  requests(contents: Contents): Request[];
}

/** A shape of a commit, which is started anew some times. */
interface Lane {
  contents: Contents;
  name: string;
  commit: Side["name"];
  start(): Promise<Shape>;
  /** Cost of one request, in each turn, by the name of its kind. */
  turns: Map<string, Spent[]>;
}

type Started = Lane & { shape: Shape };

/** V8 compiles for some seconds what is asked for, in each of the processes. */
const WARM_UP_MS = 6000;
const TURN_MS = 700;
const CLIENTS = 20;
/** More of them at once would be refused with 503 on a busy machine. */
const WRITING_CLIENTS = 4;
/** A key can be sent once only, so a turn ends after this many. */
const REQUESTS_MAX = 20_000;
const QUARTILE = 0.25;

const get = (path: string): Request => ({ method: "GET", path });

const KINDS: Kind[] = [
  { name: "get one", clients: CLIENTS, requests: gets },
  { name: "get one, a single client", clients: 1, requests: gets },
  { name: "list 20", clients: CLIENTS, requests: () => [get("/v1/people?limit=20")] },
  { name: "create with a key", clients: WRITING_CLIENTS, requests: keyedCreates },
];

/**
 * Measures the price of a hop: the same requests to one process, and to a gateway that calls the services in another
 * process over NATS, in short turns, with limits off.
 * @param folder another checkout, which is measured in the same turns; undefined for this one alone
 */
export async function runHop(folder: string | undefined, how: How): Promise<Measured> {
  setNatsProgram(findOrInstall("nats-server", "nats-server"));
  const sides = folder === undefined ? [] : [await how.keep(() => openSide("other", folder, how.data))];
  sides.push(await how.keep(() => openSide("this", ROOT, how.data)));
  const lanes = (await Promise.all(sides.map((side) => lanesOf(side, how)))).flat();
  const kinds = KINDS.filter(({ name }) => how.only.test(name));
  const failures: string[] = [];
  for (let start = 1; start <= how.starts; start++) {
    failures.push(...(await measureOnce(lanes, kinds, how.rounds / how.starts)));
    how.note(`${start} of ${how.starts} starts`);
  }
  const rows = kinds.flatMap((kind) => lanes.map((lane) => rowOf(lane, kind)));
  return { failures, section: reportHop({ rows, roots: sides.map(({ root }) => root), ...how }) };
}

async function lanesOf(side: Side, { keep, people, note }: How): Promise<Lane[]> {
  const contents = await contentsOf(side, people, note, "native");
  await vacuum(side);
  const lane = (name: string, start: Lane["start"]): Lane => {
    return { contents, name, commit: side.name, start, turns: new Map() };
  };
  return [lane(ONE_PROCESS, () => oneProcess(side, keep)), lane(OVER_THE_BUS, () => overTheBus(side, keep))];
}

/** Starts all shapes, and measures them at all kinds of requests; gives their failures. */
async function measureOnce(lanes: Lane[], kinds: Kind[], rounds: number): Promise<string[]> {
  const started: Started[] = [];
  for (const lane of lanes) started.push({ ...lane, shape: await lane.start() });
  const failures: string[] = [];
  for (const kind of kinds) failures.push(...(await takeTurns(started, kind, rounds)));
  for (const { shape } of started) await shape.stop();
  return failures;
}

/** Measures all shapes at one kind of request, each round from the last one back; gives their failures. */
async function takeTurns(lanes: Started[], kind: Kind, rounds: number): Promise<string[]> {
  const failures: string[] = [];
  for (let round = 0; round <= rounds; round++)
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed())
      failures.push(...(await takeTurn(lane, kind, round)));
  return failures;
}

/** Lets a shape answer requests for a while; gives its failures. The first round warms up and is not counted. */
async function takeTurn(lane: Started, { name, clients, requests }: Kind, round: number): Promise<string[]> {
  const { shape, contents, turns } = lane;
  const asked = target(shape.port, requests(contents), contents.key);
  const before = await shape.spent();
  const ms = round === 0 ? WARM_UP_MS : TURN_MS;
  const done = await load(asked, { connections: clients, ms, requestsMax: REQUESTS_MAX });
  const after = await shape.spent();
  const turn = ofParts((part) => (after[part] - before[part]) / done.requests);
  if (round > 0) turns.set(name, [...(turns.get(name) ?? []), turn]);
  return done.failures.map((failure) => `${name}, ${shape.name}: ${failure}`);
}

/** The lower quartile of the turns: other work on the machine makes a turn dearer, never cheaper. */
function rowOf({ turns, name: shape, commit }: Lane, { name }: Kind): HopRow {
  const taken = turns.get(name) ?? [];
  const { messages, ...ms } = ofParts((part) =>
    percentile(
      taken.map((turn) => turn[part]),
      QUARTILE,
    ),
  );
  const [node, nats, postgres] = [ms.node, ms.nats, ms.postgres].map((cpu) => cpu * 1000) as [number, number, number];
  return { request: name, commit, shape, node, nats, postgres, messages };
}

function ofParts(value: (part: keyof Spent) => number): Spent {
  return { node: value("node"), nats: value("nats"), postgres: value("postgres"), messages: value("messages") };
}

function gets({ people }: Contents): Request[] {
  return spread(people, 500).map((id) => get(`/v1/people/${id}`));
}

function keyedCreates(): Request[] {
  return Array.from({ length: REQUESTS_MAX }, (_, n) => ({
    method: "POST",
    path: "/v1/people",
    body: JSON.stringify({ firstName: `n${n}` }),
    headers: [`Idempotency-Key: ${randomUUID()}`],
  }));
}
