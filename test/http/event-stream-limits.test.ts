import { expect, it } from "@jest/globals";
import { readEvents } from "../support/event-reader.ts";
import { describeOwnServer } from "../support/scene.ts";

/** The windows last longer than the tests. */
const RATE_LIMITS = "default=12/600,burst=5/300";

describeOwnServer("Rate limits of streams (docs/guides/event-feed.md#the-stream)", { RATE_LIMITS }, (scene) => {
  it("a stream counts as one request, tells so by its headers, and is 429 when nothing is left", async () => {
    const { ada } = await scene.workspace();
    const api = scene.api(ada);
    const left = ({ headers }: { headers: Record<string, unknown> }) => [
      headers["x-ratelimit-remaining"],
      headers["x-ratelimit-remaining-burst"],
    ];
    const streams = [await readEvents(scene.server, ada.key), await readEvents(scene.server, ada.key)];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect(streams.map(left)).toEqual([
      ["11", "4"],
      ["10", "3"],
    ]);
    for (const { headers } of streams) expect(headers["ratelimit-policy"]).toContain('"default";q=12;w=600');
    expect(left(await api.get("/v1/events"))).toEqual(["9", "2"]);
    for (let i = 0; i < 2; i += 1) await api.get("/v1/events");
    const refused = await readEvents(scene.server, ada.key);
    expect([refused.status, refused.headers["content-type"]]).toEqual([429, "application/json; charset=utf-8"]);
    for (const reader of [...streams, refused]) reader.close();
  });
});
