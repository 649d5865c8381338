import type { Binder } from "../database/binder.ts";
import type { ByOperator } from "./compile.ts";

/** A set that each record has as rows of another table. */
interface ItemSet {
  /** `from … where …`: the rows of the record `r` that count. */
  rows(): string;
  /** The column that holds an entry of the set. */
  item: string;
  /** The uuids that a condition names; null for what names nothing. */
  wanted: (string | null)[];
  bind: Binder;
}

/** So many entries of `all` are looked for by a join each. Planning a statement with more joins takes longer than running it. */
const JOINS_MAX = 3;

/**
 * Conditions on a set. `in` passes over what names nothing; `all` compares sets, so with it no record is met.
 * docs/guides/filters.md#all
 *
 * All are plain `exists`, of which the planner makes joins: it walks along records and rows in the order of ids until the page is
 * full, or looks few rows up by an index. For a count it could only walk along all records. docs/decisions/0004-filters.md
 */
export function setConditions({ rows, item, wanted, bind }: ItemSet): ByOperator {
  const known = [...new Set(wanted.flatMap((uuid) => uuid ?? []))];
  const all = () => bind(known, "uuid[]");
  return {
    in: () => (known.length === 0 ? "false" : `exists (select ${rows()} and ${item} = any(${all()}))`),
    all: () => {
      if (known.length === 0 || wanted.includes(null)) return "false";
      const each = known
        .slice(0, JOINS_MAX)
        .map((uuid) => `exists (select ${rows()} and ${item} = ${bind(uuid, "uuid")})`);
      const none = `not exists (select ${rows()} and ${item} <> all(${all()}))`;
      const rest = known.length > JOINS_MAX ? [`(select count(*) = ${bind(known.length, "bigint")} ${rows()})`] : [];
      return `(${[...each, none, ...rest].join(" and ")})`;
    },
    empty: () => `not exists (select ${rows()})`,
    filled: () => `exists (select ${rows()})`,
  };
}
