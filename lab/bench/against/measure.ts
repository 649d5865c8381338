import { setTimeout as pause } from "node:timers/promises";
import { cpuMs, watchMemory } from "../../harness/processes.ts";
import { pick } from "../pick.ts";
import { compareImports, IMPORTED_ROWS } from "./import.ts";
import type { Asked, How } from "./prepare.ts";
import type { Serving, Side } from "./side.ts";
import type { Counted } from "./statements.ts";
import { type Memory, type Row, summaryOf } from "./table.ts";
import { comparedOf, noTurns, type Runner, type Turns, takeTurns } from "./turns.ts";

const QUIET_MS = 1000;
const QUIET_CPU_MS = 30;
const QUIET_TRIES = 30;

type Memories = [other: Memory, own: Memory];

/**
 * Starts both servers several times. Each time both answer requests of one operation in turns, and then of the next.
 */
export async function measure(
  sides: [other: Asked, own: Asked],
  { rounds, starts, note }: Pick<How, "rounds" | "starts" | "note">,
): Promise<{ rows: Row[]; memory: Memories }> {
  const turns = sides[0].questions.map(noTurns);
  const memories: Memories[] = [];
  for (let start = 1; start <= starts; start++) {
    memories.push(await measureOnce(sides, rounds / starts, turns));
    note(`${start} of ${starts} starts`);
  }
  const rows = sides[0].questions.map(({ operation }, i) => {
    const counted = sides.map(({ questions }) => pick(questions, i).counted);
    return rowOf(operation.name, comparedOf(pick(turns, i)), [pick(counted, 0), pick(counted, 1)]);
  });
  for (const row of rows) note(summaryOf(row));
  const most = (place: 0 | 1): Memory => ({
    idleMb: Math.max(...memories.map((both) => both[place].idleMb)),
    peakMb: Math.max(...memories.map((both) => both[place].peakMb)),
  });
  return { rows, memory: [most(0), most(1)] };
}

/** Adds the turns of one start of both servers, for each operation. */
async function measureOnce(sides: [other: Asked, own: Asked], rounds: number, turns: Turns[]): Promise<Memories> {
  const servers = await startBoth(sides);
  const watches = servers.map(({ pid }) => watchMemory(pid));
  const idle = watches.map(({ peakMb }) => peakMb());
  try {
    for (const [i, { operation }] of sides[0].questions.entries()) {
      const sharesPostgres = sides[0].side.postmaster === sides[1].side.postmaster;
      const runner = (place: 0 | 1): Runner => ({ ...runnerOf(sides[place], i, servers[place]), sharesPostgres });
      await takeTurns([runner(0), runner(1)], { ...operation, rounds }, pick(turns, i));
    }
    const memory = watches.map(({ peakMb }, place) => ({ idleMb: pick(idle, place), peakMb: peakMb() }));
    return [pick(memory, 0), pick(memory, 1)];
  } finally {
    for (const watch of watches) watch.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

export async function measureImport(sides: [other: Side, own: Side], { rounds, note }: How): Promise<Row> {
  const { compared, statements } = await compareImports(sides, rounds);
  const row = { name: `import of ${IMPORTED_ROWS} rows, per row`, compared, statements, items: undefined };
  note(summaryOf(row));
  return row;
}

/**
 * Starts both servers and waits until they rest: a server works for some seconds after its start, for example on its
 * pages, and the first measured requests must not meet that work.
 */
async function startBoth([other, own]: [Asked, Asked]): Promise<[Serving, Serving]> {
  const first = await other.side.serve();
  const second = await own.side.serve();
  for (const { pid } of [first, second]) await quiet(pid);
  return [first, second];
}

/** Waits until a process does nearly nothing. */
export async function quiet(pid: number): Promise<void> {
  for (let i = 0, before = cpuMs(pid); i < QUIET_TRIES; i++) {
    await pause(QUIET_MS);
    const now = cpuMs(pid);
    if (now - before <= QUIET_CPU_MS) return;
    before = now;
  }
}

function runnerOf({ side, questions }: Asked, i: number, { pid, port }: Serving): Runner {
  const { target } = pick(questions, i);
  target.port = port;
  return { pid, postmaster: side.postmaster, target };
}

function rowOf(name: string, compared: Row["compared"], [other, own]: [Counted, Counted]): Row {
  const failures = [...other.failures, ...own.failures, ...compared.failures];
  if (other.items.join() !== own.items.join())
    failures.push(`answers had ${other.items.join()} entries there and ${own.items.join()} here`);
  const items = own.items.filter((count) => count !== undefined);
  return {
    name,
    compared: { ...compared, failures },
    statements: [other.statements, own.statements],
    items: items.length > 0 ? items.reduce((sum, count) => sum + count, 0) / items.length : undefined,
  };
}
