import pLimit from "p-limit";
import type { Database } from "./database.ts";

type Ways = Pick<Database, "lane" | "queryAlone" | "transaction">;

/**
 * The same database for background work, which gets at most this number of connections of each pool at once: however
 * much work there is, requests find their connections.
 */
export function fewAtOnce(database: Ways, most: number): Ways {
  const [transactions, statements] = [pLimit(most), pLimit(most)];
  return {
    lane: (name) => database.lane(name),
    transaction: (work, options) => transactions(() => database.transaction(work, options)),
    queryAlone: (sql, values, form) => statements(() => database.queryAlone(sql, values, form)),
  };
}
