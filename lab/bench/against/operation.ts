import type { Request } from "../../harness/load.ts";
import type { Contents } from "./seed.ts";

/** Something that is measured, as requests to one side. Request number n means the same on both. */
export interface Operation {
  name: string;
  kind: Kind;
  requests: Request[];
  /** Set when each request can be sent once only: so many are sent in a turn. */
  perTurn?: number;
}

export type Kind = keyof typeof CONNECTIONS;

/** How many clients ask at once. */
export const CONNECTIONS = { read: 20, filter: 8, write: 4, batch: 2 } as const;

/** What stands behind the requests of a side. */
export interface Material {
  contents: Contents;
  /** Paths of pages in the midst of the list of people. */
  pages: string[];
  /** Plain people whom an operation may use up, by its name. */
  fresh: ReadonlyMap<string, string[]>;
}
