import type { ServiceBroker } from "moleculer";
import type { Database } from "../database/database.ts";
import { BusTransporter } from "./transporter.ts";

/** Interval at which a process looks whether its database answers. */
const LOOK_MS = 500;
/** Time without an answer on any connection, although all were asked, after which a process leaves. */
const WITHOUT_ANSWER_MS = 1_500;

/**
 * Takes this process out of the registries of the others while it cannot reach its database, so that their calls go to
 * processes that can. A slow answer is an answer: too much work is no reason to leave. A process without a bus has
 * nothing to leave. docs/decisions/0020-nodes-that-hang.md
 * @returns ends the watch
 */
export function leaveWithoutDatabase(
  { transit, logger }: Pick<ServiceBroker, "transit" | "logger">,
  database: Pick<Database, "check" | "sinceAnswer">,
): () => void {
  const transporter = transit?.tx;
  if (!(transporter instanceof BusTransporter)) return () => undefined;
  let isAway = false;
  let isLooking = false;

  async function look(bus: BusTransporter): Promise<void> {
    await database.check().catch(() => undefined);
    const wasAway = isAway;
    isAway = database.sinceAnswer() >= WITHOUT_ANSWER_MS;
    if (isAway === wasAway) return;
    if (isAway) {
      logger.warn("PostgreSQL does not answer this process. Other processes make no calls to it until it does.");
      await bus.leave();
    } else {
      logger.info("PostgreSQL answers again.");
      await bus.rejoin();
    }
  }

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look(transporter).finally(() => {
      isLooking = false;
    });
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
