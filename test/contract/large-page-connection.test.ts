import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Database } from "../../database/database.ts";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { type Client, client } from "../support/client.ts";
import { startProcess, type TestServer } from "../support/server.ts";

const LARGE = "large pages";

/** The same database, which writes down the names of the lanes that read. */
function noting(database: Database, lanes: Set<string>): Database {
  const lane = (name: string): Pick<Database, "read"> => ({
    read: (sql, values, form) => {
      lanes.add(name);
      return database.sharedConnection(name).read(sql, values, form);
    },
  });
  return { ...database, sharedConnection: lane };
}

// docs/guides/under-load.md#turns
describe("The connection of large pages", () => {
  const lanes = new Set<string>();
  let server: TestServer;
  let world: World;
  let api: Client;

  beforeAll(async () => {
    server = await startProcess({ wrap: (database) => noting(database, lanes) });
    world = await startWorld(server.database);
    api = client(server, (await world.workspace()).ada.key);
  });

  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  /** Whether a list is read on it. */
  async function isThere(path: string): Promise<boolean> {
    lanes.clear();
    expect((await api.get(path)).status).toBe(200);
    return lanes.has(LARGE);
  }

  it.each(["people", "companies", "notes", "tasks", "interactions", "events"])(
    "reads %s of more than 25, and not fewer",
    async (things) => {
      expect(await isThere(`/v1/${things}?limit=26`)).toBe(true);
      expect(await isThere(`/v1/${things}?limit=25`)).toBe(false);
    },
  );

  it("reads all pages of a workspace whose entries are long, once that is known", async () => {
    const person = (await api.post("/v1/people", { fullName: "Ada" })).data;
    const note = { entity: { id: person.id }, content: "word ".repeat(19_000), visibility: "public" };
    for (let i = 0; i < 20; i++) await api.post("/v1/notes", note);
    expect(await isThere("/v1/notes?limit=20")).toBe(false);
    expect(await isThere("/v1/notes?limit=20")).toBe(true);
    expect(await isThere("/v1/tasks?limit=20")).toBe(false);
  });
});
