import { setTimeout as pause } from "node:timers/promises";
import type { ServiceSchema } from "moleculer";
import { startPolling } from "../../../base/jobs/polling.ts";
import { toId } from "../../../base/values/ids.ts";
import { pollingMixin } from "../../../mixins/polling.mixin.ts";
import type { ServiceContext } from "../../../mixins/service-context.ts";
import { createFiring, FIRED_AT_ONCE } from "./firing.ts";

/** Longest wait of a due reminder, when there are not thousands before it. docs/guides/reminders.md#firing */
const FIRE_EVERY_MS = 1_000;

/** Fires reminders. Each process of the folder does so; they share the work. docs/guides/reminders.md#firing */
export default function reminderFiringService({ database }: ServiceContext): ServiceSchema {
  return {
    name: "reminder-firing",
    mixins: [
      pollingMixin({
        start: (logger) => {
          const firing = createFiring(database, (zone, reminder) =>
            logger.warn(
              `The reminder ${toId("reminder", reminder)} does not fire: this runtime knows no time zone "${zone}"`,
            ),
          );
          return startPolling({
            everyMs: FIRE_EVERY_MS,
            async work(signal) {
              const begun = performance.now();
              const hasMore = (await firing.fireDue(new Date())) === FIRED_AT_ONCE;
              // Thousands that are due at once must not keep those waiting who ask for something meanwhile.
              if (hasMore) await pause(2 * (performance.now() - begun), undefined, { signal }).catch(() => undefined);
              return hasMore;
            },
            onFailure: ({ message }) => logger.warn("Reminders were not fired:", message),
          });
        },
      }),
    ],
  };
}
