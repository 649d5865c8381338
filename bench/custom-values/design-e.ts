import { BIG_GROUP, WORKSPACE } from "./data.ts";
import { COMMON_TABLES, type Design, NEW_PEOPLE } from "./design.ts";
import { A } from "./design-a.ts";
import { C } from "./design-c.ts";
import { ORDERED_ROWS, TYPED_INDEXES, VALUE_ROWS_KEYS } from "./value-rows.ts";

/** GIN on the jsonb answers equality and references; rows exist only for what it cannot order or search: text, number, date. */
export const E: Design = {
  ...C,
  key: "E",
  title: "jsonb on the membership with GIN, rows for text, number and date only",
  create: `${COMMON_TABLES(false, true)}
    create table person_values (
      workspace_id uuid not null, person_id uuid not null, group_id uuid not null, field_id uuid not null,
      number_value numeric, date_value date, folded_text text);`,
  fill: [...A.fill, { text: ORDERED_ROWS("source s"), params: [] }],
  indexes: [...A.indexes, ...VALUE_ROWS_KEYS("workspace_id, person_id, group_id, field_id"), ...TYPED_INDEXES],
  condition: (filter) =>
    (filter.field !== "text" && ["gt", "lt"].includes(filter.operator)
      ? C
      : filter.operator === "like"
        ? C
        : A
    ).condition(filter),
  insert: (batch) => [...A.insert(batch), { text: ORDERED_ROWS(NEW_PEOPLE), params: [batch.peopleWithValues] }],
  update: (change) => [
    ...A.update(change),
    {
      text: `insert into person_values (workspace_id, person_id, group_id, field_id, number_value) values ($1, $2, '${BIG_GROUP}', $3, $4)
        on conflict (workspace_id, person_id, group_id, field_id) do update set number_value = excluded.number_value`,
      params: [WORKSPACE, change.person, change.field, change.value],
    },
  ],
  forget: A.forget,
};

/** The rule "workspace_id leads every index" kept in E. */
export const E_BY_WORKSPACE: Design = {
  ...E,
  key: "E2",
  title: "E with workspace_id leading the GIN",
  indexes: [
    `create index person_groups_values on person_groups using gin (workspace_id, "values" jsonb_path_ops)`,
    ...E.indexes.slice(1),
  ],
};
