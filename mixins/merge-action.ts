import { notFound } from "../lib/errors.ts";
import { uuidOf } from "../lib/ids.ts";
import { mergeRecords, type Truncation } from "../lib/records/merge.ts";
import { presentAll } from "../lib/records/read.ts";
import { lockRows, rereadRows } from "../lib/records/write.ts";
import type { Resource } from "../lib/resource.ts";
import { closed, idSchema, reference, Type } from "../lib/schema.ts";
import { type ActionContext, callerOf } from "./caller.ts";
import { type Scoping, scopeIn } from "./record-actions.ts";
import type { Store } from "./store.ts";

/** Records that one merge takes. gaps 4, "Merge". */
const MERGED_MAX = 20;

type Params = Record<string, string> & { body: { records: { id: string }[] } };

/** The action that merges records into the one of the path. gaps 4, "Merge". */
export function mergeAction(resource: Resource, store: Store, scoping?: Scoping) {
  const { kind, title, table } = resource;
  const idParam = `${kind}Id`;
  const records = Type.Array(reference(kind), { minItems: 1, maxItems: MERGED_MAX });

  function merge(ctx: ActionContext<Params>): Promise<string> {
    const caller = callerOf(ctx);
    return store.write(caller, async (writing) => {
      const scope = scopeIn(resource, scoping, writing.catalog, caller, ctx.params);
      const id = ctx.params[idParam] ?? "";
      const uuid = uuidOf(kind, id);
      const survivor = uuid && (await lockRows(writing, resource, scope, [uuid])).get(uuid);
      if (!survivor) throw notFound(title.toLowerCase(), id);
      const truncations = await mergeRecords(writing, resource, scope, survivor, ctx.params.body.records);
      const rows = await rereadRows(writing, resource, [survivor.id]);
      const [text = "null"] = await presentAll({ query: writing.query, catalogs: store.catalogs }, resource, caller, rows);
      return withWarnings(text, truncations);
    });
  }

  return {
    summary: `Merge ${table}`,
    description: "Empty fields are filled, lists, groups and values united. The merged ids stay valid as names of the survivor.",
    params: closed({ ...scoping?.path, [idParam]: idSchema(kind), body: closed({ records }, { title: "Merge" }) }),
    returns: { data: resource.record },
    handler: merge,
  };
}

/** Inside the record, and only when there are any. */
function withWarnings(record: string, warnings: Truncation[]): string {
  return warnings.length === 0 ? record : `${record.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`;
}
