import { expect, it } from "@jest/globals";
import { newUuid, toId } from "../../lib/values/ids.ts";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { until } from "../support/until.ts";

/** Waits until an enrichment has finished. */
export function finished(api: Client, id: string): Promise<Item> {
  return until(`the enrichment ${id} has finished`, async () => {
    const { data } = await api.get(`/v1/enrichments/${id}`);
    return data.finishedAt === null ? undefined : data;
  });
}

describeServer("Enrichments without a provider", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.api(ada);
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const enrich = async (id = person.id) => (await api.post(`/v1/people/${id}/enrich`)).data;
    return { workspace, ada, api, person, enrich };
  }

  it("begin pending, answer all that they have, and fail with how to configure a provider", async () => {
    const { ada, api, person, enrich } = await setUp();
    const made = await enrich();
    expect(made).toEqual({
      id: expect.stringMatching(/^enr_[0-9a-f-]{36}$/),
      entity: { id: person.id, entityType: "person", fullName: "Grace Hopper" },
      status: "pending",
      creditsUsed: 0,
      result: null,
      error: null,
      createdBy: { id: ada.id, fullName: ada.fullName, email: ada.email },
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      finishedAt: null,
    });
    const ended = await finished(api, made.id);
    expect(ended).toEqual({
      ...made,
      status: "failed",
      error: { code: "PROVIDER_NOT_CONFIGURED", message: expect.stringContaining("ENRICHMENT_PROVIDER") },
      finishedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect(Date.parse(String(ended.finishedAt))).toBeGreaterThanOrEqual(Date.parse(String(made.createdAt)));
    expect((await api.get(`/v1/people/${person.id}`)).data).toEqual(person);
  });

  it("of nobody are 404", async () => {
    const { api } = await setUp();
    expect((await api.post(`/v1/people/${toId("person", newUuid())}/enrich`)).status).toBe(404);
  });
});
