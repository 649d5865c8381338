import { expect, it } from "@jest/globals";
import { gaugesText } from "../../../../base/budgets/gauges.ts";
import { firstUuidOf } from "../../../../base/values/ids.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import { until } from "../../../../lab/harness/until.ts";
import { createPublisher } from "../../../../services/webhooks/publishing/publisher.ts";
import { startQueueGauges } from "../../../../services/webhooks/publishing/queue-gauges.ts";
import { createSubscriptions } from "../../../../services/webhooks/subscriptions/subscriptions.ts";
import { publish } from "../../../support/events.ts";
import { useHome } from "../../../support/home.ts";
import { insertReminders } from "../../../support/reminders.ts";
import { subscribe } from "../../../support/subscribers.ts";

// docs/guides/monitoring.md#metrics
const home = useHome();

/** The length of a queue in the metrics, and the age of its first entry in seconds, as they are read now. */
async function shown(queue: string): Promise<{ length: number | undefined; ageS: number | undefined }> {
  const gauges = startQueueGauges(home.database.queryPlanned, (error) => {
    throw error;
  });
  const find = (name: string) => {
    const [, found] = new RegExp(`^${name}\\{queue="${queue}"\\} (.+)$`, "m").exec(gaugesText()) ?? [];
    return found === undefined ? undefined : Number(found);
  };
  await until("they are read", () => find("contact_workspace_queue_length") !== undefined);
  const values = {
    length: find("contact_workspace_queue_length"),
    ageS: find("contact_workspace_queue_oldest_age_seconds"),
  };
  await gauges.stop();
  return values;
}

it("the queue of events has those of which deliveries are still to be made, and no others", async () => {
  const [acme, other, without] = [await home.workspace(), await home.workspace(), await home.workspace()];
  for (const one of [acme, other])
    await subscribe(home.database, [one.uuid, one.ada.uuid], [[{ eventType: "person.created" }]]);
  expect(await shown("events")).toEqual({ length: 0, ageS: undefined });
  const ago = (seconds: number) => ({ id: firstUuidOf(Date.now() - seconds * 1000) });
  await publish(home.database, acme.uuid, [ago(30), ago(10)]);
  await publish(home.database, other.uuid, [ago(60), { ...ago(50), type: "company.created" }]);
  await publish(home.database, without.uuid, [ago(90)]);
  const waiting = await shown("events");
  expect(waiting.length).toBe(4);
  expect(waiting.ageS).toBeGreaterThanOrEqual(60);
  expect(waiting.ageS).toBeLessThan(85);

  const publisher = createPublisher(home.database, {
    definitionsCache: storeOf(home.database).definitionsCache,
    subscriptions: createSubscriptions(),
  });
  await publisher.publish(other.uuid);
  const left = await shown("events");
  expect(left.length).toBe(2);
  expect(left.ageS).toBeLessThan(55);
  await publisher.publish(acme.uuid);
  expect(await shown("events")).toEqual({ length: 0, ageS: undefined });
  expect((await shown("deliveries_pending")).length).toBe(3);
});

it("the queue of reminders has those whose time has come", async () => {
  const { uuid } = await home.workspace();
  expect(await shown("reminders")).toEqual({ length: 0, ageS: undefined });
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
  for (const planned of [inSeconds(-90), inSeconds(-10), inSeconds(600)])
    await insertReminders(home.database, uuid, new Date(), { dueAt: "2031-01-01", planned });
  const waiting = await shown("reminders");
  expect(waiting.length).toBe(2);
  expect(waiting.ageS).toBeGreaterThanOrEqual(90);
});
