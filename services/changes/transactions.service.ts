import type { ServiceSchema } from "moleculer";
import type { Answer } from "../../base/contract/answer.ts";
import { closed, DRY_RUN } from "../../base/contract/schema.ts";
import { TRANSACTION_OPERATIONS_MAX } from "../../config/limits.ts";
import { storeOf } from "../../engine/store/store.ts";
import { type ActionContext, callerOf, type ServiceContext } from "../../mixins/context.ts";
import { readOperations } from "./transactions/read-operations.ts";
import { runOperations } from "./transactions/run-operations.ts";
import { transactionBody, transactionSchema } from "./transactions/transaction.schema.ts";

/** Writes of several kinds that happen together or not at all. docs/guides/transactions.md */
export default function transactionsService({ database }: ServiceContext): ServiceSchema {
  const store = storeOf(database);
  return {
    name: "transactions",
    actions: {
      create: {
        summary: "Run a transaction",
        description: `Up to ${TRANSACTION_OPERATIONS_MAX} writes, one behind the other. All of them succeed, or nothing has happened.`,
        params: closed({ ...DRY_RUN, body: transactionBody }),
        returns: { data: transactionSchema },
        async handler(ctx: ActionContext<{ body: { operations: unknown[]; etags?: boolean } }>): Promise<Answer> {
          const { body } = ctx.params;
          const operations = await readOperations(body.operations);
          return store.writeMany(callerOf(ctx), (writing) => runOperations(writing, operations, body));
        },
      },
    },
  };
}
