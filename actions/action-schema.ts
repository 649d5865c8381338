import type { TSchema } from "../lib/contract/schema.ts";

/** What an action answers: a record, or a page of them. The gateway wraps it in `{ data }`. */
export type Returns = { data: TSchema } | { list: TSchema };

declare module "moleculer" {
  interface ActionSchema {
    /** One line for the API document. */
    summary?: string;
    /** What the summary leaves open. */
    description?: string;
    returns?: Returns;
  }
}
