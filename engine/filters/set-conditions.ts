import type { Binder } from "../../database/binder.ts";
import type { PositiveOperator } from "./kinds.ts";

/** Builders of the SQL of each operator. `filled` is the opposite of `empty`, where that has SQL of its own. */
export type ByOperator = Partial<Record<PositiveOperator | "filled", () => string>>;

/** A set that each record has as rows of another table. */
interface ItemSet {
  /** `from … where …`: the rows of the record `r`. */
  rows(): string;
  /** Further condition on the rows that count, as ` and …`; empty when all count. */
  counted(): string;
  /** The column that holds an entry of the set. */
  item: string;
  /** The uuids that a condition names, of those that count; null for what names nothing else. */
  wanted: (string | null)[];
  bind: Binder;
}

/**
 * Maximum number of entries of `all` with a join each. Planning a statement with more joins takes longer than running
 * it.
 */
const JOINS_MAX = 3;

/**
 * Conditions on a set. `in` passes over what names nothing; `all` compares sets, so with it no record is met.
 * docs/guides/filters.md#all
 *
 * All are plain `exists`, of which the planner makes joins: it walks along records and rows in the order of ids until
 * the page is full, or looks few rows up by an index. For a count it could only walk along all records. One item is
 * asked for by `=`: a record has it once, as a unique index tells, so the planner may begin with the rows of the item,
 * which stand in the order of the records. docs/decisions/0004-filters.md
 */
export function setConditions({ rows, counted, item, wanted, bind }: ItemSet): ByOperator {
  const known = [...new Set(wanted.flatMap((uuid) => uuid ?? []))];
  const [only] = known;
  const all = () => bind(known, "uuid[]");
  const has = (uuid: string) => `exists (select ${rows()} and ${item} = ${bind(uuid, "uuid")})`;
  const shown = () => `${rows()}${counted()}`;
  return {
    in: () => {
      if (only === undefined) return "false";
      return known.length === 1 ? has(only) : `exists (select ${rows()} and ${item} = any(${all()}))`;
    },
    all: () => {
      if (only === undefined || wanted.includes(null)) return "false";
      const each = known.slice(0, JOINS_MAX).map(has);
      const none = `not exists (select ${shown()} and ${item} <> all(${all()}))`;
      const rest = known.length > JOINS_MAX ? [`(select count(*) = ${bind(known.length, "bigint")} ${shown()})`] : [];
      return `(${[...each, none, ...rest].join(" and ")})`;
    },
    empty: () => `not exists (select ${shown()})`,
    filled: () => `exists (select ${shown()})`,
  };
}
