import { BIG_GROUP, CONTACT_FIELDS, WORKSPACE } from "./data.ts";
import { COMMON_TABLES, type Design, FILL_MEMBERSHIPS, FILL_PEOPLE, INSERT_PEOPLE, NEW_PEOPLE } from "./design.ts";
import { A } from "./design-a.ts";
import { negated, rowCondition } from "./filters.ts";
import { ROWS_OUT_OF_JSON, TEXT, VALUE_ROWS, VALUE_ROWS_KEYS } from "./value-rows.ts";

const TYPED_ROW_UPSERT = (column: string, value: string) => `
  insert into person_values (workspace_id, person_id, group_id, field_id, position, ${column}) values ($1, $2, '${BIG_GROUP}', $3, 1, ${value})
  on conflict (workspace_id, person_id, group_id, field_id, position) do update set ${column} = excluded.${column}`;

export const B: Design = {
  key: "B",
  title: "rows only",
  create: COMMON_TABLES(false, false) + VALUE_ROWS("text_value"),
  fill: [
    { text: FILL_PEOPLE, params: [] },
    { text: FILL_MEMBERSHIPS(""), params: [] },
    { text: ROWS_OUT_OF_JSON("source s", TEXT, "null"), params: [] },
  ],
  indexes: [
    ...VALUE_ROWS_KEYS("workspace_id, person_id, group_id, field_id, position"),
    `create index person_values_text on person_values (workspace_id, field_id, text_value, person_id) where text_value is not null`,
    `create index person_values_number on person_values (workspace_id, field_id, number_value, person_id) where number_value is not null`,
    `create index person_values_date on person_values (workspace_id, field_id, date_value, person_id) where date_value is not null`,
    `create index person_values_item on person_values (workspace_id, field_id, item, person_id) where item is not null`,
  ],
  condition: negated((filter) =>
    rowCondition(filter, { eqText: "v.text_value = $2::text", like: "lower(v.text_value) like $2", all: "rows" }),
  ),
  record: `(select jsonb_object_agg(g.group_id, g.fields) from (
      select f.group_id, jsonb_object_agg(f.field_id, f.value) as fields from (
        select v.group_id, v.field_id, case when count(v.item) > 0 then jsonb_agg(v.item order by v.position)
          else coalesce(to_jsonb(min(v.text_value)), to_jsonb(min(v.number_value)), to_jsonb(min(v.date_value))) end as value
        from person_values v where v.workspace_id = p.workspace_id and v.person_id = p.id group by v.group_id, v.field_id) f
      group by f.group_id) g) as "values"`,
  insert: [
    { text: INSERT_PEOPLE, params: [] },
    { text: `insert into person_groups select workspace_id, person_id, group_id, 1 from ${NEW_PEOPLE}`, params: [] },
    { text: ROWS_OUT_OF_JSON(NEW_PEOPLE, TEXT, "null"), params: [] },
  ],
  update: (field, person, value) => [
    { text: TYPED_ROW_UPSERT("number_value", "$4"), params: [WORKSPACE, person, field, value] },
  ],
  removeGroup: A.removeGroup,
  forget: (person) => [
    {
      text: `delete from person_values where workspace_id = $1 and field_id = any($2) and item = $3`,
      params: [WORKSPACE, CONTACT_FIELDS, person],
    },
    { text: `delete from people where workspace_id = $1 and id = $2`, params: [WORKSPACE, person] },
  ],
};
