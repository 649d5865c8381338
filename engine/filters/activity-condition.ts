import type { Caller } from "../../base/contract/caller.ts";
import { DAY_MS } from "../../base/values/dates.ts";
import type { Binder } from "../../database/binder.ts";
import { lastTouchedIn, type Span } from "../interactions/activity.ts";
import type { Checked } from "./check.ts";
import type { ByOperator } from "./set-conditions.ts";

/** The day on which somebody was last in touch with a record. docs/guides/filters.md#days */
export function activityCondition(
  { bind, caller }: { bind: Binder; caller: Caller },
  { values: [day = ""] }: Checked,
  of: "anybody" | "caller",
): ByOperator {
  const user = of === "anybody" ? null : caller.userId;
  const start = () => new Date(`${day}T00:00:00.000Z`);
  const next = () => new Date(start().getTime() + DAY_MS);
  const touched = (span: Span) => lastTouchedIn(bind, user, span);
  return {
    eq: () => touched({ from: start(), until: next() }),
    gt: () => touched({ from: next() }),
    lt: () => touched({ until: start() }),
    empty: () => `not ${touched({})}`,
    filled: () => touched({}),
  };
}
