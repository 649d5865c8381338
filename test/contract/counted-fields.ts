import type { CustomFieldTypeName } from "../../model/custom-fields/definition.ts";
import { type Dimension, type GroupKind, MEASURE_KINDS, type Measure, UNITS, type Unit } from "./aggregate-oracle.ts";
import type { Kind } from "./filters/observed.ts";
import { LABELS, nameOf, type Population } from "./filters/population.ts";

// The tables of docs/guides/aggregates.md#groups and docs/guides/aggregates.md#measures, written anew: those in the
// code are what is tested.

const ACTIVITY = "interactionMetadata.workspace.lastInteractedAt";

/** Fields by whose values records are counted. Dates need a unit. */
export const COUNTED_FIELDS: Record<Kind, Record<string, GroupKind>> = {
  people: {
    gender: "TEXT",
    birthday: "DATE",
    [ACTIVITY]: "DATE",
    companies: "REFERENCE",
    groups: "REFERENCE",
    createdBy: "REFERENCE",
    createdAt: "DATE",
  },
  companies: {
    industry: "TEXT",
    employeeRange: "TEXT",
    foundationYear: "NUMBER",
    lastFundingDate: "DATE",
    groups: "REFERENCE",
    createdBy: "REFERENCE",
    createdAt: "DATE",
  },
  objects: { companies: "REFERENCE", people: "REFERENCE", createdBy: "REFERENCE", createdAt: "DATE" },
};

/** Type of custom field → how its values are compared; records are not counted by texts. */
export const COUNTED_TYPES: Partial<Record<CustomFieldTypeName, GroupKind>> = {
  numericField: "NUMBER",
  dateField: "DATE",
  singleSelect: "OPTION",
  multipleSelect: "OPTION",
  userField: "REFERENCE",
  contactField: "REFERENCE",
  objectField: "REFERENCE",
};

/** Native fields that have measures; `sum` and `avg` for the first ones alone. */
const MEASURED: Record<Kind, { summed: string[]; numbers: string[]; dates: string[] }> = {
  people: { summed: [], numbers: [], dates: ["birthday", "createdAt", ACTIVITY] },
  companies: { summed: ["fundingRaised"], numbers: ["foundationYear"], dates: ["lastFundingDate", "createdAt"] },
  objects: { summed: [], numbers: [], dates: ["createdAt"] },
};

type Home = "club" | "vault";

/** A field to count by, before the groups of a run are known. */
export interface CountedField {
  title: string;
  isCustom: boolean;
  toDimension(population: Population, group?: Home): Dimension;
}

/** All that records of a kind are counted by: each date with all units, a custom one without any too. */
export function countedFieldsOf(kind: Kind): CountedField[] {
  const native = Object.entries(COUNTED_FIELDS[kind]).flatMap(([name, by]) =>
    (by === "DATE" ? UNITS : [undefined]).map((unit) => countedField(name, false, by, unit, () => name)),
  );
  const custom = Object.entries(COUNTED_TYPES).flatMap(([type, by]) =>
    (by === "DATE" ? [undefined, ...UNITS] : [undefined]).map((unit) =>
      countedField(`customFieldValues … ${type}`, true, by, unit, (population, group) =>
        customName(kind, type as CustomFieldTypeName, population, group),
      ),
    ),
  );
  return [...native, ...custom];
}

function countedField(
  name: string,
  isCustom: boolean,
  kind: GroupKind,
  unit: Unit | undefined,
  nameIn: (population: Population, group?: Home) => string,
): CountedField {
  const suffix = unit === undefined ? "" : `:${unit}`;
  return {
    title: `${name}${suffix}`,
    isCustom,
    toDimension: (population, group) => {
      const field = nameIn(population, group);
      return { name: `${field}${suffix}`, field, kind, ...(unit && { unit }), options: LABELS };
    },
  };
}

function customName(kind: Kind, type: CustomFieldTypeName, population: Population, group: Home = "club"): string {
  const home = kind === "objects" ? "" : `${population[group].id}.`;
  return `customFieldValues.${home}${nameOf(type)}`;
}

/** All measures of records of a kind. */
export function measuresOf(kind: Kind, population: Population, group?: Home): Measure[] {
  const { summed, numbers, dates } = MEASURED[kind];
  const [number, date] = (["numericField", "dateField"] as const).map((type) =>
    customName(kind, type, population, group),
  );
  const ends = (of: Measure["of"]) => (field: string | undefined) =>
    (["min", "max"] as const).map((one) => ({ kind: one, field: field ?? "", of }));
  return [
    ...[...summed, number].flatMap((field) =>
      MEASURE_KINDS.map((one): Measure => ({ kind: one, field: field ?? "", of: "NUMBER" })),
    ),
    ...numbers.flatMap(ends("NUMBER")),
    ...[...dates, date].flatMap(ends("DATE")),
  ];
}
