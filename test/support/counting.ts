import type { Database } from "../../lib/database/database.ts";

/** So begin statements of work in the background. */
const IN_BACKGROUND = "/* background */";

/** The same database, with each statement of requests written down: of transactions, of the pool and of the reader. */
export function counting(database: Database, seen: string[]): Database {
  const note = (sql = "") => {
    if (!sql.trimStart().startsWith(IN_BACKGROUND)) seen.push(sql.trim().replaceAll(/\s+/g, " "));
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
      let isOfRequest = true;
      const result = await database.transaction((trx) => {
        let isFirst = true;
        if (options?.opening) note("begin");
        const send: typeof trx.send = (statement) => {
          if (isFirst && !options?.opening) isOfRequest = !statement.text?.trimStart().startsWith(IN_BACKGROUND);
          isFirst = false;
          if (isOfRequest) note(statement.text);
          return trx.send(statement);
        };
        return work({ ...trx, send });
      }, options);
      if (isOfRequest) note("commit");
      return result;
    },
  };
}
