import type { Uuid } from "../values/ids.ts";
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
  /** The name as names are compared. */
  key: string;
  type: CustomFieldTypeName;
  config: Record<string, unknown> | null;
  options: Option[];
  optionsByUuid: Map<Uuid, Option>;
  optionsByLabel: Map<string, Option>;
}
