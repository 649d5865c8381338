import type { Database, Transaction } from "../../database/database.ts";

/** A transaction that has written its rows and has not committed yet. */
export interface OpenTransaction {
  commit(): Promise<void>;
}

/** Writes in a transaction that is open until `commit` is called. */
export async function openTransaction(
  { transaction }: Pick<Database, "transaction">,
  write: (trx: Transaction) => Promise<unknown>,
): Promise<OpenTransaction> {
  const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = transaction(async (trx) => {
    await write(trx);
    written.resolve();
    await end.promise;
  });
  await Promise.race([written.promise, committed]);
  const commit = () => {
    end.resolve();
    return committed;
  };
  return { commit };
}
