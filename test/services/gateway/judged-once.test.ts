import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import { startWorld, type World } from "../../../lab/harness/world.ts";
import { type Client, client } from "../../support/client.ts";
import { startProcess, type TestServer } from "../../support/server.ts";

let server: TestServer;
let world: World;
let api: Client;

beforeAll(async () => {
  server = await startProcess();
  world = await startWorld(server.database);
  const { ada } = await world.workspace();
  api = client(server, ada.key);
});

afterAll(async () => {
  await world.stop();
  await server.stop();
});

it("a request to services in the same process is judged by its schema once", async () => {
  const text = "a text that stands nowhere else";
  const judge = jest.spyOn(String.prototype, "isWellFormed");
  try {
    expect((await api.post("/v1/people", { description: text })).status).toBe(200);
    expect(judge.mock.contexts.filter((judged) => String(judged) === text)).toHaveLength(1);
  } finally {
    judge.mockRestore();
  }
});
