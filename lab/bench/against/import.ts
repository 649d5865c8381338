import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuMs, postgresCpuMs } from "../../harness/processes.ts";
import { pick } from "../pick.ts";
import { countingProxy } from "./messages.ts";
import { companyName, lastName, word } from "./names.ts";
import type { Side } from "./side.ts";
import { type Compared, type Figures, medianOf } from "./turns.ts";
import { GROUPS, STAGES, WORKSPACE } from "./workspace.ts";

export const IMPORTED_ROWS = 3000;
const ROUNDS_MAX = 4;
const COMPANIES = 9;
/** Names of people vary about as much in a file as in the workspace. */
const [FIRST_NAMES, LAST_NAMES] = [397, 2003];

interface Import {
  ms: number;
  cpuMs: number;
  postgresMs: number;
}

/**
 * The admin command line imports a file of new people on both sides in turn, after a first one that does not count.
 * The time of a file with one row is subtracted, because it is the time in which the command starts.
 */
export async function compareImports(
  sides: [Side, Side],
  rounds: number,
): Promise<{ compared: Compared; statements: [number, number] }> {
  const turns: [Import[], Import[]] = [[], []];
  for (let round = 0; round <= Math.min(rounds, ROUNDS_MAX); round++) {
    for (const place of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const whole = await importRows(sides[place], IMPORTED_ROWS);
      const start = await importRows(sides[place], 1);
      if (round > 0) turns[place].push(difference(whole, start));
    }
  }
  const ratios = turns[1].map(({ ms }, i) => (turns[0][i]?.ms ?? 0) / ms);
  const statements: [number, number] = [await statementsPerRow(sides[0]), await statementsPerRow(sides[1])];
  return {
    compared: { other: figuresOf(turns[0]), own: figuresOf(turns[1]), ratios, failures: [] },
    statements,
  };
}

async function importRows(side: Side, rows: number, url?: string): Promise<Import> {
  const file = join(side.folder, "import.csv");
  writeFileSync(file, csv(rows));
  const group = pick(GROUPS, 0).name;
  const begun = performance.now();
  // Of this process the CPU time of programs that it has run and that have ended is a part.
  const before = [cpuMs(process.pid), postgresCpuMs(side.postmaster)] as const;
  const words = ["import", "people", file, "--workspace", WORKSPACE, "--group", group, "--json"];
  const { created, refused } = JSON.parse(await side.command(words, url));
  if (created !== rows) throw new Error(`An import of ${rows} made ${created}: ${JSON.stringify(refused.slice(0, 3))}`);
  return {
    ms: performance.now() - begun,
    cpuMs: cpuMs(process.pid) - before[0],
    postgresMs: postgresCpuMs(side.postmaster) - before[1],
  };
}

/** Plain people of companies that are there. Every file has others. */
function csv(rows: number): string {
  const now = Date.now();
  const mark = now.toString(36);
  const lines = Array.from({ length: rows }, (_, i) => {
    const [first, last] = [word(((now + i) % FIRST_NAMES) + 7000), lastName((now + i) % LAST_NAMES)];
    const company = companyName(1 + (i % COMPANIES));
    return [
      first,
      last,
      `import.${mark}.${i}@example.com`,
      company,
      `Note ${i % 7}`,
      1 + (i % 4000),
      pick(STAGES, i % 2),
    ];
  });
  return [["First Name", "Last Name", "E-mail", "Company", "Note", "Score", "Stage"], ...lines]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
}

function difference(whole: Import, start: Import): Import {
  return {
    ms: whole.ms - start.ms,
    cpuMs: whole.cpuMs - start.cpuMs,
    postgresMs: whole.postgresMs - start.postgresMs,
  };
}

function figuresOf(turns: Import[]): Figures {
  return {
    perSecond: (IMPORTED_ROWS * 1000) / medianOf(turns.map(({ ms }) => ms)),
    cpuUs: (medianOf(turns.map((turn) => turn.cpuMs)) * 1000) / IMPORTED_ROWS,
    postgresUs: (medianOf(turns.map((turn) => turn.postgresMs)) * 1000) / IMPORTED_ROWS,
  };
}

async function statementsPerRow(side: Side): Promise<number> {
  const proxy = await countingProxy(side.url);
  try {
    const counts: number[] = [];
    for (const rows of [1, IMPORTED_ROWS]) {
      const before = proxy.statements();
      await importRows(side, rows, proxy.url);
      counts.push(proxy.statements() - before);
    }
    const [start = 0, whole = 0] = counts;
    return (whole - start) / IMPORTED_ROWS;
  } finally {
    await proxy.stop();
  }
}
