import { touchedSince } from "../interactions/activity.ts";
import { DAY_MS } from "../values/dates.ts";
import type { Checked } from "./check.ts";
import type { ByOperator, Compiling } from "./compile.ts";

/**
 * The day on which somebody was last in touch with a record: it is what is left when they were in touch since that day began, and
 * not since it ended. docs/guides/filters.md#days
 */
export function activityCondition(
  { bind, caller }: Compiling,
  { values: [day = ""] }: Checked,
  of: "anybody" | "caller",
): ByOperator {
  const user = of === "anybody" ? null : caller.userId;
  const since = (days: number) =>
    touchedSince(bind, user, new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS));
  const ever = () => touchedSince(bind, user, null);
  return {
    eq: () => `(${since(0)} and not ${since(1)})`,
    gt: () => since(1),
    lt: () => `(${ever()} and not ${since(0)})`,
    empty: () => `not ${ever()}`,
    filled: ever,
  };
}
