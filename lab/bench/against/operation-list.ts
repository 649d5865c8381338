import { filters } from "./filters.ts";
import type { Material, Operation } from "./operation.ts";
import { reads } from "./reads.ts";
import { writes } from "./writes.ts";

/** The measured operations, in the order of the table. */
export function operationsOf(material: Material): Operation[] {
  return [...reads(material), ...filters(material.contents), ...writes(material)];
}
