import { afterAll, beforeAll } from "@jest/globals";
import { startWorld, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

/** What the tests of a file share that need no server: one database, and what makes workspaces in it. */
export interface Home extends Pick<TestDatabase, "database" | "url"> {
  workspace(): Promise<TestWorkspace>;
}

/** Opens a database before the tests of the file that calls it, and removes it behind them. */
export function useHome(): Home {
  let home: TestDatabase | undefined;
  let world: World | undefined;

  beforeAll(async () => {
    home = await testDatabase();
    world = await startWorld(home.database);
  });

  afterAll(async () => {
    await world?.stop();
    await home?.drop();
  });

  const opened = <Part>(part: Part | undefined): Part => {
    if (!part) throw new Error("The database is opened in beforeAll: use it in tests and hooks only.");
    return part;
  };
  return {
    get database() {
      return opened(home).database;
    },
    get url() {
      return opened(home).url;
    },
    workspace: () => opened(world).workspace(),
  };
}
