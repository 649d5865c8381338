import { until } from "../../../lab/harness/until.ts";
import type { Scene } from "../../support/scene.ts";
import { type Population, SEED } from "./population.ts";

/** Times of interactions, of which several people share each. */
const MOMENTS = ["2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00.001Z", "2019-12-31T23:59:59.999Z"];

/** Interactions with three of four people; returns when they are counted. */
export async function contactSome(scene: Scene, { workspace }: Population): Promise<void> {
  const api = scene.api(workspace.ada);
  for (const [i, { id }] of (await api.all("/v1/people?limit=100")).entries()) {
    const dateTime = MOMENTS[(i * 7) % 4];
    if (dateTime === undefined) continue;
    const body = { entity: { id }, dateTime, title: "", content: "", activityType: "call" };
    const { status, text } = await api.post("/v1/interactions", body);
    if (status !== 200) throw new Error(`seed ${SEED}: ${status} ${text}`);
  }
  await untilCounted(scene, workspace.uuid);
}

/** Waits until all interactions are counted. Records show those that are not counted yet; sorting and search do not. */
export async function untilCounted({ server }: Scene, workspaceUuid: string): Promise<void> {
  await until("the interactions are counted", async () => {
    const uncounted = "select from interaction_uncounted where workspace_id = $1 limit 1";
    return (await server.database.read(uncounted, [workspaceUuid])).length === 0;
  });
}
