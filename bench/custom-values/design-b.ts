import { BIG_GROUP, CONTACT_FIELDS, FIELDS_OF, WORKSPACE } from "./data.ts";
import {
  COMMON_TABLES,
  DELETE_PERSON,
  type Design,
  FILL_MEMBERSHIPS,
  FILL_RECORDS,
  INSERT_LINKS,
  INSERT_MEMBERSHIPS,
  INSERT_PEOPLE,
  LINKS,
  MEMBERSHIPS,
  NEW_PEOPLE,
} from "./design.ts";
import { A } from "./design-a.ts";
import { negated, rowCondition } from "./filters.ts";
import { ROWS_OUT_OF_JSON, TEXT, VALUE_ROWS, VALUE_ROWS_KEYS } from "./value-rows.ts";

const TYPED_ROW_UPSERT = (column: string, value: string) => `
  insert into person_values (workspace_id, person_id, group_id, field_id, position, ${column}) values ($1, $2, '${BIG_GROUP}', $3, 1, ${value})
  on conflict (workspace_id, person_id, group_id, field_id, position) do update set ${column} = excluded.${column}`;

/** The values of the membership `m` put together from its rows. */
const VALUES_OUT_OF_ROWS = `(select jsonb_object_agg(f.field_id, f.value) from (
  select v.field_id, case when v.field_id = any('{${FIELDS_OF("single").join()}}') then to_jsonb(min(v.item::text))
    when count(v.item) > 0 then jsonb_agg(v.item order by v.position)
    else coalesce(to_jsonb(min(v.text_value)), to_jsonb(min(v.number_value)), to_jsonb(min(v.date_value))) end as value
  from person_values v where v.workspace_id = m.workspace_id and v.person_id = m.person_id and v.group_id = m.group_id
  group by v.field_id) f)`;

export const B: Design = {
  ...A,
  key: "B",
  title: "rows only",
  create: COMMON_TABLES(false, false) + VALUE_ROWS("text_value"),
  fill: [
    ...FILL_RECORDS,
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
  record: `${MEMBERSHIPS(VALUES_OUT_OF_ROWS)}, ${LINKS}`,
  insert: ({ people, peopleWithValues }) => [
    { text: INSERT_PEOPLE, params: [people] },
    { text: INSERT_LINKS, params: [people] },
    { text: INSERT_MEMBERSHIPS, params: [people] },
    { text: ROWS_OUT_OF_JSON(NEW_PEOPLE, TEXT, "null"), params: [peopleWithValues] },
  ],
  update: ({ person, field, value }) => [
    { text: TYPED_ROW_UPSERT("number_value", "$4"), params: [WORKSPACE, person, field, value] },
  ],
  forget: (person) => [
    {
      text: `delete from person_values where workspace_id = $1 and field_id = any($2) and item = $3`,
      params: [WORKSPACE, CONTACT_FIELDS, person],
    },
    { text: DELETE_PERSON, params: [WORKSPACE, person] },
  ],
};
