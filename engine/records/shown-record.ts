import type { Uuid } from "../../base/values/ids.ts";
import type { TextRow } from "../../database/query.ts";
import { parseUuids } from "../../database/uuid-list.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { activityOf } from "../interactions/activity.ts";
import { type Membership, type RecordRow, readerOf, textsOfRow } from "./select.ts";
import { lengthOfValues } from "./value-bytes.ts";

/** A row that is to be shown: as it was read, and those parts of it that have to be taken apart. */
export interface ShownRecord {
  texts: TextRow;
  memberships: Membership[];
  /** For each field of links, in the order of `resource.links`. */
  links: Uuid[][];
  /** Counts and times of contacts; null when no user was in touch. */
  activity: string | null;
  /** Approximate number of UTF-16 units of its custom values. */
  length: number;
}

/** A row that was read. */
export function shownOfTexts(resource: RecordType, texts: TextRow): ShownRecord {
  const { place } = readerOf(resource);
  return {
    texts,
    memberships: JSON.parse(texts[place.memberships ?? 0] ?? "[]") as Membership[],
    links: resource.links.map(({ name }) => parseUuids(texts[place[name] ?? 0] ?? "{}")),
    activity: activityOf(texts[place.activity ?? -1] ?? null, texts[place.uncounted ?? -1] ?? null),
    length: lengthOfMemberships(resource, texts),
  };
}

/** A row that was written. */
export function shownOfRow(resource: RecordType, row: RecordRow): ShownRecord {
  return {
    // Memberships are shown as they stand in the row, so their text is not made.
    texts: textsOfRow(resource, { ...row, memberships: [] }),
    memberships: row.memberships,
    links: resource.links.map(({ name }) => row[name] as Uuid[]),
    activity: activityOf((row.activity ?? null) as string | null, (row.uncounted ?? null) as string | null),
    length: lengthOfValues(row.memberships),
  };
}

/** The length of the custom values of a row that was read. */
export function lengthOfMemberships(resource: RecordType, texts: TextRow): number {
  return texts[readerOf(resource).place.memberships ?? 0]?.length ?? 0;
}
