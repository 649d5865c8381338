import type { ServiceSchema } from "moleculer";
import type { Answer } from "../../base/contract/answer.ts";
import type { Path } from "../../base/contract/issues.ts";
import { isPlainText } from "../../base/values/text.ts";
import { type Outcome, recordAt, writeEntries } from "../../engine/records/batch.ts";
import type { Draft, WriteContext } from "../../engine/records/draft.ts";
import { companiesByKey } from "../../engine/records/found.ts";
import { lockRows } from "../../engine/records/write.ts";
import { storeOf } from "../../engine/store/store.ts";
import { batchActions } from "../../mixins/batch-actions.ts";
import type { ServiceContext } from "../../mixins/context.ts";
import { type ActionContext, callerOf } from "../../mixins/context.ts";
import { mergeAction } from "../../mixins/merge-action.ts";
import { recordActions, writeOne } from "../../mixins/record-actions.ts";
import type { Records } from "../../mixins/records.ts";
import { upsertActions } from "../../mixins/upsert-actions.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import { nameKey } from "../../model/fields/name.ts";
import { companies } from "../../model/resources/companies.ts";
import type { Scope } from "../../model/resources/scope.ts";

const scope: Scope = { entity: companies.kind, homeGroup: null };

/**
 * Makes drafts of companies, each with the key of its name, in the order of the records. A record whose name a company
 * has updates that company, whose groups are only added to; any other makes one.
 * docs/guides/companies.md#creating-by-name
 */
async function draftsByName(
  writing: WriteContext,
  records: RequestBody[],
  at: (index: number) => Path,
): Promise<{ key: string; draft: Draft }[]> {
  const keys = records.map(({ name }) => nameKey(String(name)));
  const existing = await companiesByKey(writing, [...new Set(keys)]);
  const rows = await lockRows(
    writing,
    companies,
    scope,
    [...existing.values()].map(({ uuid }) => uuid),
  );
  return records.map((sent, i) => {
    const key = keys[i] ?? "";
    const known = existing.get(key);
    const current = (known && rows.get(known.uuid)) ?? null;
    return { key, draft: { at: at(i), sent, current, scope, groups: "add" } };
  });
}

/**
 * Makes or updates companies. Records that share a name end as one company: docs/guides/batches.md#create. A name that
 * is no valid Unicode has the same key as the name with U+FFFD in its place, so it gets a key of its own and fails
 * alone.
 */
async function upsertMany(writing: WriteContext, records: RequestBody[]): Promise<Outcome[]> {
  const entries = await draftsByName(writing, records, recordAt);
  return writeEntries(
    writing,
    companies,
    entries.map(({ key, draft }, i) => ({
      key: isPlainText(String(draft.sent.name)) ? key : `record ${i}`,
      draft: { ...draft, unseenGroups: "warn" },
    })),
  );
}

/** The companies of a workspace. docs/guides/companies.md */
export default function companiesService(context: ServiceContext): ServiceSchema {
  const records: Records = { resource: companies, store: storeOf(context.database, "companies"), kept: context.env };
  const { publicUrl } = context.env;
  const actions = recordActions(records);
  return {
    name: "companies",
    actions: {
      ...actions,
      ...batchActions(records, { publicUrl, make: upsertMany, tellsOperation: true }),
      ...upsertActions(records, { publicUrl }),
      merge: mergeAction(records),
      create: {
        ...actions.create,
        description: "A name that another company has updates that company instead; groups are then only added.",
        handler: (ctx: ActionContext<{ body: RequestBody }>) => upsertOne(records, ctx),
      },
    },
  };
}

/** Makes a company, or updates the one that has the name. docs/guides/companies.md#creating-by-name */
function upsertOne(records: Records, ctx: ActionContext<{ body: RequestBody }>): Promise<Answer> {
  return records.store.write(callerOf(ctx), async (writing) => {
    const [entry] = await draftsByName(writing, [ctx.params.body], () => []);
    return entry ? writeOne(records, writing, entry.draft) : "null";
  });
}
