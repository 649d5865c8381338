import type { RecordType } from "../../model/resources/record-type.ts";
import type { Plan, PlannedLink, Writing } from "./draft.ts";
import { namedRecord } from "./names.ts";
import { type Link, type RecordRow, untouched } from "./select.ts";

/**
 * The row of a record as its plan leaves it: what is written, and what is answered, since what this very transaction has written
 * need not be read again. docs/decisions/0008-batches.md
 * @param linkTo gives the record that a planned link leads to
 */
export function rowAfter(
  { caller, linked }: Writing,
  resource: RecordType,
  { uuid, current, scope, memberships, columns, links }: Plan,
  linkTo: (link: PlannedLink) => Link,
): RecordRow {
  const row: RecordRow = {
    ...(current ?? untouched(resource)),
    uuid,
    createdBy: current?.createdBy ?? caller.userId,
    memberships: memberships ?? current?.memberships ?? [],
    ...columns,
  };
  if (scope.home) for (const name of Object.keys(resource.rowColumns ?? {})) row[name] = scope.entity;
  for (const { name, storage } of resource.links) {
    const after = links.get(name)?.after.map(linkTo);
    for (const { uuid: target, label } of after ?? []) {
      const record = namedRecord(storage.target, target, label);
      linked.set(record.id, record);
    }
    row[name] = after?.map((link) => link.uuid) ?? current?.[name] ?? [];
  }
  return row;
}
