import { afterAll, beforeAll } from "@jest/globals";
import { type Citus, startCitus } from "../../lab/harness/citus.ts";
import { describeWith } from "./describe-with.ts";
import { environment } from "./test-run.ts";

/** A cluster and new databases, for the tests of a group on Citus. */
export interface CitusScene {
  /** The cluster, which has two workers and which all groups of the file share. */
  readonly cluster: Citus;
  /** Makes a database of one's own, without migrations, that goes with the cluster; gives its address. */
  database(): Promise<string>;
}

/** It starts three servers, and on a busy machine each takes several seconds. */
const START_MS_MAX = 240_000;

let count = 0;
let running: Promise<Citus> | undefined;

// This file is loaded anew for each test file, so this hook ends the cluster after the last group of that file.
afterAll(async () => {
  await (await running)?.stop();
});

/** A group of tests that need a real Citus cluster; skipped, with the reason in its title, where there is none. */
export function describeCitus(title: string, tests: (citus: CitusScene) => void): void {
  describeWith(environment.citus(), title, () => {
    let cluster: Citus | undefined;

    beforeAll(async () => {
      running ??= startCitus();
      cluster = await running;
    }, START_MS_MAX);

    tests(scene(() => cluster));
  });
}

function scene(started: () => Citus | undefined): CitusScene {
  const at = () => {
    const cluster = started();
    if (!cluster) throw new Error("The cluster starts in beforeAll: use it in tests and hooks only.");
    return cluster;
  };
  return {
    get cluster() {
      return at();
    },
    database() {
      count += 1;
      return at().newDatabase(`test_${count}`);
    },
  };
}
