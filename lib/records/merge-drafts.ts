import type { Sent } from "../resource.ts";
import type { Draft } from "./draft.ts";

/**
 * Several records of one request that are about the same record, as one: the last value of a field wins, values of custom
 * fields merge field by field. Groups that only add unite. API document, "Batch endpoints", rules 6 and 9.
 */
export function mergeDrafts(first: Draft, second: Draft): Draft {
  const sent: Sent = { ...first.sent, ...second.sent };
  if (first.sent.customFieldValues && second.sent.customFieldValues) {
    const depth = first.scope.home ? 1 : 2;
    sent.customFieldValues = mergeValues(
      first.sent.customFieldValues as Sent,
      second.sent.customFieldValues as Sent,
      depth,
    );
  }
  if (first.groups === "add" && first.sent.groups && second.sent.groups) {
    sent.groups = [...(first.sent.groups as unknown[]), ...(second.sent.groups as unknown[])];
  }
  const origins = new Map(first.origins ?? Object.keys(first.sent).map((field) => [field, first.at]));
  for (const field of Object.keys(second.sent)) origins.set(field, second.at);
  return { ...first, sent, origins };
}

/** By field name, or by group and then by field name. */
function mergeValues(first: Sent, second: Sent, depth: number): Sent {
  if (depth === 1) return { ...first, ...second };
  const merged = new Map(Object.entries(first));
  for (const [group, values] of Object.entries(second)) {
    const before = merged.get(group) as Sent | undefined;
    merged.set(group, before ? mergeValues(before, values as Sent, depth - 1) : values);
  }
  return Object.fromEntries(merged);
}
