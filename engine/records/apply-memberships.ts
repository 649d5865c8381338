import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Plan, Writing } from "./draft.ts";
import { type Columns, deleteRows, insertRows } from "./row-sets.ts";

/** Writes the index of groups: what records gain and lose. A trigger takes the values of a lost group out of their index. */
export async function writeMemberships(writing: Writing, resource: RecordType, plans: Plan[]): Promise<void> {
  const { groupsTable, ownColumn } = resource;
  const columns: Columns = { [ownColumn]: "uuid", group_id: "uuid" };
  const removed = plans.flatMap(({ uuid, removedGroups }) =>
    removedGroups.map((group_id) => ({ [ownColumn]: uuid, group_id })),
  );
  const added = plans.flatMap(({ uuid, addedGroups }) =>
    addedGroups.map((group_id) => ({ [ownColumn]: uuid, group_id })),
  );
  await Promise.all([
    deleteRows(writing, groupsTable, columns, removed),
    insertRows(writing, groupsTable, columns, added),
  ]);
}

const FIELD_COLUMNS: Columns = { group_id: "uuid", field_id: "uuid" };
const ENTRY_COLUMNS: Columns = {
  position: "smallint",
  item: "uuid",
  number_value: "numeric",
  date_value: "date",
  folded_text: "text",
};

/** Writes the rows by which filters find the custom values that plans change. Its statements are sent at once. */
export async function writeValues(writing: Writing, resource: RecordType, plans: Plan[]): Promise<void> {
  const { valuesTable, ownColumn } = resource;
  const fields: Columns = { [ownColumn]: "uuid", ...FIELD_COLUMNS };
  const outdated = plans.flatMap(({ uuid, isNew, changedValues }) =>
    isNew
      ? []
      : changedValues.map(({ groupId, fieldId }) => ({ [ownColumn]: uuid, group_id: groupId, field_id: fieldId })),
  );
  const rows = plans.flatMap(({ uuid, changedValues }) =>
    changedValues.flatMap(({ groupId, fieldId, stored }) => {
      const field = writing.catalog.groups.get(groupId)?.fieldsByUuid.get(fieldId);
      if (!field || stored === null) return [];
      return customFieldTypes[field.type].indexedAs(stored as never).map((indexed, position) => ({
        [ownColumn]: uuid,
        group_id: groupId,
        field_id: fieldId,
        position,
        ...indexed,
      }));
    }),
  );
  await Promise.all([
    deleteRows(writing, valuesTable, fields, outdated),
    insertRows(writing, valuesTable, { ...fields, ...ENTRY_COLUMNS }, rows),
  ]);
}
