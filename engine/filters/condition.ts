import { closed, oneOf, type Static, Type } from "../../base/contract/schema.ts";

/**
 * One condition as a client wrote it: `filter[field][operator]=value`. References are named by `ids` and `emails`, all
 * else by `values`. The gateway reads it from the query, `fromJson` from the body of a search.
 */
export const conditionSchema = closed({
  field: Type.String(),
  operator: Type.String(),
  values: Type.Array(Type.String()),
  ids: Type.Array(Type.String()),
  emails: Type.Array(Type.String()),
});

export type Condition = Static<typeof conditionSchema> & {
  /** Whether a JSON number is among the values, which only fields of numbers take. */
  hasNumbers?: boolean;
  /** Fault in the form of its value, in words for the client; undefined when there is none. */
  malformed?: string;
};

export const combinatorSchema = oneOf(["and", "or"], {
  default: "and",
  description: "Whether all conditions of the filter must hold, or any of them",
});

export type Combinator = Static<typeof combinatorSchema>;
