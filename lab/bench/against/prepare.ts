import type { Access } from "../../harness/api.ts";
import { type Target, target } from "../../harness/load.ts";
import { fillInteractions } from "../interactions.ts";
import { countingProxy } from "./messages.ts";
import type { Operation } from "./operation.ts";
import { operationsOf } from "./operation-list.ts";
import { pagesOf } from "./pages.ts";
import { contentsOf, makePlain, type Note, vacuum } from "./seed.ts";
import type { Served, Side } from "./side.ts";
import { type Counted, countStatements } from "./statements.ts";
import { usedUp } from "./writes.ts";

/** A server with what is asked of it. */
export interface Asked {
  side: Served;
  /** An operation, its requests for this side, and what one of them comes to. */
  questions: { operation: Operation; target: Target; counted: Counted }[];
}

export interface How {
  people: number;
  /** With each person, where the commit knows any. */
  interactions: number;
  /** A multiple of `starts`. */
  rounds: number;
  /** How often both servers are started, each time for as many of the rounds. */
  starts: number;
  /** Which operations are measured, by their names. */
  only: RegExp;
  note: Note;
}

/** Pages of the list of people that are asked for, besides the first. */
const PAGES = 20;

/** Fills a side, makes what writes will use up, and counts the statements of each kind of request. */
export async function prepare(side: Side, { people, interactions, rounds, starts, only, note }: How): Promise<Asked> {
  const contents = await contentsOf(side, people, note);
  const filled = await fillInteractions(side.url, interactions);
  note(`${side.name}: ${filled} interactions are there`);
  return askedOf(side, contents.key, note, async (port) => {
    const at = { port, key: contents.key };
    const fresh = new Map<string, string[]>();
    // The rounds, with one of each start that does not count, and one for counting statements.
    for (const { name, people: count } of usedUp(rounds + starts + 1)) {
      if (only.test(name)) fresh.set(name, await makePlain(at, contents, count));
    }
    await vacuum(side);
    return operationsOf({ contents, fresh, pages: await pathsOfPages(at) }).filter(({ name }) => only.test(name));
  });
}

/**
 * Counts the statements of each operation. The side has a server of its own for that, behind the proxy that counts, so
 * that the one that is measured later is fresh and has nothing before its database.
 * @param operationsAt gives the operations, while this server answers at the port
 */
export async function askedOf(
  side: Served,
  key: string,
  note: Note,
  operationsAt: (port: number) => Promise<Operation[]>,
): Promise<Asked> {
  const proxy = await countingProxy(side.url);
  const server = await side.serve(proxy.url);
  try {
    const questions: Asked["questions"] = [];
    for (const operation of await operationsAt(server.port)) {
      const requests = target(server.port, operation.requests, key);
      const counted = await countStatements(requests, operation.kind, proxy.statements);
      questions.push({ operation, target: requests, counted });
    }
    note(`${side.name}: the statements of ${questions.length} kinds of requests are counted`);
    return { side, questions };
  } finally {
    await server.stop();
    await proxy.stop();
  }
}

/** Paths of the pages behind the first one. */
async function pathsOfPages(at: Access): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of pagesOf(at)) {
    paths.push(path);
    if (paths.length > PAGES) break;
  }
  return paths.slice(1);
}
