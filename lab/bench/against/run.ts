import { ROOT } from "../../harness/server-process.ts";
import { measure, measureImport } from "./measure.ts";
import { type Asked, type How as Preparing, prepare } from "./prepare.ts";
import { report } from "./report.ts";
import { openSide } from "./side.ts";
import { failuresOf } from "./table.ts";

/** Input of a run. */
export interface How extends Preparing {
  /** Load average of the machine before the run. */
  load: number;
  /** Folder for databases and programs. */
  data: string;
  /** Opens something that is stopped at the end of the run, and when it is interrupted. */
  keep<Kept extends { stop(): Promise<void> }>(open: () => Promise<Kept>): Promise<Kept>;
}

/** The outcome of a run. */
export interface Measured {
  /** Failures, a line each. */
  failures: string[];
  /** The section of docs/benchmarks.md, with its heading. */
  section: string;
}

/** Measures this checkout against the one in the folder. */
export async function runAgainst(folder: string, how: How): Promise<Measured> {
  const { data, keep, people, rounds, starts, load } = how;
  const other = await keep(() => openSide("other", folder, data));
  const own = await keep(() => openSide("this", ROOT, data));
  const pair: [Asked, Asked] = [await prepare(other, how), await prepare(own, how)];
  const { rows, memory } = await measure(pair, how);
  if (how.only.test("import")) rows.push(await measureImport([other, own], how));
  return {
    failures: failuresOf(rows),
    section: report({ rows, memory, people, rounds, starts, load, roots: [other.root, own.root] }),
  };
}
