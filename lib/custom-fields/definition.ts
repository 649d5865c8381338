import type { CustomFieldTypeName } from "./type.ts";

export interface Option {
  uuid: string;
  label: string;
  color: string;
}

export interface FieldDefinition {
  uuid: string;
  groupUuid: string;
  name: string;
  /** The name as names are compared. */
  key: string;
  type: CustomFieldTypeName;
  config: Record<string, unknown> | null;
  options: Option[];
  optionsByUuid: Map<string, Option>;
  optionsByLabel: Map<string, Option>;
}
