import { openDatabase } from "../../database/database.ts";
import { startWorld } from "../harness/world.ts";
import { PATIENT } from "./waits.ts";

/** Makes users of a new workspace, each with so many keys; gives the keys. */
export async function makeUsers(databaseUrl: string, keyCounts: number[]): Promise<string[][]> {
  const database = await openDatabase(databaseUrl, { waits: PATIENT });
  const world = await startWorld(database);
  const { user, key } = await world.workspace();
  const all: string[][] = [];
  for (const count of keyCounts) {
    const made = await user("Some User");
    const others = await Promise.all(Array.from({ length: count - 1 }, () => key(made)));
    all.push([made.key, ...others.map((other) => other.key)]);
  }
  await world.stop();
  await database.close();
  return all;
}
