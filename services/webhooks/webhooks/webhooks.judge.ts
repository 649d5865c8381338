import { unprocessable } from "../../../lib/contract/errors.ts";
import { custom, type Issue } from "../../../lib/contract/issues.ts";
import type { Sent } from "../../../lib/fields/field.ts";
import type { Writing } from "../../../lib/records/draft.ts";
import type { createAddressRules } from "../../../lib/webhooks/addresses.ts";
import { filterIssues } from "../../../lib/webhooks/filters.ts";
import type { SubscribedEvent } from "../../../lib/webhooks/subscribed-events.ts";
import { refuseTarget } from "../../../lib/webhooks/target-url.ts";

/**
 * Judges what was sent of a webhook beyond its schema. docs/guides/webhooks.md#targets, docs/guides/webhooks.md#filters
 * @throws ApiError 422 with all issues
 */
export function judgeWebhook(
  writing: Writing,
  { targetUrl, subscribedEvents = [] }: Sent,
  rules: ReturnType<typeof createAddressRules>,
): void {
  const issues: Issue[] = filterIssues(subscribedEvents as SubscribedEvent[], writing);
  const refusal = typeof targetUrl === "string" ? refuseTarget(targetUrl, rules) : null;
  if (refusal !== null) issues.unshift(custom(["targetUrl"], refusal));
  if (issues.length > 0) throw unprocessable(issues);
}
