import type { Database } from "../../lib/database/database.ts";

/** Statements of work in the background take what nobody else has taken. */
const IN_BACKGROUND = /skip locked/;

/** The same database, with each statement of requests written down: of transactions, of the pool and of the reader. */
export function counting(database: Database, seen: string[]): Database {
  const note = (sql = "") => {
    if (!IN_BACKGROUND.test(sql)) seen.push(sql.trim().replaceAll(/\s+/g, " "));
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
