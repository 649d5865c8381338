import type { Caller } from "../../base/contract/caller.ts";
import type { ApiError } from "../../base/contract/errors.ts";
import type { Path } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { Query } from "../../database/query.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { LogEntry } from "../../model/log.ts";
import type { Scope } from "../../model/resources/scope.ts";
import type { RecordNames } from "./names.ts";
import type { Link, Membership, RecordRow } from "./select.ts";

/**
 * Dependencies of writes. `query` runs inside the transaction, which the caller of these functions opens and commits.
 */
export interface WriteContext {
  query: Query;
  /**
   * Takes statements that were sent and need not be waited for: an error of theirs is that of the commit. Without it
   * they are waited for.
   */
  last?(statement: Promise<unknown>): void;
  /** Whether the database is one of Citus. */
  isCitus?: boolean;
  definitions: Definitions;
  caller: Caller;
  /**
   * Names, by id, of the records that this transaction has linked or is about to link, or that the changed record is
   * linked to. The answer need not read them again. Only links are here, because this transaction may change the
   * records that custom values mention.
   */
  linked: RecordNames;
  /**
   * Events of this transaction. Code that changes something adds its events in their order. They are written when the
   * work has ended (engine/store/store.ts), and dropped with a try that is undone.
   */
  log: LogEntry[];
}

/** A record to be written: the body, and the present row. */
export interface Draft {
  /** Place of the draft in the request, put before the path of every issue. */
  at: Path;
  sent: RequestBody;
  /** Null for a record to be made. Locked by the transaction. */
  current: RecordRow | null;
  /** Uuid that a new record gets; without it the records get ids in the order of their drafts. */
  uuid?: Uuid;
  scope: Scope;
  /** Whether `groups` replaces the groups of the record or adds to them. */
  groups: "replace" | "add";
  /**
   * If set, lists of links and the values of custom fields that are lists are united with those of the record, the
   * present entries first. docs/guides/upsert.md#lists
   */
  lists?: "add";
  /**
   * In batches a group that the caller cannot see is a warning, else it is an issue.
   * docs/guides/access.md#groups-in-writes
   */
  unseenGroups?: "warn";
  /**
   * If set, the draft replaces no value of the record: it fills empty fields and adds to lists. Another value is an
   * issue whose message begins with this text.
   */
  keeps?: string;
  /** For a draft of several records of a batch: part of it (`partKey`) → the place in the request that sent it. */
  origins?: Map<string, Path>;
}

/** The place of a part of a draft in the request, which is the place of the record that sent it. */
export function placeOf({ at, origins }: Draft, ...part: Path): Path {
  for (let length = part.length; origins && length > 0; length--) {
    const origin = origins.get(partKey(part.slice(0, length)));
    if (origin) return [...origin, ...part.slice(length)];
  }
  return [...at, ...part];
}

/** A part of a draft as a key of `origins`. */
export function partKey(part: Path): string {
  return JSON.stringify(part);
}

/** Something that was left out of a write that succeeded. docs/guides/batches.md#warnings */
export interface Warning {
  code: "GROUP_NOT_ADDED";
  message: string;
  path: Path;
}

/** Plan for writing a record without faults. */
export interface Plan {
  uuid: Uuid;
  isNew: boolean;
  /** The row before; null for a record to be made. */
  current: RecordRow | null;
  scope: Scope;
  /** Field → stored value, of all columns; null when none changes. */
  columns: Record<string, unknown> | null;
  /**
   * All memberships afterwards in their order, also those that the caller cannot see; null when nothing about them
   * changes.
   */
  memberships: Membership[] | null;
  addedGroups: Uuid[];
  removedGroups: Uuid[];
  warnings: Warning[];
  changedValues: ChangedValue[];
  /** Field → its links before and afterwards, of the lists that change. */
  links: Map<string, PlannedLinks>;
  /** In a merge: the records that are merged into this one. The log has an entry of it then, whatever changes. */
  merged?: { id: Uuid; name: string }[];
}

/** A value of a custom field that is set, or unset with null. */
export interface ChangedValue {
  groupId: Uuid;
  fieldId: Uuid;
  stored: string | string[] | null;
}

/** A list of links that changes. */
export interface PlannedLinks {
  before: Uuid[];
  after: PlannedLink[];
}

/** A link that the record has already. Its name is read if the answer needs it. */
export interface KeptLink {
  uuid: Uuid;
  label: null;
}

/** A link to a record that is there, or to a company that is to be made with this name. */
export type PlannedLink = Link | KeptLink | { newCompany: string };

/** Whether a draft may be written, and how; or why not. */
export type Verdict = { plan: Plan } | { error: ApiError };

/** Result of a draft: its plan and the row of its record afterwards, or the reason why nothing was written. */
export type Written = { plan: Plan; row: RecordRow } | { error: ApiError };
