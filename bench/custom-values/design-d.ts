import { CONTACT_FIELDS, F, type Field, fieldOf, WORKSPACE } from "./data.ts";
import {
  COLUMNS,
  COMMON_TABLES,
  DELETE_PERSON,
  type Design,
  FILL_COMPANIES,
  FILL_LINKS,
  FILL_MEMBERSHIPS,
  INSERT_LINKS,
  INSERT_MEMBERSHIPS,
  LINKS,
  NEW_PEOPLE,
  VALUES_OF_COLUMNS,
} from "./design.ts";
import { A } from "./design-a.ts";
import { jsonCondition, negated } from "./filters.ts";

export const D: Design = {
  ...A,
  key: "D",
  title: "jsonb on the record, an index per field",
  create: COMMON_TABLES(true, false),
  fill: [
    FILL_COMPANIES,
    `insert into people (${COLUMNS}, "values") select ${VALUES_OF_COLUMNS}, v."values" from source_people s join (
       select n, jsonb_object_agg(v.key, v.value) as "values" from source cross join lateral jsonb_each("values") v group by n) v using (n)
     order by s.n`,
    FILL_LINKS,
    FILL_MEMBERSHIPS(""),
  ].map((text) => ({ text, params: [] })),
  indexes: [...indexesPerField(1), ...indexesPerField(2)],
  condition: negated((filter) => jsonCondition(filter, `p."values"`, false)),
  record: `p."values" as "values", (select jsonb_agg(m.group_id order by m.position) from person_groups m where m.workspace_id = p.workspace_id and m.person_id = p.id) as groups, ${LINKS}`,
  insert: ({ people, peopleWithValues }) => [
    {
      text: `insert into people (${COLUMNS}, "values") select ${VALUES_OF_COLUMNS}, s."values" from ${NEW_PEOPLE}`,
      params: [peopleWithValues],
    },
    { text: INSERT_LINKS, params: [people] },
    { text: INSERT_MEMBERSHIPS, params: [people] },
  ],
  update: ({ person, field, value }) => [
    {
      text: `update people set "values" = "values" || jsonb_build_object($3::text, $4::numeric) where workspace_id = $1 and id = $2`,
      params: [WORKSPACE, person, field, value],
    },
  ],
  removeGroup: (people) => [
    ...A.removeGroup(people),
    {
      text: `update people set "values" = "values" - $3::text[] where workspace_id = $1 and id = any($2)`,
      params: [WORKSPACE, people, Object.values(F)],
    },
  ],
  forget: (person) => [
    ...CONTACT_FIELDS.map((field) => ({
      text: `update people set "values" = case when jsonb_array_length("values" -> '${field}') = 1 then "values" - '${field}' else jsonb_set("values", array['${field}'], ("values" -> '${field}') - $2) end
        where workspace_id = $1 and "values" ? '${field}' and ("values" -> '${field}') @> jsonb_build_array($2::text)`,
      params: [WORKSPACE, person],
    })),
    { text: DELETE_PERSON, params: [WORKSPACE, person] },
  ],
};

/** The indexes that the eight fields of one group need in design D. */
export function indexesPerField(group: number): string[] {
  const where = (field: Field) => `where "values" ? '${fieldOf(group, field)}'`;
  const text = (field: Field) => `("values" ->> '${fieldOf(group, field)}')`;
  const name = (field: string) => `people_${field}_${group}`;
  return [
    `create index ${name("text")} on people (workspace_id, md5(${text("text")}), id) ${where("text")}`,
    `create index ${name("text_like")} on people using gin (workspace_id, lower(${text("text")}) gin_trgm_ops) ${where("text")}`,
    `create index ${name("number")} on people (workspace_id, (${text("number")}::numeric), id) ${where("number")}`,
    `create index ${name("date")} on people (workspace_id, ${text("date")}, id) ${where("date")}`,
    `create index ${name("single")} on people (workspace_id, ${text("single")}, id) ${where("single")}`,
    ...(["multiple", "user", "contact", "object"] as const).map(
      (field) =>
        `create index ${name(field)} on people using gin (("values" -> '${fieldOf(group, field)}') jsonb_path_ops) ${where(field)}`,
    ),
  ];
}
