import { FIELDS_OF, type Field, ITEM_FIELDS } from "./data.ts";

/** The table of typed values; C2 and E have slimmer ones of their own. */
export const VALUE_ROWS = (text: string) => `
  create table person_values (
    workspace_id uuid not null, person_id uuid not null, group_id uuid not null, field_id uuid not null, position smallint not null,
    ${text} text, number_value numeric, date_value date, item uuid);`;
/** Keys are added after loading, which is several times faster. */
export const VALUE_ROWS_KEYS = (primaryKey: string) => [
  `alter table person_values add primary key (${primaryKey})`,
  `alter table person_values add constraint person_values_membership_fkey foreign key (workspace_id, person_id, group_id) references person_groups on delete cascade`,
];

export const TYPED_INDEXES = [
  `create index person_values_number on person_values (workspace_id, field_id, number_value, person_id) where number_value is not null`,
  `create index person_values_date on person_values (workspace_id, field_id, date_value, person_id) where date_value is not null`,
  `create index person_values_folded_text on person_values using gin (workspace_id, field_id, folded_text gin_trgm_ops) where folded_text is not null`,
];

const keyIs = (field: Field) => `v.key = any('{${FIELDS_OF(field).join()}}')`;
export const TEXT = `case when ${keyIs("text")} then v.value #>> '{}' end`;
export const FOLDED_TEXT = `lower(${TEXT})`;
export const HASH_OF_TEXT = `case when ${keyIs("text")} then md5(v.value #>> '{}')::uuid end`;

/** One row per value out of `s."values"`, a jsonb keyed by field id. */
export const ROWS_OUT_OF_JSON = (from: string, text: string, itemOfText: string) => `
  insert into person_values (workspace_id, person_id, group_id, field_id, position, ${text === TEXT ? "text_value" : "folded_text"}, number_value, date_value, item)
  select s.workspace_id, s.person_id, s.group_id, v.key::uuid, coalesce(i.position, 1)::smallint, ${text},
    case when jsonb_typeof(v.value) = 'number' then v.value::text::numeric end,
    case when ${keyIs("date")} then (v.value #>> '{}')::date end,
    coalesce(i.item::uuid, case when ${keyIs("single")} then (v.value #>> '{}')::uuid end, ${itemOfText})
  from ${from} cross join lateral jsonb_each(s."values") v
  left join lateral jsonb_array_elements_text(case when jsonb_typeof(v.value) = 'array' then v.value end) with ordinality i(item, position) on true`;

/** As above for the slim rows of C2: the item of a text, number or date is the hash of its text, and there is no position. */
export const SLIM_ROWS = (from: string) => `
  insert into person_values (workspace_id, item, field_id, person_id, group_id, number_value, date_value, folded_text)
  select s.workspace_id, case when v.key = any('{${ITEM_FIELDS.flatMap(FIELDS_OF).join()}}') then i.item::uuid else md5(i.item)::uuid end, v.key::uuid, s.person_id, s.group_id,
    case when jsonb_typeof(v.value) = 'number' then v.value::text::numeric end,
    case when ${keyIs("date")} then (v.value #>> '{}')::date end, ${FOLDED_TEXT}
  from ${from} cross join lateral jsonb_each(s."values") v
  cross join lateral jsonb_array_elements_text(case when jsonb_typeof(v.value) = 'array' then v.value else jsonb_build_array(v.value) end) i(item)`;

/** As above for E: only text, number and date. */
export const ORDERED_ROWS = (from: string) => `
  insert into person_values (workspace_id, person_id, group_id, field_id, number_value, date_value, folded_text)
  select s.workspace_id, s.person_id, s.group_id, v.key::uuid,
    case when jsonb_typeof(v.value) = 'number' then v.value::text::numeric end,
    case when ${keyIs("date")} then (v.value #>> '{}')::date end, ${FOLDED_TEXT}
  from ${from} cross join lateral jsonb_each(s."values") v
  where v.key = any('{${(["text", "number", "date"] as const).flatMap(FIELDS_OF).join()}}')`;
