import type { Database } from "../../lib/database/database.ts";

/** What every process asks at intervals, whatever its clients do: whether interactions are to be counted, or reminders to be fired. */
const IN_THE_BACKGROUND = /^(with due as \(|select from tasks where next_trigger_at <= )/;

/** The same database, with each statement written down: of transactions, of the pool and of the reader. */
export function counting(database: Database, seen: string[]): Database {
  const note = (text = "") => {
    const sql = text.trim().replaceAll(/\s+/g, " ");
    if (!IN_THE_BACKGROUND.test(sql)) seen.push(sql);
  };
  const noted =
    (read: Database["read"]): Database["read"] =>
    (sql, values, form) => {
      note(sql);
      return read(sql, values, form);
    };
  return {
    ...database,
    read: noted(database.read),
    lane: (name) => ({ read: noted(database.lane(name).read) }),
    queryAlone: noted(database.queryAlone),
    transaction: async (work, options) => {
      const result = await database.transaction((trx) => {
        note("begin");
        const send: typeof trx.send = (statement) => {
          note(statement.text);
          return trx.send(statement);
        };
        return work({ ...trx, send });
      }, options);
      note("commit");
      return result;
    },
  };
}
