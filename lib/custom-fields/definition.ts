import type { Uuid } from "../values/ids.ts";
import { comparable } from "../values/text.ts";
import type { CustomFieldTypeName } from "./type.ts";

export interface Option {
  uuid: Uuid;
  label: string;
  color: string;
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
  optionsByUuid: Map<Uuid, Option>;
  optionsByLabel: Map<string, Option>;
}

/** The data of a definition; everything else in it is derived. */
export type FieldData = Pick<FieldDefinition, "uuid" | "name" | "type" | "config" | "options">;

/** A definition of a group with what is derived from its data. */
export function definitionOf(groupUuid: Uuid, data: FieldData): FieldDefinition {
  return {
    ...data,
    groupUuid,
    key: comparable(data.name),
    optionsByUuid: new Map(data.options.map((option) => [option.uuid, option])),
    optionsByLabel: new Map(data.options.map((option) => [comparable(option.label), option])),
  };
}
