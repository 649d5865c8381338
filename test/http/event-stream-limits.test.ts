import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startWorld, type World } from "../../lab/harness/world.ts";
import { client } from "../support/client.ts";
import { readEvents } from "../support/event-reader.ts";
import { overNats, startServer, type TestServer } from "../support/server.ts";
import { environment } from "../support/test-run.ts";

const possible = !overNats || "path" in environment.nats();

// A server of its own, since the others run without limits. The windows last longer than the tests.
(possible ? describe : describe.skip)("Rate limits of streams (docs/guides/event-feed.md#the-stream)", () => {
  let server: TestServer;
  let world: World;

  beforeAll(async () => {
    server = await startServer({ env: { RATE_LIMITS: "default=12/600,burst=5/300" } });
    world = await startWorld(server.database);
  });

  afterAll(async () => {
    await world?.stop();
    await server?.stop();
  });

  it("a stream counts as one request, tells so by its headers, and is 429 when nothing is left", async () => {
    const { ada } = await world.workspace();
    const api = client(server, ada.key);
    const left = ({ headers }: { headers: Record<string, unknown> }) => [
      headers["x-ratelimit-remaining"],
      headers["x-ratelimit-remaining-burst"],
    ];
    const streams = [await readEvents(server, ada.key), await readEvents(server, ada.key)];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect(streams.map(left)).toEqual([
      ["11", "4"],
      ["10", "3"],
    ]);
    for (const { headers } of streams) expect(headers["ratelimit-policy"]).toContain('"default";q=12;w=600');
    expect(left(await api.get("/v1/events"))).toEqual(["9", "2"]);
    for (let i = 0; i < 2; i += 1) await api.get("/v1/events");
    const refused = await readEvents(server, ada.key);
    expect([refused.status, refused.headers["content-type"]]).toEqual([429, "application/json; charset=utf-8"]);
    for (const reader of [...streams, refused]) reader.close();
  });
});
