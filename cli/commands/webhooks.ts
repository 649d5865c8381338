import { setTimeout as pauseFor } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { confirmUnlessScript } from "../../tools/terminal/ask.ts";
import { counted, table } from "../../tools/terminal/output.ts";
import { answer, argument, type CommandEntry, command, option, timeOf, WORKSPACE } from "./table.ts";

interface ListedWebhook {
  id: string;
  name: string;
  targetUrl: string;
  owner: { id: string; email: string } | null;
  status: string;
  stoppedBecause: string | null;
  stoppedAt: string | null;
  pending: number;
  lastSuccessAt: string | null;
}

interface Found {
  events: number;
}

type Options = { workspace?: string };
type ReplayOptions = Options & { delivery?: string; since?: string; dryRun?: boolean; yes?: boolean };

const REPLAY = "webhooks-admin.replay";
const ID = argument("<WEBHOOK_ID>", "id of the webhook, wbk_…", webhookId);
const WHERE = option("--workspace <slug>", "where the webhook is, needed when several workspaces have its id");

/** docs/guides/webhooks.md#on-the-command-line */
export const WEBHOOKS: CommandEntry[] = [
  command<{ workspace: string }>({
    words: "webhooks list",
    about: "list the webhooks of a workspace",
    examples: ["webhooks list --workspace acme"],
    options: [WORKSPACE],
    async run(admin, { workspace }) {
      const { id } = await admin.call<{ id: string }>("workspaces.get", { workspace });
      return answer(
        await admin.call<{ webhooks: ListedWebhook[] }>("webhooks-admin.list", { workspaceId: id }),
        inTable,
      );
    },
  }),
  command<Options & { once?: boolean }, [id: string]>({
    words: "webhooks tail",
    about: "print the deliveries of a webhook as they end, one a line, until Ctrl-C",
    examples: ["webhooks tail wbk_01a209d3-c2c1-7487-991a-32578b1424d8 --once"],
    args: [ID],
    options: [WHERE, option("--once", "print the latest deliveries, whether they have ended or not, and exit")],
    json: "print JSON, one delivery a line",
    async run(admin, { workspace, once = false, json = false }, id) {
      const call = callIn(admin, workspace);
      const print = (delivery: Delivery) => admin.print(json ? JSON.stringify(delivery) : inLine(delivery));
      if (once) for (const delivery of await latestDeliveries({ call }, id)) print(delivery);
      else if (admin.interrupted) await followDeliveries({ call }, id, print, admin.interrupted);
      else
        throw new CommandError(
          '"webhooks tail" goes on until it is interrupted, which is not possible here. Use --once.',
          2,
        );
      return undefined;
    },
  }),
  command<ReplayOptions, [id: string]>({
    words: "webhooks replay",
    about: "send a delivery again, or all events since a time",
    examples: ["webhooks replay wbk_01a209d3-c2c1-7487-991a-32578b1424d8 --since 2026-03-01"],
    args: [ID],
    options: [
      WHERE,
      option("--delivery <id>", "the delivery, dlv_…", deliveryId).conflicts("since"),
      option("--since <time>", "a timestamp, or a date for its start (UTC)", timeOf),
      option("--dry-run", "only show how many events --since would send").conflicts("delivery"),
      option("--yes", "do not ask before --since sends"),
    ],
    async run(admin, { workspace, delivery, since, dryRun, yes }, id) {
      const call = callIn(admin, workspace);
      if (delivery !== undefined) {
        const made = await call<Delivery>(REPLAY, { webhookId: id, deliveryId: delivery });
        return answer(made, (result) => `${result.id} will be sent`);
      }
      if (since === undefined)
        throw new InvalidArgumentError('Say what to send again: "--delivery ID" or "--since TIME"');
      const params = { webhookId: id, since };
      if (dryRun)
        return answer(
          await call<Found>(REPLAY, { ...params, dryRun }),
          ({ events }) => `${counted(events, "event")} would be sent again`,
        );
      if (!yes) await askBefore({ ...admin, call }, params);
      const made = await call<{ replayed: number }>(REPLAY, params);
      return answer(made, ({ replayed }) => `${counted(replayed, "event")} to be sent again`);
    },
  }),
  command<Options, [id: string]>({
    words: "webhooks test",
    about: "send a test to a webhook",
    examples: ["webhooks test wbk_01a209d3-c2c1-7487-991a-32578b1424d8"],
    args: [ID],
    options: [WHERE],
    async run(admin, { workspace }, id) {
      const made = await callIn(admin, workspace)<Delivery>("webhooks-admin.test", { webhookId: id });
      return answer(made, (delivery) => `${delivery.id} will be sent; "webhooks tail ${id}" shows how it ends`);
    },
  }),
  command<Options, [id: string]>({
    words: "webhooks rotate",
    changes: "settings",
    about: "replace the signing secret; the new one is shown this once, and the old one signs for a day too",
    examples: ["webhooks rotate wbk_01a209d3-c2c1-7487-991a-32578b1424d8"],
    args: [ID],
    options: [WHERE],
    async run(admin, { workspace }, id) {
      const rotated = await callIn(admin, workspace)<{ signingSecret: string }>("webhooks-admin.rotate", {
        webhookId: id,
      });
      return answer(rotated, ({ signingSecret }) => signingSecret);
    },
  }),
];

/** Calls actions on a webhook, with the workspace that was named, if one was. */
function callIn(admin: Admin, workspace: string | undefined): Admin["call"] {
  const where = workspace === undefined ? {} : { workspace };
  return (action, params, caller) => admin.call(action, { ...params, ...where }, caller);
}

/**
 * Sent events cannot be taken back, so the command tells the number and asks first. docs/guides/commands.md#questions
 */
async function askBefore(admin: Admin, params: { webhookId: string; since: string }): Promise<void> {
  if (!admin.interactive && !admin.inRepl) return;
  const { events } = await admin.call<Found>(REPLAY, { ...params, dryRun: true });
  if (events > 0) await confirmUnlessScript(admin, `This sends ${counted(events, "event")} to the webhook. Continue?`);
}

function inTable({ webhooks }: { webhooks: ListedWebhook[] }): string {
  const rows = webhooks.map((webhook) => [
    webhook.id,
    webhook.owner?.email ?? null,
    webhook.status,
    webhook.stoppedBecause,
    String(webhook.pending),
    webhook.lastSuccessAt && new Date(webhook.lastSuccessAt).toISOString(),
    webhook.targetUrl,
  ]);
  return table(["ID", "OWNER", "STATUS", "STOPPED BY", "PENDING", "LAST SUCCESS", "TARGET"], rows);
}

/** @throws InvalidArgumentError for a text that is not the id of a webhook */
function webhookId(text: string): string {
  if (text.length === 40 && text.startsWith("wbk_")) return text;
  throw new InvalidArgumentError(`"${text}" is not the id of a webhook; "webhooks list" shows the ids`);
}

/** @throws InvalidArgumentError for a text that is not the id of a delivery */
function deliveryId(text: string): string {
  if (text.length === 40 && text.startsWith("dlv_")) return text;
  throw new InvalidArgumentError(`"${text}" is not the id of a delivery; "webhooks tail" shows the ids`);
}

/** A delivery as the API answers it. docs/guides/webhooks.md#deliveries */
export interface Delivery {
  id: string;
  eventType: string;
  recordId: string;
  status: "pending" | "succeeded" | "failed" | "cancelled";
  attempts: { at: string; responseStatus: number | null; error: string | null; durationMs: number }[];
  createdAt: string;
}

const EVERY_MS = 1_000;
/** Time for which deliveries are kept. docs/guides/webhooks.md#deliveries */
const KEPT_MS = 30 * 86_400_000;
/** Number of ended deliveries that are shown first. */
const LATEST = 20;
/**
 * Time after which a delivery is no longer looked for again. Processes with different clocks create deliveries, in
 * transactions that end later than they began.
 */
const LATE_MS_MAX = 60_000;
/** Number of pending deliveries that are requested at once (services/webhooks/webhooks/webhooks-admin.service.ts). */
const AMONG_MAX = 1_000;

/** The latest deliveries of a webhook, the oldest of them first. */
async function latestDeliveries(admin: Pick<Admin, "call">, webhookId: string): Promise<Delivery[]> {
  return (await admin.call<{ deliveries: Delivery[] }>("webhooks-admin.deliveries", { webhookId })).deliveries;
}

/**
 * Prints the latest deliveries of a webhook that have ended, and then each one when it has, until the signal is
 * aborted.
 * @param pause waits between two looks; tests have one of their own
 */
export async function followDeliveries(
  admin: Pick<Admin, "call">,
  webhookId: string,
  print: (delivery: Delivery) => void,
  signal: AbortSignal,
  pause: () => Promise<unknown> = () => pauseFor(EVERY_MS, undefined, { signal }).catch(() => undefined),
): Promise<void> {
  const find = async (which: { from: string } | { among: string[] }) =>
    (await admin.call<{ deliveries: Delivery[] }>("webhooks-admin.deliveries", { webhookId, ...which })).deliveries;
  const since = (time: number) => find({ from: new Date(time).toISOString() });
  /** Deliveries that were shown, with their times, and those still to be shown. */
  const [told, pending] = [new Map<string, number>(), new Set<string>()];
  const take = (delivery: Delivery, isShown = true) => {
    if (delivery.status === "pending") pending.add(delivery.id);
    else if (!told.has(delivery.id)) {
      pending.delete(delivery.id);
      told.set(delivery.id, Date.parse(delivery.createdAt));
      if (isShown) print(delivery);
    }
  };
  const kept = await since(Date.now() - KEPT_MS);
  const ended = kept.filter(({ status }) => status !== "pending");
  const latest = new Set(ended.slice(-LATEST));
  for (const delivery of kept) take(delivery, latest.has(delivery));
  while (!signal.aborted) {
    const from = Date.now() - LATE_MS_MAX;
    // In a query of their own, or a thousand newer ones would leave no room for them.
    const followed = pending.size === 0 ? [] : await find({ among: [...pending].slice(-AMONG_MAX) });
    for (const delivery of [...followed, ...(await since(from))]) take(delivery);
    // One that is older is not found again.
    for (const [id, madeAt] of told) if (madeAt < from) told.delete(id);
    await pause();
  }
}

/** A delivery as one line: time of the last attempt, status, event, and reason for a failure. */
function inLine({ id, eventType, recordId, status, attempts, createdAt }: Delivery): string {
  const last = attempts.at(-1);
  const tries = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
  const answer = last && (last.error ?? `${last.responseStatus} after ${last.durationMs} ms`);
  return [last?.at ?? createdAt, id, status, eventType, recordId, tries, ...(answer ? [answer] : [])].join("  ");
}
