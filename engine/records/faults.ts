import type { Caller } from "../../base/contract/caller.ts";
import type { Issue } from "../../base/contract/issues.ts";
import type { Group } from "../../model/definitions/definitions.ts";
import { refuseRole } from "../../model/definitions/roles.ts";
import type { Warning } from "./draft.ts";

/** Faults of a draft. A role that is too low wins over all issues. docs/guides/conventions.md#order-of-checks */
export interface Faults {
  forbidden: Set<string>;
  issues: Issue[];
  warnings: Warning[];
  /** Another definition would change the verdict: it is not saved. docs/guides/idempotency.md#what-is-not-saved */
  definitional: boolean;
}

/** Adds the refusal of a caller whose role in a group is too low to write there. docs/guides/access.md#roles */
export function needContributor(group: Group, caller: Caller, faults: Faults): void {
  const refusal = refuseRole(group, caller, "contributor");
  if (refusal !== null) faults.forbidden.add(refusal);
}
