import { type Command, InvalidArgumentError, Option } from "commander";
import { instantOfTimeOrDate } from "../../base/values/times.ts";
import { type Admin, CommandError } from "../../tools/terminal/admin.ts";
import { confirmUnlessScript } from "../../tools/terminal/ask.ts";
import { counted, show, table } from "../../tools/terminal/output.ts";
import { type Delivery, followDeliveries, inLine, latestDeliveries } from "../webhooks/deliveries.ts";

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

type Json = { json?: boolean };
type Options = Json & { workspace?: string };

const WORKSPACE = ["--workspace <slug>", "where the webhook is, needed when several workspaces have its id"] as const;

/** Adds `webhooks list`, `tail`, `test`, `replay` and `rotate`. docs/guides/webhooks.md#on-the-command-line */
export function addWebhooks(program: Command, admin: Admin): void {
  const webhooks = program.command("webhooks").description("webhooks of users, and what is sent to them");
  addList(webhooks, admin);
  addTail(webhooks, admin);
  addReplay(webhooks, admin);

  webhooks
    .command("test")
    .description("send a test to a webhook")
    .argument("<WEBHOOK_ID>", "id of the webhook, wbk_…", webhookId)
    .option(...WORKSPACE)
    .option("--json", "print JSON")
    .action(async (id: string, { workspace, json = false }: Options) => {
      const made = await callIn(admin, workspace)<Delivery>("webhooks-admin.test", { webhookId: id });
      show(admin, { json }, made, (delivery) => `${delivery.id} will be sent; "webhooks tail ${id}" shows how it ends`);
    });

  webhooks
    .command("rotate")
    .description("replace the signing secret; the new one is shown this once, and the old one signs for a day too")
    .argument("<WEBHOOK_ID>", "id of the webhook, wbk_…", webhookId)
    .option(...WORKSPACE)
    .option("--json", "print JSON")
    .action(async (id: string, { workspace, json = false }: Options) => {
      const call = callIn(admin, workspace);
      const rotated = await call<{ signingSecret: string }>("webhooks-admin.rotate", { webhookId: id });
      show(admin, { json }, rotated, ({ signingSecret }) => signingSecret);
    });
}

function addList(webhooks: Command, admin: Admin): void {
  webhooks
    .command("list")
    .description("list the webhooks of a workspace")
    .requiredOption("--workspace <slug>", "the workspace")
    .option("--json", "print JSON")
    .action(async ({ workspace, json = false }: Json & { workspace: string }) => {
      const { id } = await admin.call<{ id: string }>("workspaces.get", { workspace });
      const listed = await admin.call<{ webhooks: ListedWebhook[] }>("webhooks-admin.list", { workspaceId: id });
      show(admin, { json }, listed, inTable);
    });
}

function addTail(webhooks: Command, admin: Admin): void {
  webhooks
    .command("tail")
    .description("print the deliveries of a webhook as they end, one a line, until Ctrl-C")
    .argument("<WEBHOOK_ID>", "id of the webhook, wbk_…", webhookId)
    .option(...WORKSPACE)
    .option("--once", "print the latest deliveries, whether they have ended or not, and exit")
    .option("--json", "print JSON, one delivery a line")
    .action(async (id: string, { workspace, once = false, json = false }: Options & { once?: boolean }) => {
      const call = callIn(admin, workspace);
      const print = (delivery: Delivery) => show(admin, { json }, delivery, inLine);
      if (once) for (const delivery of await latestDeliveries({ call }, id)) print(delivery);
      else if (admin.interrupted) await followDeliveries({ call }, id, print, admin.interrupted);
      else
        throw new CommandError(
          '"webhooks tail" goes on until it is interrupted, which is not possible here. Use --once.',
          2,
        );
    });
}

interface ReplayOptions extends Json {
  workspace?: string;
  delivery?: string;
  since?: string;
  dryRun?: boolean;
  yes?: boolean;
}

function addReplay(webhooks: Command, admin: Admin): void {
  webhooks
    .command("replay")
    .description("send a delivery again, or all events since a time")
    .argument("<WEBHOOK_ID>", "id of the webhook, wbk_…", webhookId)
    .option(...WORKSPACE)
    .addOption(new Option("--delivery <id>", "the delivery, dlv_…").argParser(deliveryId).conflicts("since"))
    .addOption(new Option("--since <time>", "a timestamp, or a date for its start (UTC)").argParser(time))
    .addOption(new Option("--dry-run", "only show how many events --since would send").conflicts("delivery"))
    .option("--yes", "do not ask before --since sends")
    .option("--json", "print JSON")
    .action(async (id: string, { workspace, delivery, since, dryRun, yes, json = false }: ReplayOptions) => {
      const call = callIn(admin, workspace);
      if (delivery !== undefined) {
        const made = await call<Delivery>(REPLAY, { webhookId: id, deliveryId: delivery });
        return show(admin, { json }, made, (result) => `${result.id} will be sent`);
      }
      if (since === undefined)
        throw new InvalidArgumentError('Say what to send again: "--delivery ID" or "--since TIME"');
      const params = { webhookId: id, since };
      if (dryRun) {
        const found = await call<Found>(REPLAY, { ...params, dryRun });
        return show(admin, { json }, found, ({ events }) => `${counted(events, "event")} would be sent again`);
      }
      if (!yes) await askBefore({ ...admin, call }, params);
      const made = await call<{ replayed: number }>(REPLAY, params);
      show(admin, { json }, made, ({ replayed }) => `${counted(replayed, "event")} to be sent again`);
    });
}

/** Calls actions on a webhook, with the workspace that was named, if one was. */
function callIn(admin: Admin, workspace: string | undefined): Admin["call"] {
  const where = workspace === undefined ? {} : { workspace };
  return (action, params, caller) => admin.call(action, { ...params, ...where }, caller);
}

const REPLAY = "webhooks-admin.replay";

interface Found {
  events: number;
}

/** Sent events cannot be taken back, so the command tells the number and asks first. docs/guides/running.md#questions */
async function askBefore(admin: Admin, params: { webhookId: string; since: string }): Promise<void> {
  if (!admin.interactive && !admin.inRepl) return;
  const { events } = await admin.call<Found>(REPLAY, { ...params, dryRun: true });
  if (events > 0) await confirmUnlessScript(admin, `This sends ${counted(events, "event")} to the webhook. Go on?`);
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

/** @throws InvalidArgumentError for a text that is no id of a webhook */
function webhookId(text: string): string {
  if (text.length === 40 && text.startsWith("wbk_")) return text;
  throw new InvalidArgumentError(`"${text}" is no id of a webhook; "webhooks list" shows them`);
}

/** @throws InvalidArgumentError for a text that is no id of a delivery */
function deliveryId(text: string): string {
  if (text.length === 40 && text.startsWith("dlv_")) return text;
  throw new InvalidArgumentError(`"${text}" is no id of a delivery; "webhooks tail" shows them`);
}

/** @throws InvalidArgumentError for a text that is neither a timestamp nor a date */
function time(text: string): string {
  if (instantOfTimeOrDate(text) !== null) return text;
  throw new InvalidArgumentError("It takes a date like 2026-03-01 or a timestamp like 2026-03-01T09:30:00Z.");
}
