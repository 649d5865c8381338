import { unprocessable } from "../../../base/contract/errors.ts";
import { custom } from "../../../base/contract/issues.ts";
import { madeAt, newUuid, toId } from "../../../base/values/ids.ts";
import { WEBHOOKS_MAX } from "../../../config/limits.ts";
import type { WriteContext } from "../../../engine/records/draft.ts";
import { deleteRow, insertRow, type OtherColumns, presentRow, updateRow } from "../../../engine/rows/rows.ts";
import type { Sealing } from "../../../engine/secrets/sealing.ts";
import { newSigningSecret, redactedSecret } from "../../../engine/secrets/signing-secret.ts";
import { lockChangeable } from "../../../mixins/works/rows.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import type { Row, Viewer } from "../../../model/resources/resource.ts";
import { shownEntries, webhookSeenBy, webhooks } from "../../../model/resources/webhooks.ts";
import { columnOfKeys } from "./webhooks.keys.ts";
import {
  beginAnew,
  databaseTime,
  forgetFailures,
  insertQueue,
  makeQueueDue,
  markQueueGone,
  newestSeq,
  raiseVersion,
} from "./webhooks.queries.ts";
import { presentWithSecret, sealedSecret } from "./webhooks.secrets.ts";
import { columnsOfTakeover } from "./webhooks.takeover.ts";

/**
 * Creates a webhook from a checked body, and returns the answer with its secret.
 * @throws ApiError 422 when the workspace has the maximum number of webhooks
 */
export async function createWebhook(writing: WriteContext, sealing: Sealing, sent: RequestBody): Promise<string> {
  const { query, caller } = writing;
  const uuid = newUuid();
  const secret = newSigningSecret();
  const row = await insertRow(query, webhooks, writing, sent, {
    // The encryption of the secret depends on the id, so the id is made here.
    id: uuid,
    created_at: madeAt(uuid),
    secret: sealedSecret(sealing, uuid, secret),
    redacted_secret: redactedSecret(secret),
    since_seq: await newestSeq(query),
    ...columnOfKeys(caller),
  });
  const count = await raiseVersion(query, caller.workspaceId);
  if (count > WEBHOOKS_MAX)
    throw unprocessable([
      custom([], `The workspace would have ${count} webhooks. At most ${WEBHOOKS_MAX} are possible`),
    ]);
  await insertQueue(query, caller.workspaceId, row.uuid);
  tellLog(writing, row);
  return JSON.stringify(presentWithSecret(row, writing, secret));
}

/** Changes a locked webhook by a checked body, and returns the answer. */
export async function updateWebhook(writing: WriteContext, current: Row, sent: RequestBody): Promise<string> {
  const { query, caller } = writing;
  const changed = changedBy(writing, current, sent);
  const others = {
    ...(await columnsOfStatus(writing, current, sent)),
    ...columnOfKeys(caller, current),
    ...(await columnsOfOwner(writing, current, changed)),
  };
  const row = await updateRow(query, webhooks, writing, current, changed, others);
  await raiseVersion(query, caller.workspaceId);
  await tellQueue(writing, current, sent);
  tellLog(writing, row);
  return JSON.stringify(presentRow(webhooks, row, writing));
}

/** An undo names the webhooks that it leaves alone. docs/guides/history-and-undo.md#what-is-left-alone */
function tellLog({ log }: WriteContext, { uuid }: Row): void {
  log.push({ type: "webhook.changed", recordId: uuid, body: {} });
}

/**
 * The sent members that change a webhook. An admin may send back the entries that they see: then the entries that they
 * do not see stay too.
 */
function changedBy(viewing: Viewer, current: Row, sent: RequestBody): RequestBody {
  const { targetUrl, subscribedEvents, ...others } = sent;
  const isNewTarget = targetUrl !== undefined && targetUrl !== current.targetUrl;
  const isNewChoice =
    subscribedEvents !== undefined &&
    JSON.stringify(shownEntries(subscribedEvents)) !== JSON.stringify(webhookSeenBy(current, viewing).subscribedEvents);
  return { ...others, ...(isNewTarget && { targetUrl }), ...(isNewChoice && { subscribedEvents }) };
}

/**
 * Columns that change with the owner, after a change of the target or the events. docs/guides/webhooks.md#who-sees-what
 */
async function columnsOfOwner(writing: WriteContext, current: Row, changed: RequestBody): Promise<OtherColumns> {
  const isTaken = changed.targetUrl !== undefined || changed.subscribedEvents !== undefined;
  if (!isTaken || writing.caller.userId === current.createdBy) return {};
  const { subscribed_events, ...others } = columnsOfTakeover(writing, current, await databaseTime(writing.query));
  return changed.subscribedEvents === undefined ? { ...others, subscribed_events } : others;
}

/**
 * Lets the sender cancel the pending deliveries of a webhook that becomes inactive. A webhook that becomes active, or
 * gets another target, has not failed there yet. This comes last in the transaction: the publisher waits for the row of
 * a queue, so a transaction that has locked it must not wait for another.
 */
async function tellQueue(
  { query, caller }: WriteContext,
  current: Row,
  { status, targetUrl }: RequestBody,
): Promise<void> {
  const isTurned = status !== undefined && status !== current.status;
  if (isTurned && status === "inactive") await makeQueueDue(query, caller.workspaceId, current.uuid);
  const isNewTarget = targetUrl !== undefined && targetUrl !== current.targetUrl;
  if (isTurned && status === "active") await beginAnew(query, caller.workspaceId, current.uuid);
  else if (isNewTarget) await forgetFailures(query, caller.workspaceId, current.uuid);
}

/** Deletes the webhook that an id names, and gives the answer. Its deliveries go later, in small steps. */
export async function deleteWebhook(writing: WriteContext, id: string): Promise<string> {
  const { query, caller } = writing;
  const row = await lockChangeable(webhooks, writing, id);
  await deleteRow(query, webhooks, writing, row);
  await raiseVersion(query, caller.workspaceId);
  await markQueueGone(query, caller.workspaceId, row.uuid);
  tellLog(writing, row);
  return JSON.stringify({ id: toId("webhook", row.uuid) });
}

/**
 * Columns that change with the status: events of the time in which the webhook was inactive are not for it, and
 * deliveries that were pending when it became inactive are never sent, even if it becomes active again.
 * docs/guides/webhooks.md#status
 */
async function columnsOfStatus({ query }: WriteContext, current: Row, { status }: RequestBody): Promise<OtherColumns> {
  if (status === undefined || status === current.status) return {};
  if (status === "active") return { since_seq: await newestSeq(query) };
  return { stopped_at: await databaseTime(query), stopped_because: "client" };
}
