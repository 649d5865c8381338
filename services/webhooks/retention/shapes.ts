/** A statement that deletes some rows. $1 is the place where it goes on; what is older than $2 is over. */
export interface Statement {
  sql: string;
  /** The place where the first one begins. */
  first: string;
}

/** Rows that are over, and how many one statement deletes. Conditions are SQL, in which $2 stands for the time. */
interface Rows {
  over: string;
  batch: number;
}

/** Number of leading keys that one statement looks at. Each costs it a few steps down an index. */
const KEYS = 200;
const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** The lowest uuid v7 of the time: ids ascend with the time at which they were made. */
const LOWEST_OF_TIME =
  "(lpad(to_hex((extract(epoch from $2::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid";

/**
 * Statement that deletes in the order of a column that has an index of its own, up to the first row that is to stay. So
 * what is left has no holes. Rows that somebody else has locked, like another process that deletes them, are passed over.
 */
export function inOrder(table: string, { by, type, over, batch }: Rows & { by: string; type: string }): Statement {
  const sql = `/* background */
with head as materialized (
  select ctid, ${by} as at, ${over} as over from ${table} where ${by} >= $1::${type} order by ${by} limit ${batch}
), old as materialized (
  select ctid, at from head where (at < (select min(at) from head where not over)) is not false
), gone as (
  delete from ${table} where ctid = any(array(
    select ctid from ${table} where ctid = any(array(select ctid from old)) and ${over} for update skip locked))
  returning 1
)
select (select count(*)::int from gone) as count, case when count(*) = ${batch} then max(at)::text end as next from old`;
  return { sql, first: type === "bigint" ? "0" : "-infinity" };
}

/**
 * Statement that deletes the oldest rows behind each key: the leading columns of an index that ends with the id. No index
 * has the time, since it would cost every row that is written.
 * @param isGone when all rows of a key are over, whatever their age; the columns of the key are those of `walked`
 */
export function behindEach(
  table: string,
  { keys, over, isGone = "false", batch }: Rows & { keys: string[]; isGone?: string },
): Statement {
  const columns = keys.join(", ");
  const of = (name: string) => `(${keys.map((key) => `${name}.${key}`).join(", ")})`;
  const [place, last] = [`(${keys.map((_, i) => at(i)).join(", ")})`, at(keys.length)];
  const sql = `/* background */
with recursive walked (${columns}, n) as (
  (select ${columns}, 1 from ${table} where (${columns}) >= ${place} order by ${columns} limit 1)
  union all
  select next.* from walked cross join lateral (
    select ${keys.map((key) => `t.${key}`).join(", ")}, walked.n + 1 from ${table} t where ${of("t")} > ${of("walked")} order by ${columns} limit 1
  ) next where walked.n < ${KEYS}
), found as materialized (
  select walked.*, ${isGone} as gone from walked
), deleted as (
  delete from ${table} where ctid = any(array(
    select old.ctid from found cross join lateral (
      select ctid from ${table} t where ${of("t")} = ${of("found")}
        and id > case when ${of("found")} = ${place} then ${last} else '${LOWEST}' end
        and id < case when found.gone then '${HIGHEST}' else ${LOWEST_OF_TIME} end and (found.gone or (${over}))
      order by id limit ${batch} for update skip locked
    ) old limit ${batch}))
  returning ${columns}, id
), counted as (
  select count(*)::int as count from deleted
)
select count, (case
  when count = ${batch} then (select array[${columns}, id] from deleted order by (${columns}, id) desc limit 1)
  else (select array[${columns}, '${HIGHEST}'] from found where n = ${KEYS})
end)::text as next from counted`;
  return { sql, first: `{${[...keys, "id"].map(() => LOWEST).join(",")}}` };
}

/** Statement that deletes from a table that is small enough to be read as a whole, in no order. */
export function anywhere(table: string, { over, batch }: Rows): Statement {
  const sql = `/* background */
with asked as (select $1::text, $2::timestamptz), gone as (
  delete from ${table} where ctid = any(array(
    select ctid from ${table} t where ${over} limit ${batch} for update skip locked))
  returning 1
)
select count(*)::int as count, case when count(*) = ${batch} then '' end as next from gone`;
  return { sql, first: "" };
}

function at(i: number): string {
  return `($1::uuid[])[${i + 1}]`;
}
