import type { ServiceSchema } from "moleculer";

/** The parts of an action that other nodes read, as JSON. */
const ANNOUNCED = ["params", "returns"] as const;

/**
 * Gives every action a copy of its schemas that it shares with nobody. When Moleculer tells other nodes of its actions,
 * it sends an object that stands in several places only in the first of them (`safetyObject`). A gateway in another
 * process would not know a field that two schemas share.
 */
export const wholeSchemas = {
  name: "WholeSchemas",

  serviceCreating(_service: unknown, { actions = {} }: ServiceSchema): void {
    for (const action of Object.values(actions)) {
      if (typeof action !== "object" || action === null) continue;
      for (const part of ANNOUNCED) {
        const schema: unknown = Reflect.get(action, part);
        // Moleculer's own params are no JSON Schema and may hold functions.
        if (isJsonSchema(schema)) Reflect.set(action, part, JSON.parse(JSON.stringify(schema)));
      }
    }
  },
};

function isJsonSchema(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return "data" in schema || "list" in schema || Reflect.get(schema, "type") === "object";
}
