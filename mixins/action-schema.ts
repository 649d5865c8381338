import type { TSchema } from "../base/contract/schema.ts";

/**
 * The schema of what an action answers: of the one thing that it gives (`data`), or of the entries of a list (`list`). The
 * gateway puts the answer into `{ data }`. docs/guides/conventions.md#answers
 */
export type Returns = { data: TSchema } | ListReturns;

interface ListReturns {
  list: TSchema;
  /** Whether a cursor stands beside `pagination`: `Page.cursor`. */
  hasCursor?: boolean;
}

declare module "moleculer" {
  interface ActionSchema {
    /** Purpose of the operation, in one line of the OpenAPI document. */
    summary?: string;
    /** Details that the summary leaves out, for the OpenAPI document. */
    description?: string;
    returns?: Returns;
  }
}
