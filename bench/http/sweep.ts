import { toId } from "../../base/values/ids.ts";
import { OPERATORS } from "../../engine/filters/kinds.ts";
import { pick } from "../../lab/bench/pick.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { FilterKind } from "../../model/fields/field.ts";
import { people } from "../../model/resources/people.ts";
import type { Request } from "./case.ts";
import { lastName } from "./material.ts";
import { filtered } from "./routes.ts";
import type { Seeded } from "./seed.ts";

interface Filtered {
  name: string;
  request: Request;
}

/** What fields of each kind are compared with, unless they name something. */
const VALUES: Partial<Record<FilterKind, string>> = {
  TEXT: lastName(31),
  DATE: "2005-03-01",
  DAY: "2026-11-20",
  NUMBER: "9990",
  CHOICE: "Other",
};
const LABELS: Record<string, string> = { Stage: "Won", Tags: "Tag B" };

/** Every field of people with each of its operators, for `--plans`. */
export function sweep(seeded: Seeded): Filtered[] {
  const { groupId, group } = seeded;
  const references = referencesOf(seeded);
  const native = Object.entries(people.fields).map(([name, { filter }]) => ({ name, field: name, kind: filter }));
  const custom = (group.fields.get("person") ?? []).map(({ name, type }) => {
    return { name, field: `customFieldValues.${groupId}.${name}`, kind: customFieldTypes[type].filter };
  });
  return [...native, ...custom].flatMap(({ name, field, kind }) =>
    (kind ? OPERATORS[kind] : []).map((operator): Filtered => {
      const reference = references[name];
      const value = reference ?? LABELS[name] ?? (kind && VALUES[kind]) ?? "";
      return { name: `${name} ${operator}`, request: ask(field, operator, value, reference !== undefined) };
    }),
  );
}

function ask(field: string, operator: string, value: string, byId: boolean): Request {
  if (operator.endsWith("empty")) return filtered([[field, `[${operator}]`, ""]]);
  if (operator.endsWith("like")) return filtered([[field, `[${operator}]`, lastName(17).slice(0, 5).toLowerCase()]]);
  return filtered([[field, byId ? `[${operator}][id]` : `[${operator}]`, value]]);
}

/** Fields whose values are ids. */
function referencesOf({ second, users, companies, deals }: Seeded): Record<string, string> {
  const company = toId("company", pick(companies, 7));
  const user = toId("user", pick(users, 1));
  return {
    companies: company,
    groups: toId("group", second.uuid),
    createdBy: user,
    Owner: user,
    Contact: company,
    Deal: toId("object", pick(deals, 7)),
  };
}
