import type { Side } from "../against/side.ts";
import { commitOf, machine } from "../against/table.ts";
import { HOP } from "../sections.ts";
import type { Spent } from "./shapes.ts";

/** A shape of one commit at one kind of request: CPU time in microseconds, and messages of NATS, per request. */
export interface HopRow extends Spent {
  request: string;
  commit: Side["name"];
  shape: string;
}

interface Results {
  rows: HopRow[];
  /** Folders of the checkouts, this one last. */
  roots: string[];
  people: number;
  rounds: number;
  starts: number;
  /** Load average of the machine before the run. */
  load: number;
}

/** The section of docs/benchmarks.md. */
export function reportHop({ rows, roots, people, rounds, starts, load }: Results): string {
  const [own, other] = roots.map(commitOf).toReversed();
  const against = other === undefined ? "" : ` and \`${other}\` (other)`;
  return `${HOP}

${new Date().toISOString().slice(0, 10)}, \`${own}\` (this)${against}, ${people.toLocaleString("en")} people, limits off.

| request | commit | shape | Node µs | NATS µs | PostgreSQL µs | messages | Node, times one process | all three |
|---|---|---|---:|---:|---:|---:|---:|---:|
${rows.map((row) => lineOf(row, rows)).join("\n")}

CPU is user and system time per request: the lower quartile of ${rounds} short turns of each shape over ${starts} starts, since other work on the machine makes a turn dearer and never cheaper. One process has all services. Over the bus a gateway with \`ratelimit\` and \`idempotency\` calls all others in a second process, through one nats-server; messages are those that it received, per request, and the lower quartile too. 20 clients send at once, 4 for creates.

${machine()}, an embedded PostgreSQL with its default settings. Load, servers, NATS and PostgreSQL share these processors, with other work of a load average of ${load.toFixed(1)} when the run began.

To repeat: \`npm run bench -- --hop --people ${people} --rounds ${rounds} --starts ${starts}\`, with \`--against FOLDER\` for another commit beside it.
`;
}

function lineOf(row: HopRow, rows: HopRow[]): string {
  const one = rows.find(({ request, commit }) => request === row.request && commit === row.commit) ?? row;
  const cells = [
    row.request,
    row.commit,
    row.shape,
    row.node.toFixed(0),
    row.nats.toFixed(0),
    row.postgres.toFixed(0),
    row.messages.toFixed(2),
    (row.node / one.node).toFixed(2),
    (allOf(row) / allOf(one)).toFixed(2),
  ];
  return `| ${cells.join(" | ")} |`;
}

function allOf({ node, nats, postgres }: HopRow): number {
  return node + nats + postgres;
}
