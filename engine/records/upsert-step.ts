import type { ApiError } from "../../base/contract/errors.ts";
import type { Issue, Path } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { LogEntry } from "../../model/log.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Scope } from "../../model/resources/scope.ts";
import type { Warning } from "./draft.ts";
import type { RecordRow } from "./select.ts";
import type { Asked } from "./upsert-lookup.ts";
import type { Mode, Places } from "./upsert-match.ts";

/** Members of a request that hold for all its records. docs/guides/upsert.md#requests */
export interface UpsertOptions {
  match: readonly string[];
  mode?: Mode;
  lists?: "replace" | "add";
}

/** A record that was upserted, by which key it was found, and what became of it. */
export interface Upserted {
  row: RecordRow;
  operation: "created" | "updated" | "unchanged";
  /** The key as the request names it; null for a record that was made. */
  matchedBy: string | null;
  warnings: Warning[];
}

export type UpsertOutcome = Upserted | { error: ApiError };

/** Records to be upserted together, in the order in which each sees those before it. */
export interface Upserting {
  resource: RecordType;
  scope: Scope;
  options: UpsertOptions;
  records: readonly RequestBody[];
  /** The place of `match` in the request. */
  matchAt: Path;
  placesOf(i: number): Places;
  /** Whether groups that the caller cannot see are left out with a warning, as in batches. */
  unseenGroups?: "warn";
  /** Finds what is wrong with a record before anything is looked up. */
  check?(sent: RequestBody, at: Path): Issue[];
  /** Is given the records of each wave when they are written, with their places, before later ones change them. */
  written?(outcomes: readonly { place: number; outcome: UpsertOutcome }[]): Promise<void>;
}

/** A record on its way: what it sends, and what it asks for. */
export interface Step {
  place: number;
  sent: RequestBody;
  places: Places;
  asked: Asked[];
  /** The uuid that it gets if it is made: later records of a batch have later ones. */
  uuid: Uuid;
}

/** A record of a request, and what became of it. */
export interface Outcome {
  place: number;
  outcome: UpsertOutcome;
}

/** An entry of the log, with the place of the record that has made it. */
export interface Ordered {
  place: number;
  entry: LogEntry;
}
