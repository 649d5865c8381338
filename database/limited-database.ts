import pLimit from "p-limit";
import type { Database } from "./database.ts";

type Ways = Pick<Database, "isCitus" | "sharedConnection" | "queryPlanned" | "transaction">;

/**
 * The same database for background work, which gets at most this number of connections of each pool at once: however
 * much work there is, requests find their connections.
 */
export function limitedDatabase(database: Ways, most: number): Ways {
  const [transactions, statements] = [pLimit(most), pLimit(most)];
  return {
    isCitus: database.isCitus,
    sharedConnection: (name) => database.sharedConnection(name),
    transaction: (work, options) => transactions(() => database.transaction(work, options)),
    queryPlanned: (sql, values, form) => statements(() => database.queryPlanned(sql, values, form)),
  };
}
