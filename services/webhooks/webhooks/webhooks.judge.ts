import { unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import type { Writing } from "../../../engine/records/draft.ts";
import type { Sent } from "../../../model/fields/field.ts";
import type { SubscribedEvent } from "../../../model/resources/subscribed-events.ts";
import { filterIssues } from "../../../model/resources/subscription-filters.ts";
import type { createAddressRules } from "../subscriptions/addresses.ts";
import { refuseTarget } from "../subscriptions/target-url.ts";

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
