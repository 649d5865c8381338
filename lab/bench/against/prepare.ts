import { type Access, askJson } from "../../harness/api.ts";
import { type Target, target } from "../../harness/load.ts";
import { fillInteractions } from "../interactions.ts";
import { countingProxy } from "./messages.ts";
import type { Operation } from "./operation.ts";
import { operationsOf } from "./operation-list.ts";
import { contentsOf, makePlain, type Note, vacuum } from "./seed.ts";
import { PUBLIC_URL, type Side } from "./side.ts";
import { type Counted, countStatements } from "./statements.ts";
import { usedUp } from "./writes.ts";

/** A side with what is asked of it. */
export interface Asked {
  side: Side;
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

/**
 * Fills a side, makes what writes will use up, and counts the statements of each kind of request. It has a server of
 * its own for that, behind the proxy that counts, so that the one that is measured later is fresh and has nothing
 * before its database.
 */
export async function prepare(side: Side, { people, interactions, rounds, starts, only, note }: How): Promise<Asked> {
  const contents = await contentsOf(side, people, note);
  const filled = await fillInteractions(side.url, interactions);
  note(`${side.name}: ${filled} interactions are there`);
  const proxy = await countingProxy(side.url);
  const server = await side.serve(proxy.url);
  try {
    const at = { port: server.port, key: contents.key };
    const fresh = new Map<string, string[]>();
    // The rounds, with one of each start that does not count, and one for counting statements.
    for (const { name, people: count } of usedUp(rounds + starts + 1)) {
      if (only.test(name)) fresh.set(name, await makePlain(at, contents, count));
    }
    await vacuum(side);
    const operations = operationsOf({ contents, fresh, pages: await pagesOf(at) });
    const questions: Asked["questions"] = [];
    for (const operation of operations.filter(({ name }) => only.test(name))) {
      const requests = target(server.port, operation.requests, contents.key);
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
async function pagesOf(at: Access): Promise<string[]> {
  const pages: string[] = [];
  let path = "/v1/people?limit=100";
  while (pages.length < PAGES) {
    const list = await askJson<{ pagination: { nextLink?: string } }>(at, "GET", path);
    if (list.pagination.nextLink === undefined) break;
    path = list.pagination.nextLink.slice(PUBLIC_URL.length);
    pages.push(path);
  }
  return pages;
}
