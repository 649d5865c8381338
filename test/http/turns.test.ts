import { expect, it } from "@jest/globals";
import { whileLocked } from "../support/locked-row.ts";
import { describeServer } from "../support/scene.ts";

describeServer("Many writes of one record (docs/guides/under-load.md#turns)", (scene) => {
  it("hold one connection while somebody else holds the record, and all other writes are made", async () => {
    const { ada } = await scene.workspace();
    const { ada: neighbour } = await scene.workspace();
    const [api, other] = [scene.api(ada), scene.api(neighbour)];
    const { data: person } = await api.post("/v1/people", { firstName: "Ada" });
    const waiting = await whileLocked(scene.server.database, person.id, async (isAwaited) => {
      const patches = Array.from({ length: 20 }, (_, i) =>
        api.patch(`/v1/people/${person.id}`, { jobTitle: `Title ${i}` }),
      );
      await isAwaited();
      const writes = [api, other].flatMap((who) =>
        Array.from({ length: 4 }, (_, i) => who.post("/v1/people", { firstName: `Other ${i}` })),
      );
      // Twenty who wait by themselves would hold all connections for writes.
      for (const { status } of await Promise.all(writes)) expect(status).toBe(200);
      return patches;
    });
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    // Those that have waited too long for their turn were not begun.
    for (const status of statuses) expect([200, 503]).toContain(status);
    expect((await api.patch(`/v1/people/${person.id}`, { jobTitle: "Last" })).data.jobTitle).toBe("Last");
  });
});
