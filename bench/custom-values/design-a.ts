import { BIG_GROUP, CONTACT_FIELDS, WORKSPACE } from "./data.ts";
import {
  COMMON_TABLES,
  DELETE_COMPANY,
  DELETE_PERSON,
  type Design,
  FILL_MEMBERSHIPS,
  FILL_RECORDS,
  INSERT_LINKS,
  INSERT_PEOPLE,
  LINKS,
  MEMBERSHIPS,
  NEW_PEOPLE,
  RENAME,
} from "./design.ts";
import { inMembership, jsonCondition, negated } from "./filters.ts";

export const A: Design = {
  key: "A",
  title: "jsonb on the membership, GIN",
  create: COMMON_TABLES(false, true),
  fill: [...FILL_RECORDS, { text: FILL_MEMBERSHIPS(`, "values"`), params: [] }],
  indexes: [`create index person_groups_values on person_groups using gin ("values" jsonb_path_ops)`],
  condition: negated((filter) => {
    const inner = jsonCondition(filter, `m."values"`, true);
    return { text: inMembership(inner.text), params: inner.params };
  }),
  record: `${MEMBERSHIPS(`m."values"`)}, ${LINKS}`,
  search: "people",
  insert: ({ people, peopleWithValues }) => [
    { text: INSERT_PEOPLE, params: [people] },
    { text: INSERT_LINKS, params: [people] },
    {
      text: `insert into person_groups select workspace_id, person_id, group_id, 1, "values" from ${NEW_PEOPLE}`,
      params: [peopleWithValues],
    },
  ],
  update: ({ person, field, value }) => [
    {
      text: `update person_groups set "values" = "values" || jsonb_build_object($3::text, $4::numeric) where workspace_id = $1 and person_id = $2 and group_id = '${BIG_GROUP}'`,
      params: [WORKSPACE, person, field, value],
    },
  ],
  rename: (person, name, description) => [{ text: RENAME, params: [WORKSPACE, person, name, description] }],
  removeGroup: (people) => [
    {
      text: `delete from person_groups where workspace_id = $1 and group_id = $2 and person_id = any($3)`,
      params: [WORKSPACE, BIG_GROUP, people],
    },
  ],
  forget: (person) => [
    ...CONTACT_FIELDS.map((field) => ({
      text: `update person_groups set "values" = case when jsonb_array_length("values" -> $2) = 1 then "values" - $2 else jsonb_set("values", array[$2], ("values" -> $2) - $3) end
        where workspace_id = $1 and "values" @> jsonb_build_object($2::text, jsonb_build_array($3::text))`,
      params: [WORKSPACE, field, person],
    })),
    { text: DELETE_PERSON, params: [WORKSPACE, person] },
  ],
  removeCompany: (company) => [{ text: DELETE_COMPANY, params: [WORKSPACE, company] }],
};
