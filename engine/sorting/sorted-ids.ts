import type { Binder } from "../../database/binder.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { BEHIND_ALL, type Place } from "./place.ts";
import type { Sort } from "./sort-field.ts";
import { type OptionKeys, valuesJoined, type Walk, walkOf, without } from "./walk.ts";

/** A page of a sorted list. */
export interface SortedPage {
  sort: Sort;
  /** The place behind which the page begins; undefined for the first page. */
  behind: Place | undefined;
  /** Number of rows that are read: one more than the page has. */
  rows: number;
  /** SQL over `r` of which one at least is true for the records of the list. */
  conditions: string[];
  /** SQL that all records of the list meet beside: ` and …`, or nothing. */
  within: string;
}

/** SQL that reads rows of the columns `id` and `key`, step by step, each under a name for those behind it. */
type Steps = [name: string, sql: string][];

/** Reading of the records that have a key: the steps, SQL of all their rows, and the order of these. */
interface Keyed {
  steps: Steps;
  all: string;
  order: string;
  /** The steps that have found records enough if they have as many as the page. */
  enough: string[];
}

interface Reading {
  keyed(): Keyed;
  /** The records `r` that have no key; null if there are none. */
  unset: Walk["unset"];
}

/**
 * SQL for the records of a page of a sorted list: rows of `id`, `key` and `place`, which counts from 1 in their order.
 * Those without a key come behind the others, with null. $1 is the workspace. No step reads more rows than the page
 * has, and none begins before those in front of it have left room, so a page takes the same time wherever it stands.
 * docs/decisions/0024-sorting.md
 */
export function sortedIds(resource: RecordType, page: SortedPage, bind: Binder): string {
  const { behind, rows } = page;
  const { keyed, unset } = readingOf(resource, page, bind);
  const rest = (begin: string) => {
    const source = { from: `${resource.searchTable} r`, id: "r.id", key: "null::text", where: unset?.where };
    return pick(page, source, begin, { inIndex: unset?.order ?? "r.id", of: "id" });
  };
  if (behind?.key === null) return inPlaces(rest(`r.id > ${bind(behind.id, "uuid")}`), "id");
  const { steps, all, order, enough } = keyed();
  if (unset === null) return `${together(steps)} ${inPlaces(all, order)}`;
  const both = `select 0 as part, id, key from (${all}) k union all select 1, id, null from rest`;
  return `${together([...steps, ["rest", rest(leavesRoom(enough, rows))]])} ${inPlaces(both, `part, ${order}`)}`;
}

function inPlaces(rows: string, order: string): string {
  return `select id, key::text, row_number() over (order by ${order}) as place from (${rows}) p`;
}

function together(steps: Steps): string {
  return `with ${steps.map(([name, sql]) => `${name} as materialized (${sql})`).join(", ")}`;
}

/** Is decided once, before a row is looked for. */
function leavesRoom(steps: string[], rows: number): string {
  return `${steps.map((step) => `(select count(*) from ${step})`).join(" + ")} < ${rows}`;
}

function readingOf(resource: RecordType, page: SortedPage, bind: Binder): Reading {
  const { keys, isDescending } = page.sort;
  if (keys.shape === "option") return alongOptions(resource, keys, page, bind);
  const walk = walkOf(resource, keys, bind);
  return { keyed: () => (isDescending ? backwards : forwards)(walk, page, bind), unset: walk.unset };
}

function forwards(walk: Walk, page: SortedPage, bind: Binder): Keyed {
  const { behind } = page;
  const begin = behind ? walk.after(bind(behind.key, walk.type), bind(behind.id, "uuid")) : "true";
  const ahead = pick(page, walk, begin, { inIndex: walk.forth, of: "key, id" });
  return { steps: [["ahead", ahead]], all: "select * from ahead", order: "key, id", enough: ["ahead"] };
}

/**
 * Equal keys stand by creation in this direction too, while the index gives them the other way round: first the rest of
 * the key at which the page begins, then lower keys. The last of these may have older records than those that were
 * reached, so it is read once more from its beginning.
 */
function backwards(walk: Walk, page: SortedPage, bind: Binder): Keyed {
  const { behind, rows } = page;
  const key = behind && bind(behind.key, walk.type);
  const steps: Steps = [];
  if (behind && key !== undefined)
    steps.push(["same", pick(page, walk, `${walk.at(key)} and ${walk.id} > ${bind(behind.id, "uuid")}`, byId(walk))]);
  const begin = key === undefined ? "true" : `${leavesRoom(["same"], rows)} and ${walk.before(key)}`;
  const last = "(select min(key) from lower_ones)";
  steps.push(
    ["lower_ones", pick(page, walk, begin, { inIndex: walk.back, of: "key desc, id desc" })],
    ["last_ones", pick(page, walk, walk.at(last), byId(walk))],
  );
  const parts = [
    ...(key === undefined ? [] : ["select * from same"]),
    `select * from lower_ones where key > ${last}`,
    "select * from last_ones",
  ];
  const enough = key === undefined ? ["lower_ones"] : ["same", "lower_ones"];
  return { steps, all: parts.join(" union all "), order: "key desc, id", enough };
}

function alongOptions(resource: RecordType, keys: OptionKeys, page: SortedPage, bind: Binder): Reading {
  const values = `v.workspace_id = $1 and v.field_id = ${bind(keys.field, "uuid")}`;
  const any = `from ${resource.valuesTable} v where ${values} and v.item = any(${bind(uuidsOf(keys), "uuid[]")})`;
  return {
    keyed: () => optionByOption(resource, keys, { ...page, where: values }, bind),
    unset: without(any, `v.${resource.recordIdColumn}`),
  };
}

/** Each option has its records in the order of creation. The key is the place of the option in the list, from 1. */
function optionByOption(
  resource: RecordType,
  keys: OptionKeys,
  page: SortedPage & { where: string },
  bind: Binder,
): Keyed {
  const { behind, rows, where } = page;
  const options = uuidsOf(keys);
  const source = { from: valuesJoined(resource), where, id: `v.${resource.recordIdColumn}` };
  const order = { inIndex: source.id, of: "id" };
  const place = Number(behind?.key ?? 0);
  const steps: Steps = [];
  if (behind && place > 0) {
    const option = `v.item = ${bind(options[place - 1], "uuid")} and ${source.id} > ${bind(behind.id, "uuid")}`;
    steps.push(["same", pick(page, { ...source, key: `${place}::bigint` }, option, order)]);
  }
  const later = pick(page, { ...source, key: "o.place" }, "v.item = o.item", order);
  const room = steps.length === 0 ? "true" : leavesRoom(["same"], rows);
  const others = `unnest(${bind(options.slice(place), "uuid[]")}) with ordinality n (item, place)`;
  steps.push([
    "later",
    `select p.id, p.key from (select item, place + ${place} as place from ${others}) o
     cross join lateral (${later}) p where ${room}`,
  ]);
  const enough = steps.map(([name]) => name);
  return { steps, all: enough.map((name) => `select * from ${name}`).join(" union all "), order: "key, id", enough };
}

const byId = ({ id }: Walk) => ({ inIndex: id, of: "id" });

/** Records `r` with their ids and keys. */
type Source = Pick<Walk, "from" | "id" | "key"> & { where?: string };

/**
 * The first records of a source from a beginning on that meet the conditions of the list. Each of several conditions
 * finds its own by its index, as in lists that are not sorted (engine/records/find-ids.ts).
 */
function pick(
  { conditions, within, rows }: SortedPage,
  { from, where = "true", id, key }: Source,
  begin: string,
  order: { inIndex: string; of: string },
): string {
  const [only, ...others] = conditions.map(
    (condition) => `select ${id} as id, ${key} as key from ${from}
      where r.workspace_id = $1${within} and ${where} and ${begin} and ${condition} order by ${order.inIndex} limit ${rows}`,
  );
  if (others.length === 0) return String(only);
  return `select id, key from ((${[only, ...others].join(") union (")})) u order by ${order.of} limit ${rows}`;
}

/** SQL for the key that begins like the one of a place and has its hash. */
export function keyByHash({ from, where, key }: Walk, place: Place, bind: Binder): string {
  const start = bind(place.key, "text");
  return `select ${key} as key from ${from} where r.workspace_id = $1 and ${where}
    and ${key} >= ${start} and ${key} < ${bind(`${place.key}${BEHIND_ALL}`, "text")}
    and md5(${key}) = ${bind(place.hash, "text")} limit 1`;
}

const uuidsOf = ({ options }: OptionKeys): string[] => options.map(({ uuid }) => uuid);
