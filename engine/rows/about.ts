import type { Entity } from "../../model/resources/entity.ts";
import type { Row } from "../../model/resources/resource.ts";

/** Subject of a write: its record, if one was named, and the row as it is; null for a create. */
export interface About {
  entity: Entity | undefined;
  current: Row | null;
}
