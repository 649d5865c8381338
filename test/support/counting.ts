import type { Database } from "../../database/database.ts";

/** So begin the statements that look for work in the background. */
const IN_BACKGROUND = "/* background */";

/**
 * The same database, with each statement written down: of transactions, of the pool and of the reader. Nothing in it is
 * ever due in the background, and transactions that begin there are not written down, because what is done there is no
 * statement of a request; unless `background` says that this is what is counted.
 */
export function counting(
  database: Database,
  seen: string[],
  { background = false }: { background?: boolean } = {},
): Database {
  const note = (sql = "") => seen.push(sql.trim().replaceAll(/\s+/g, " "));
  const noted =
    (read: Database["read"]): Database["read"] =>
    async (sql, values, form) => {
      if (!background && sql.startsWith(IN_BACKGROUND)) return [];
      note(sql);
      return read(sql, values, form);
    };
  return {
    ...database,
    read: noted(database.read),
    sharedConnection: (name) => ({ read: noted(database.sharedConnection(name).read) }),
    queryPlanned: noted(database.queryPlanned),
    transaction: async (work, options) => {
      const isInBackground = options?.opening?.some(({ text }) => text.startsWith(IN_BACKGROUND));
      if (!background && isInBackground) return database.transaction(work, options);
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
