import type { ServiceSchema } from "moleculer";
import { isJsonSchema } from "./validator.ts";

/**
 * Gives every action a copy of the schema of its params that it shares with nobody. When Moleculer tells other nodes of
 * its actions, it sends an object that stands in several places only in the first of them (`safetyObject`). A gateway
 * in another process would not know a field that two schemas share.
 *
 * The schema of the result is taken away. It serves the OpenAPI document, which is made of the files of the services,
 * no other node reads it, and it was three fifths of what a node announces.
 */
export const wholeSchemas = {
  name: "WholeSchemas",

  serviceCreating(_service: unknown, { actions = {} }: ServiceSchema): void {
    for (const action of Object.values(actions)) {
      if (typeof action !== "object" || action === null) continue;
      Reflect.deleteProperty(action, "returns");
      const { params } = action;
      // Moleculer's own params are no JSON Schema and may hold functions.
      if (isJsonSchema(params)) action.params = JSON.parse(JSON.stringify(params));
    }
  },
};
