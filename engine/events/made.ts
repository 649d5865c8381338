import type { Changed, Made, MadeValue } from "../../model/log.ts";

/** The place of the values of objects, whose group is not among their fields. */
export const OF_OBJECT = "object";

/** The changes in the part of an entry that events do not tell. What was set in a new record was unset before. */
export function changesIn({ changes, made }: { changes?: Changed[] | null; made?: Made | null }): Changed[] {
  return [...(changes ?? []), ...(made ? changesOfMade(made) : [])];
}

function changesOfMade({ fields, groups = {} }: Made): Changed[] {
  const ids = Object.keys(groups).filter((id) => id !== OF_OBJECT);
  return [
    ...Object.entries(fields).map(([name, value]) => set([name], value)),
    ...Object.entries(groups).flatMap(([id, values]) => values.map((value) => setValue(id, value))),
    ...(ids.length > 0
      ? [
          set(
            ["groups"],
            ids.map((id) => ({ id })),
          ),
        ]
      : []),
  ];
}

function set(path: string[], after: unknown): Changed {
  return { path, before: Array.isArray(after) ? [] : null, after };
}

function setValue(groupId: string, [field, name, value]: MadeValue): Changed {
  const path = ["customFieldValues", ...(groupId === OF_OBJECT ? [] : [groupId]), name];
  return { ...set(path, value), field };
}
