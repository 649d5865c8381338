import { type RecordKind, toId, type Uuid } from "../../../base/values/ids.ts";
import type { Tie } from "../../../model/log.ts";
import { RECORD_TYPES } from "../../../model/resources/record-types.ts";
import { applySilently } from "../../records/apply.ts";
import type { WriteContext } from "../../records/draft.ts";
import { lockRows } from "../../records/write.ts";
import { mapList, type PlanOfLists, planOfLists } from "../plan-of-lists.ts";

/**
 * Gives entries of lists that a merge has made name the survivor back to the merged records, where the list still names
 * the survivor: in its place, or beside it if the list named both.
 */
export async function giveBackTies(
  writing: WriteContext,
  kind: RecordKind,
  survivor: Uuid,
  ties: readonly Tie[],
): Promise<void> {
  for (const [owner, ofKind] of Map.groupBy(ties, (tie) => tie.owner.kind)) {
    const resource = RECORD_TYPES[owner];
    const owners = [...new Set(ofKind.map((tie) => tie.owner.id))];
    const rows = await lockRows(writing, resource, { entity: owner, homeGroup: null }, owners);
    const plans: PlanOfLists[] = [];
    for (const [id, ofOwner] of Map.groupBy(ofKind, (tie) => tie.owner.id)) {
      const row = rows.get(id);
      if (row?.uuid !== id) continue;
      const plan = planOfLists(row);
      for (const ofList of Map.groupBy(ofOwner, ({ list }) => JSON.stringify(list)).values()) {
        const [{ list }] = ofList as [Tie];
        mapList(plan, list, (entries) => givenBack(entries, entryOf(kind, list), survivor, ofList));
      }
      plans.push(plan);
    }
    await applySilently(writing, resource, plans);
  }
}

/** The form in which a list names a record: links by uuid, custom values by id. */
function entryOf(kind: RecordKind, list: Tie["list"]): (uuid: Uuid) => string {
  return (uuid) => (typeof list === "string" ? uuid : toId(kind, uuid));
}

/** A list that names the survivor, with the merged records in its place, or beside it if it named both before. */
function givenBack(
  entries: readonly string[],
  entry: (uuid: Uuid) => string,
  survivor: Uuid,
  ties: readonly Tie[],
): string[] {
  const at = entries.indexOf(entry(survivor));
  if (at < 0) return [...entries];
  const isShared = ties.some((tie) => tie.isShared);
  const list = isShared ? [...entries] : entries.toSpliced(at, 1);
  const [first, ...others] = ties
    .toSorted((a, b) => a.place - b.place)
    .map(({ to, place }) => ({ one: entry(to.id), place }));
  const wanted = [...(first ? [{ ...first, place: isShared ? first.place : at }] : []), ...others];
  for (const { one, place } of wanted) if (!list.includes(one)) list.splice(Math.min(place, list.length), 0, one);
  return list;
}
