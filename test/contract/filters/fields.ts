import type { FilterKind } from "../../../model/fields/field.ts";
import { CUSTOM_KINDS, NATIVE_FIELDS } from "./document.ts";
import { nameOf, type Population, TYPES } from "./population.ts";

/** A field to filter by, before the groups of a run are known. */
export interface SweptField {
  /** As titles of tests show it. */
  title: string;
  kind: FilterKind;
  by: "value" | "id" | "user";
  /** Its name in a filter. */
  nameIn(population: Population, group?: "club" | "vault"): string;
}

/** The fields whose values are named by id, or of users by e-mail address too. docs/guides/filters.md#references */
const NAMED_BY: Record<string, SweptField["by"]> = {
  groups: "id",
  companies: "id",
  people: "id",
  contactField: "id",
  objectField: "id",
  createdBy: "user",
  userField: "user",
};

/** All that can be filtered by: the fields of the resource, and a custom field of every type. */
export function fieldsOf(resource: keyof Population["ids"]): SweptField[] {
  const native = Object.entries(NATIVE_FIELDS[resource] ?? {}).map(
    ([name, kind]): SweptField => ({ title: name, kind, by: NAMED_BY[name] ?? "value", nameIn: () => name }),
  );
  return [...native, ...customFieldsOf(resource)];
}

/** A custom field of every type of the registry. */
export function customFieldsOf(resource: keyof Population["ids"]): SweptField[] {
  return TYPES.map((type): SweptField => {
    const kind = CUSTOM_KINDS[type];
    if (!kind) throw new Error(`The tests do not know the operators of the type ${type}.`);
    return {
      title: `customFieldValues … ${type}`,
      kind,
      by: NAMED_BY[type] ?? "value",
      nameIn: (population, group = "club") =>
        resource === "objects"
          ? `customFieldValues.${nameOf(type)}`
          : `customFieldValues.${population[group].id}.${nameOf(type)}`,
    };
  });
}
