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

/** Gives the function that takes rows apart that were read. */
export function shownOfTexts(resource: RecordType): (texts: TextRow) => ShownRecord {
  const { place } = readerOf(resource);
  const [memberships = 0, activity = -1, uncounted = -1] = [place.memberships, place.activity, place.uncounted];
  const places = resource.links.map(({ name }) => place[name] ?? 0);
  return (texts) => {
    const values = texts[memberships] ?? "[]";
    return {
      texts,
      memberships: JSON.parse(values) as Membership[],
      links: places.map((at) => parseUuids(texts[at] ?? "{}")),
      activity: activityOf(texts[activity] ?? null, texts[uncounted] ?? null),
      length: values.length,
    };
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
