import { ApiError, unprocessable, unsaved } from "../../base/contract/errors.ts";
import { custom } from "../../base/contract/issues.ts";
import { newUuid } from "../../base/values/ids.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { type Draft, type Plan, placeOf, type Verdict, type Writing } from "./draft.ts";
import type { Faults } from "./faults.ts";
import type { Found } from "./found.ts";
import { judgeGroups } from "./judge-groups.ts";
import { refuseReplacing } from "./judge-kept.ts";
import { judgeLinks } from "./judge-links.ts";
import { judgeValues, withValues } from "./judge-values.ts";
import { refuseBytes } from "./value-bytes.ts";

/**
 * Judges a draft by the rules that the schema cannot see: groups, roles, references, custom values. Gives the plan by which it
 * is written, or the error that refuses it, with all issues. Runs no SQL: what the draft names was looked up in `found`.
 */
export function judge(writing: Writing, resource: RecordType, draft: Draft, found: Found): Verdict {
  const faults: Faults = { forbidden: new Set(), issues: [], warnings: [], definitional: false };
  const memberships = judgeGroups(writing, draft, faults);
  const values = judgeValues(writing, draft, memberships.after, found, faults);
  const links = judgeLinks(resource, draft, found, faults);
  if (draft.keeps !== undefined) refuseReplacing(writing, resource, draft, values, faults);
  if (faults.forbidden.size > 0) return { error: new ApiError("FORBIDDEN", [...faults.forbidden].join(" ")) };
  if (faults.issues.length > 0) {
    const error = unprocessable(faults.issues);
    return { error: faults.definitional ? unsaved(error) : error };
  }
  const { current } = draft;
  const after = values.length > 0 ? withValues(memberships.after, values) : memberships.after;
  const refusal = values.length > 0 ? refuseBytes(current?.memberships ?? [], after) : null;
  if (refusal !== null) return { error: unprocessable([custom(placeOf(draft, "customFieldValues"), refusal)]) };
  const plan: Plan = {
    uuid: current?.uuid ?? draft.uuid ?? newUuid(),
    isNew: current === null,
    current,
    scope: draft.scope,
    columns: changedColumns(resource, draft),
    memberships: memberships.changed || values.length > 0 ? after : null,
    addedGroups: memberships.added,
    removedGroups: memberships.removed,
    warnings: faults.warnings,
    changedValues: values,
    links,
  };
  return { plan };
}

/** All columns as they are to be stored, or null when every one stays as it is. */
function changedColumns(resource: RecordType, { sent, current }: Draft): Record<string, unknown> | null {
  const before =
    current && Object.fromEntries(resource.columns.map(({ name, storage }) => [name, storage.present(current[name])]));
  const derived = resource.derive ? resource.derive(sent, before) : sent;
  const columns: Record<string, unknown> = {};
  let changed = current === null;
  for (const { name, storage } of resource.columns) {
    const old = current ? current[name] : storage.unset;
    const value = Object.hasOwn(derived, name) ? storage.store(derived[name]) : old;
    columns[name] = value;
    changed ||= JSON.stringify(value) !== JSON.stringify(old);
  }
  return changed ? columns : null;
}
