import type { Uuid } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";

export const CUSTOM_FIELD_TYPES = [
  "textField",
  "numericField",
  "dateField",
  "singleSelect",
  "multipleSelect",
  "userField",
  "contactField",
  "objectField",
] as const;

export type CustomFieldTypeName = (typeof CUSTOM_FIELD_TYPES)[number];

export interface Option {
  uuid: Uuid;
  label: string;
  color: string;
  /** Its place among the options of the field, where removed ones leave gaps. The calls of an import leave it out. */
  position?: number;
}

export interface FieldDefinition {
  uuid: Uuid;
  groupUuid: Uuid;
  name: string;
  /** The name in the form in which names are compared. */
  key: string;
  type: CustomFieldTypeName;
  config: Record<string, unknown> | null;
  options: Option[];
  readonly optionsByUuid: Map<Uuid, Option>;
  readonly optionsByLabel: Map<string, Option>;
}

/** The data of a definition; everything else in it is derived. */
export type FieldData = Pick<FieldDefinition, "uuid" | "name" | "type" | "config" | "options">;

/**
 * A definition of a group with everything derived from its data. The options are sorted at their first use: a workspace
 * can have thousands, and most of them are read again before any request uses them.
 */
export function definitionOf(groupUuid: Uuid, data: FieldData): FieldDefinition {
  let byUuid: Map<Uuid, Option> | undefined;
  let byLabel: Map<string, Option> | undefined;
  return {
    ...data,
    groupUuid,
    key: comparable(data.name),
    get optionsByUuid() {
      byUuid ??= new Map(data.options.map((option) => [option.uuid, option]));
      return byUuid;
    },
    get optionsByLabel() {
      byLabel ??= new Map(data.options.map((option) => [comparable(option.label), option]));
      return byLabel;
    },
  };
}
