import { arch, cpus, platform, release, totalmem } from "node:os";
import type { Figures } from "./measure.ts";
import { type Promised, promisesSection, promisesShortcomings } from "./promises.ts";
import type { Route } from "./routes.ts";

export interface Measured {
  route: Route;
  floor: Figures;
  figures: Figures;
  /** Of filters: alone on its connection. */
  alone: { p50Ms: number; p99Ms: number; failures: string[] } | undefined;
  statements: number;
  bytes: number;
  residentMb: number;
}

interface Results {
  measured: Measured[];
  /** Milliseconds per record. */
  batches: { singleMs: number; batchMs: number } | undefined;
  promised: Promised[];
  idleMb: number;
  people: number;
  connections: number;
  seconds: number;
}

/** What the issues ask for. */
const RATIO_MIN = 0.6;
const RESIDENT_MB_MAX = 250;
const BATCH_GAIN_MIN = 20;
const FILTER_P99_MS_MAX = 50;

/** The figures as Markdown, those that fall short first. */
export function report(results: Results): string {
  const { measured, people, connections, seconds } = results;
  const short = shortcomings(results);
  return `# Benchmarks

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Times wander on a shared machine; ratios of one run tell.

## What falls short

${short.length > 0 ? short.map((line) => `- ${line}`).join("\n") : "Nothing."}

## Against the bare server

The bare server is \`node:http\` and \`pg\`: for every request it runs the same statements with the same values on the same
kind of connection, as pg opens it, and sends as many bytes and the same headers. It checks no key, counts no limit, validates
and renders nothing. What our connections are told besides, to plan a statement once (docs/decisions/0006-processes.md), is ours; with
\`-- --plan-once\` the bare server has that too. Each line is ${seconds} s per server in short turns, ${connections} connections (filters and writes:
at most 8), ${people.toLocaleString("en")} people.

| request | bare /s | server /s | ratio | CPU ratio | p50 ms | p99 ms | CPU µs | bare CPU µs | PostgreSQL µs | statements | answer bytes | resident MB |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
${measured.map(lineOf).join("\n")}

CPU is per request, and so is the CPU ratio, which other work on the machine disturbs less than the requests per second: of the server's process, of the bare one, and of PostgreSQL while it served our server.

## Filters, unloaded

One request after another on one connection.

| request | p50 ms | p99 ms |
|---|---:|---:|
${measured.flatMap(({ route, alone }) => (alone ? [`| ${route.name} | ${alone.p50Ms.toFixed(1)} | ${alone.p99Ms.toFixed(1)} |`] : [])).join("\n")}

## Batches

${batchLine(results)}

${promisesSection(results.promised)}
## Memory

Resident memory of the server process: ${results.idleMb.toFixed(0)} MB after its start, at most ${peakMb(results).toFixed(0)} MB under load. The aim is at most ${RESIDENT_MB_MAX} MB.

## Measured on

${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${platform()} ${release()} ${arch()}, Node ${process.versions.node}, the embedded PostgreSQL with its
default settings. Load, server and PostgreSQL share these processors.

## How to repeat

\`npm run bench\` (some minutes). \`-- --people 100000 --seconds 2 --connections 20 --only "get|list"\` choose; a run with
\`--only\` does not write this file; \`--only promises\` measures what promises cost. \`-- --plans\` prints how PostgreSQL runs every filter.
\`-- --against FOLDER\` measures this checkout against another commit instead, and writes the section of that name only.
`;
}

function lineOf({ route, floor, figures, statements, bytes, residentMb }: Measured): string {
  const cells = [
    route.name,
    floor.perSecond.toFixed(0),
    figures.perSecond.toFixed(0),
    percent(figures.perSecond / floor.perSecond),
    percent(floor.cpuUs / figures.cpuUs),
    figures.p50Ms.toFixed(1),
    figures.p99Ms.toFixed(1),
    figures.cpuUs.toFixed(0),
    floor.cpuUs.toFixed(0),
    figures.postgresUs.toFixed(0),
    statements,
    bytes,
    residentMb.toFixed(0),
  ];
  return `| ${cells.join(" | ")} |`;
}

function shortcomings(results: Results): string[] {
  const lines: string[] = [];
  for (const { route, floor, figures, alone } of results.measured) {
    const ratio = figures.perSecond / floor.perSecond;
    if (ratio < RATIO_MIN)
      lines.push(`${route.name}: ${percent(ratio)} of the bare server, the aim is ${percent(RATIO_MIN)}`);
    if (alone && alone.p99Ms > FILTER_P99_MS_MAX)
      lines.push(`${route.name}: p99 is ${alone.p99Ms.toFixed(0)} ms unloaded, the aim is ${FILTER_P99_MS_MAX} ms`);
    const failures = [...floor.failures, ...figures.failures, ...(alone?.failures ?? [])];
    if (failures.length > 0) lines.push(`${route.name}: ${failures.length} requests failed, like ${failures[0]}`);
  }
  const { batches } = results;
  if (batches && batches.singleMs / batches.batchMs < BATCH_GAIN_MIN)
    lines.push(
      `batch create: ${(batches.singleMs / batches.batchMs).toFixed(1)} times as fast per record, the aim is ${BATCH_GAIN_MIN}`,
    );
  lines.push(...promisesShortcomings(results.promised));
  if (peakMb(results) > RESIDENT_MB_MAX)
    lines.push(`memory: ${peakMb(results).toFixed(0)} MB, the aim is ${RESIDENT_MB_MAX} MB`);
  return lines;
}

function batchLine({ batches }: Results): string {
  if (!batches) return "Not measured.";
  const { singleMs, batchMs } = batches;
  return `By one client: ${singleMs.toFixed(2)} ms per person one by one, ${batchMs.toFixed(3)} ms per person in batches of 100: ${(singleMs / batchMs).toFixed(1)} times as fast. The aim is ${BATCH_GAIN_MIN} times.`;
}

function peakMb({ measured, idleMb }: Results): number {
  return Math.max(idleMb, ...measured.map(({ residentMb }) => residentMb));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
