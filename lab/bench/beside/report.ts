import { ROOT } from "../../harness/server-process.ts";
import { sizesOf } from "../against/content.ts";
import type { Kind } from "../against/operation.ts";
import { commitOf, type Memory, machine, memoryOf, type Row, ratioOf, tableOf } from "../against/table.ts";
import { BESIDE } from "../sections.ts";
import type { Pieces } from "./pieces.ts";
import { PACKAGE, POOL, VERSION } from "./postgrest.ts";
import { BATCH_CREATE, REASONS } from "./rows.ts";

/** A bare server, and the rows in which it is beside this one. */
export interface Floor {
  name: string;
  rows: Row[];
}

interface Results {
  rows: Row[];
  /** The kind of each row, by its name. */
  kinds: ReadonlyMap<string, Kind>;
  memory: [peer: Memory, own: Memory];
  floors: Floor[];
  /** Undefined when no batch was created. */
  pieces: Pieces | undefined;
  people: number;
  rounds: number;
  starts: number;
  /** Load average of the machine before the run. */
  load: number;
}

const PEER = "PostgREST";
/** Share of the requests of a bare server that this one is meant to reach. */
const FLOOR_SHARE = 0.7;

/** The section of docs/benchmarks.md. */
export function report(results: Results): string {
  const { rows, kinds, memory, floors, pieces, people, rounds, starts, load } = results;
  const count = (n: number): string => n.toLocaleString("en");
  const options = `--people ${people} --rounds ${rounds} --starts ${starts}${floors.length > 0 ? " --floor" : ""}`;
  return `${BESIDE}

${new Date().toISOString().slice(0, 10)}, \`${commitOf(ROOT)}\` (this) and PostgREST ${VERSION} of the npm package \`${PACKAGE}\`, ${count(people)} people and ${count(sizesOf(people).companies)} companies with their links, the same records by the same ids on both sides, without groups and custom values.

${lostLines(rows, kinds)}
${tableOf(rows, PEER)}

The ratio is the median of ${rounds} rounds over ${starts} starts of both servers, in each of which both had a short turn; above 1 this server is faster. CPU is per request, of the server's process and of PostgreSQL, with what they still did after the turn; its ratio is of the two together, above 1 this server needs less. Statements are those of one request that came alone; items are the entries of its answer.

PostgREST has typed tables in another database of the same PostgreSQL: ids of version 7, by which lists are sorted and deep pages begin, and indexes for the e-mail address, the birthday, trigrams of the full name, and the companies of links. Requests have a JSON web token with a role, which is checked once an hour; it has ${POOL} connections, its default, with which it was at least as fast as with 20, and statements are prepared. Answers have all fields and the names of the companies on both sides, after writes too (\`Prefer: return=representation\`). A create there has no link to a company, since it can write one table only; here it has one. This server checks an API key and counts limits that nobody meets.

Resident memory of the server: ${memoryOf(PEER, memory[0])}; ${memoryOf("this", memory[1])}.

${machine()}, one embedded PostgreSQL with its default settings. Load, servers and PostgreSQL share these processors, with other work of a load average of ${load.toFixed(1)} when the run began.
${piecesText(pieces)}${floorText(floors)}
To repeat: \`npm run bench -- --peers postgrest ${options}\`.
`;
}

/** A line for each row that is lost, with the reason. */
function lostLines(rows: Row[], kinds: Results["kinds"]): string {
  const lost = rows.filter((row) => ratioOf(row) < 1);
  if (lost.length === 0) return "No row is lost.";
  const lines = lost.map(({ name, ...row }) => {
    const kind = kinds.get(name);
    return `- **${name}: ${ratioOf({ name, ...row }).toFixed(2)}**${kind === undefined ? "" : ` — ${REASONS[kind]}.`}`;
  });
  return `Lost, with the reason:\n\n${lines.join("\n")}`;
}

function piecesText(pieces: Pieces | undefined): string {
  if (!pieces) return "";
  const { own, peer } = pieces;
  const cells = (nodeMs: number, postgresMs: number): string => `${nodeMs.toFixed(2)} | ${postgresMs.toFixed(2)} |`;
  const sum = (of: (piece: (typeof own)[number]) => number): number =>
    own.reduce((total, piece) => total + of(piece), 0);
  const total = cells(
    sum(({ nodeMs }) => nodeMs),
    sum(({ postgresMs }) => postgresMs),
  );
  return `
### Pieces of a batch

Milliseconds of "${BATCH_CREATE}", sent one after another: CPU of the server's process, shared out by a profile of the files that ran, and times of the statements (pg_stat_statements) by the table that they write, without the disk, for which a commit waits.

| piece | server CPU | statements |
|---|---:|---:|
${own.map(({ name, nodeMs, postgresMs }) => `| ${name} | ${cells(nodeMs, postgresMs)}`).join("\n")}
| **together** | ${total}
| ${PEER} | ${cells(peer.nodeMs, peer.postgresMs)}
`;
}

function floorText(floors: Floor[]): string {
  if (floors.length === 0) return "";
  const below = floors.flatMap(({ name, rows }) =>
    rows
      .filter((row) => ratioOf(row) < FLOOR_SHARE)
      .map((row) => `${row.name} beside ${name} (${ratioOf(row).toFixed(2)})`),
  );
  return `
### Beside bare servers

Servers that give the same bytes as this one, and check no key, count no limit, validate nothing and make no text of a record. "Node, rows" runs the statements of this server for a request, with the same values and in \`pg\` with a pipeline, and sends a body that it has. "Node, texts" and "Go, texts" send texts of the records that stand ready in a table, found by its primary key; that in Go has ${POOL} connections of \`pgx\`. Below ${FLOOR_SHARE}: ${below.join(", ") || "nothing"}.
${floors.map(({ name, rows }) => tableOf(rows, name)).join("\n")}
`;
}
