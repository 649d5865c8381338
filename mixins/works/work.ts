import type { Answer } from "../../base/contract/answer.ts";
import type { Caller } from "../../base/contract/caller.ts";
import type { TSchema } from "../../base/contract/schema.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import type { Store } from "../../engine/store/store.ts";
import { type ActionContext, callerOf, type DataReturns } from "../context.ts";

/**
 * A write of one thing, apart from the transaction that it runs in. A request of its own runs it in one, and a
 * transaction of several operations runs many in one. docs/guides/transactions.md#what-it-does
 */
export interface Work<Params = object> {
  /** Texts of the action for the OpenAPI document. */
  summary: string;
  description: string;
  params: TSchema;
  returns: DataReturns;
  /**
   * Writes, adds the events, and gives the answer.
   * @param params fit the schema
   * @throws ApiError that says why not; the paths of its issues begin at the root of the body
   */
  run(writing: WriteContext, params: Params): Promise<Answer>;
  /** True if works of one text wait for each other for longer than other works wait (`Store.writePatiently`). */
  isPatient?: true;
  /** A text that works which wait for each other in any case have in common. */
  serializeBy?(params: Params, caller: Caller): string | undefined;
}

/** The action that runs a work in a transaction of its own. */
export function actionOf<Params>(store: Store, work: Work<Params>) {
  const { summary, description, params, returns } = work;
  return {
    summary,
    description,
    params,
    returns,
    handler(ctx: ActionContext<Params>): Promise<Answer> {
      const caller = callerOf(ctx);
      const serializeBy = work.serializeBy?.(ctx.params, caller);
      const write = work.isPatient ? store.writePatiently : store.write;
      return write(caller, (writing) => work.run(writing, ctx.params), { serializeBy });
    },
  };
}
