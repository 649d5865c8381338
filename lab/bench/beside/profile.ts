import { ROOT } from "../../harness/server-process.ts";

/** The part of a file of `--cpu-prof` that is read here. */
export interface Profile {
  startTime: number;
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  /** Ids of the nodes that ran, and the microseconds before each. */
  samples: number[];
  timeDeltas: number[];
}

/** A time, in microseconds of the clock of the machine. */
export interface Window {
  fromUs: number;
  toUs: number;
}

const IDLE = "(idle)";

/**
 * Milliseconds of a profile within the window, by piece. The time of a function counts for the nearest of its callers
 * that belongs to a piece, else for the rest.
 * @param pieceOf the piece of a file of this project, or of a function of V8 like "(garbage collector)"; undefined for
 *   one whose time belongs to its callers
 */
export function pieceTimes(
  { startTime, nodes, samples, timeDeltas }: Profile,
  { fromUs, toUs }: Window,
  pieceOf: (file: string) => string | undefined,
  rest: string,
): Map<string, number> {
  const pieces = piecesOfNodes(nodes, pieceOf, rest);
  const times = new Map<string, number>();
  let at = startTime;
  for (const [i, id] of samples.entries()) {
    const us = timeDeltas[i] ?? 0;
    at += us;
    const piece = pieces.get(id);
    if (piece === undefined || at < fromUs || at > toUs) continue;
    times.set(piece, (times.get(piece) ?? 0) + us / 1000);
  }
  return times;
}

/** The piece of each node, by its id; nodes that are idle have none. */
function piecesOfNodes(
  nodes: Profile["nodes"],
  pieceOf: (file: string) => string | undefined,
  rest: string,
): Map<number, string> {
  const pieces = new Map<number, string>();
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  // A caller stands before the functions that it calls.
  for (const { id, callFrame } of nodes) {
    const { functionName, url } = callFrame;
    if (functionName === IDLE) continue;
    pieces.set(id, pieceOf(fileOf(url) ?? functionName) ?? pieces.get(callers.get(id) ?? 0) ?? rest);
  }
  return pieces;
}

function fileOf(url: string): string | undefined {
  const begin = `file://${ROOT}/`;
  return url.startsWith(begin) ? url.slice(begin.length) : undefined;
}
