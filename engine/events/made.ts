import type { Changed, Made, MadeValue } from "../../model/log.ts";

/** The place of the values of objects, which belong to no group that an answer names. */
export const OF_OBJECT = "object";

/** What was set in a new record as changes: with null, or an empty list, before. */
export function changesOfMade({ fields, values = {} }: Made): Changed[] {
  return [
    ...Object.entries(fields).map(([name, value]) => set([name], value)),
    ...Object.entries(values).flatMap(([groupId, ofGroup]) => ofGroup.map((value) => setValue(groupId, value))),
  ];
}

function set(path: string[], after: unknown): Changed {
  return { path, before: Array.isArray(after) ? [] : null, after };
}

function setValue(groupId: string, [field, name, value, stored]: MadeValue): Changed {
  const path = ["customFieldValues", ...(groupId === OF_OBJECT ? [] : [groupId]), name];
  return { ...set(path, value), field, ...(stored !== undefined && { stored: [null, stored] }) };
}
