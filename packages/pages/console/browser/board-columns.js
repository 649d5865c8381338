import { queryOf } from "./address.js";
import { nextPath, request } from "./api.js";
import { changed } from "./state.js";

// The columns of a board: how many records each has and their sum, and the first of them.

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./fields.js").Source} Source */
/**
 * @typedef {{ source: Source, by: Field, sum: Field | undefined, sort: string }} Layout
 * by: the field of the columns
 */
/**
 * @typedef {{ value: string | null, count: number, sum: string | null, items: any[] | null, next: string | null }}
 * Column value: an option; null for records without one
 */

/** Cards of a column that are read at once. */
const LIMIT = 10;

/**
 * The columns in the order of the options, and one for records without a value. The cards come a moment later.
 * @param {Layout} layout @returns {Promise<{ columns: Column[], total: { count: number, sum: string | null } }>}
 */
export async function columnsOf({ source, by, sum }) {
  /** @type {[string, string][]} */
  const pairs = [["groupBy", by.name]];
  if (sum) pairs.push(["measures", `sum:${sum.name}`]);
  const { items, total } = await request(`${source.path}/aggregate?${queryOf(pairs)}`);
  const numbers = (/** @type {any} */ entry) => ({
    count: entry?.count ?? 0,
    sum: (sum && entry?.sum?.[sum.name]) ?? null,
  });
  const columns = [...(by.options ?? []), null].map((value) => {
    const entry = items.find((/** @type {any} */ { group }) => group[0] === value);
    const cards = entry ? null : [];
    return { value, ...numbers(entry), items: cards, next: null };
  });
  return { columns, total: numbers(total) };
}

/** Reads the first cards of each column. @param {Layout} layout @param {Column[]} columns */
export async function readCards({ source, by, sort }, columns) {
  const unread = columns.filter(({ items }) => items === null);
  await Promise.all(
    unread.map((column) => {
      /** @type {[string, string][]} */
      const pairs = [
        column.value === null ? [`filter[${by.name}][empty]`, "true"] : [`filter[${by.name}][in]`, column.value],
        ["limit", String(LIMIT)],
      ];
      if (sort !== "") pairs.push(["sort", sort]);
      return more(column, `${source.path}?${queryOf(pairs)}`);
    }),
  );
}

/** Reads further cards of a column. @param {Column} column @param {string} path */
export async function more(column, path) {
  const data = await request(path);
  column.items = [...(column.items ?? []), ...data.items];
  column.next = nextPath(data);
  changed();
}
