import { BIG_GROUP, WORKSPACE } from "./data.ts";
import { COMMON_TABLES, DELETE_PERSON, type Design, NEW_PEOPLE } from "./design.ts";
import { A } from "./design-a.ts";
import { B } from "./design-b.ts";
import { negated, rowCondition } from "./filters.ts";
import {
  FOLDED_TEXT,
  HASH_OF_TEXT,
  ROWS_OUT_OF_JSON,
  SLIM_ROWS,
  TYPED_INDEXES,
  VALUE_ROWS,
  VALUE_ROWS_KEYS,
} from "./value-rows.ts";

export const C: Design = {
  ...A,
  key: "C",
  title: "jsonb on the membership, typed rows for filters",
  create: COMMON_TABLES(false, true) + VALUE_ROWS("folded_text"),
  fill: [...A.fill, { text: ROWS_OUT_OF_JSON("source s", FOLDED_TEXT, HASH_OF_TEXT), params: [] }],
  indexes: [
    ...VALUE_ROWS_KEYS("workspace_id, person_id, group_id, field_id, position"),
    `create index person_values_item on person_values (workspace_id, item, field_id, person_id) where item is not null`,
    ...TYPED_INDEXES,
  ],
  condition: negated((filter) =>
    rowCondition(filter, { eqText: "v.item = md5($2::text)::uuid", like: "v.folded_text like $2", all: "json" }),
  ),
  insert: (batch) => [
    ...A.insert(batch),
    { text: ROWS_OUT_OF_JSON(NEW_PEOPLE, FOLDED_TEXT, HASH_OF_TEXT), params: [batch.peopleWithValues] },
  ],
  update: (change) => [...A.update(change), ...B.update(change)],
  forget: (person) => [
    {
      text: `with gone as (delete from person_values where workspace_id = $1 and item = $2 returning person_id, group_id, field_id::text as field)
        update person_groups m set "values" = case when jsonb_array_length(m."values" -> field) = 1 then m."values" - field else jsonb_set(m."values", array[field], (m."values" -> field) - $2::text) end
        from gone where m.workspace_id = $1 and m.person_id = gone.person_id and m.group_id = gone.group_id`,
      params: [WORKSPACE, person],
    },
    { text: DELETE_PERSON, params: [WORKSPACE, person] },
  ],
};

/** Slim C: every row has an `item` (for text, number and date a hash), so that one index is primary key, equality and reference look-up. */
export const C_SLIM: Design = {
  ...C,
  key: "C2",
  title: "C with slim rows",
  create: `${COMMON_TABLES(false, true)}
    create table person_values (
      workspace_id uuid not null, item uuid not null, field_id uuid not null, person_id uuid not null, group_id uuid not null,
      number_value numeric, date_value date, folded_text text);`,
  fill: [...A.fill, { text: SLIM_ROWS("source s"), params: [] }],
  // Under three letters there is no trigram: strpos keeps the planner from reading the whole trigram index.
  condition: (filter) =>
    filter.operator === "like" && String(filter.value).length < 3
      ? {
          ...rowCondition(filter, {
            eqText: "",
            like: "strpos(v.folded_text, $2) > 0 and v.folded_text is not null",
            all: "json",
          }),
          params: [filter.value],
        }
      : C.condition(filter),
  indexes: [
    ...VALUE_ROWS_KEYS("workspace_id, item, field_id, person_id"),
    `create index person_values_membership on person_values (workspace_id, person_id, group_id)`,
    ...TYPED_INDEXES,
  ],
  insert: (batch) => [...A.insert(batch), { text: SLIM_ROWS(NEW_PEOPLE), params: [batch.peopleWithValues] }],
  update: (change) => [
    ...A.update(change),
    {
      text: `delete from person_values where workspace_id = $1 and person_id = $2 and group_id = '${BIG_GROUP}' and field_id = $3`,
      params: [WORKSPACE, change.person, change.field],
    },
    {
      text: `insert into person_values (workspace_id, item, field_id, person_id, group_id, number_value) values ($1, md5($4::numeric::text)::uuid, $3, $2, '${BIG_GROUP}', $4)`,
      params: [WORKSPACE, change.person, change.field, change.value],
    },
  ],
};
