import type { Caller } from "../../base/contract/caller.ts";
import { openSlices } from "../../base/loop/slices.ts";
import type { Query } from "../../database/query.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { WriteContext } from "./draft.ts";
import { addNames, type RecordNames } from "./names.ts";
import { presenterOf } from "./present.ts";
import type { RecordRow } from "./select.ts";
import { type ShownRecord, shownOfRow } from "./shown-record.ts";

/** View of a caller on rows, and the source of the names of the records that these link to or mention. */
interface Showing {
  query: Query;
  definitions: Definitions;
  caller: Caller;
}

/** The rows of an answer, in their order. */
interface Rows<Row> {
  rows: Row[];
  shownOf(row: Row): ShownRecord;
  /** Those names that need not be read. They are forgotten with the first rows, which they are of. */
  names: RecordNames;
  /** Whether the answer still has room for the text of a row. With the first one that does not fit the texts end. */
  fits?: ((text: string, i: number) => boolean) | undefined;
}

/**
 * Rows up to this length of custom values, in UTF-16 units, have their names read together. As much can mention 12,000
 * records, whose names take up to 12 MB; all rows of a page could mention ten times as many. An ordinary page is below
 * it, so it takes one statement.
 */
const NAMED_TOGETHER = 512 * 1024;

/**
 * Rows as JSON texts in their order, each as the caller may see it. The event loop serves others in between, since rows
 * may be large and many.
 */
export async function showRows<Row>(
  showing: Showing,
  resource: RecordType,
  { rows, shownOf, names, fits = () => true }: Rows<Row>,
): Promise<string[]> {
  const slices = openSlices();
  const present = presenterOf(resource, { ...showing, names });
  const texts: string[] = [];
  for (let at = 0; at < rows.length; ) {
    const together = takeTogether(rows, at, shownOf);
    at += together.length;
    const adding = addNames(names, showing, resource, together);
    if (adding) await adding;
    for (const record of together) {
      if (slices.isOver()) await slices.next();
      const text = present(record);
      if (!fits(text, texts.length)) return texts;
      texts.push(text);
    }
    names.clear();
  }
  return texts;
}

/**
 * Rows that were written as JSON texts in their order, each as the caller may see it.
 * @param take is given each text when it is made, and may throw when they become too much
 */
export function presentRows(
  writing: WriteContext,
  resource: RecordType,
  rows: RecordRow[],
  take: (text: string, i: number) => void = () => undefined,
): Promise<string[]> {
  const shownOf = (row: RecordRow) => shownOfRow(resource, row);
  const fits = (text: string, i: number) => {
    take(text, i);
    return true;
  };
  return showRows(writing, resource, { rows, shownOf, names: new Map(writing.linked), fits });
}

/**
 * The rows from a place on whose names are read together, in their parts. A set within `NAMED_TOGETHER` takes some
 * milliseconds, so it is not cut into slices.
 */
function takeTogether<Row>(rows: Row[], from: number, shownOf: Rows<Row>["shownOf"]): ShownRecord[] {
  const together: ShownRecord[] = [];
  let length = 0;
  for (let at = from; at < rows.length && length < NAMED_TOGETHER; at++) {
    const record = shownOf(rows[at] as Row);
    together.push(record);
    length += record.length;
  }
  return together;
}
