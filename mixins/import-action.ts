import { notFound } from "../base/contract/errors.ts";
import { closed, idSchema, nullable, oneOf, Type } from "../base/contract/schema.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import type { Recognition } from "../engine/records/import.ts";
import type { ImportRow } from "../engine/records/import-entry.ts";
import { importRows } from "../engine/records/import-rows.ts";
import type { MatchOption } from "../engine/records/match-keys.ts";
import { runOrTry } from "../engine/store/dry-run.ts";
import type { FieldData } from "../model/custom-fields/definition.ts";
import { CUSTOM_FIELD_TYPES } from "../model/custom-fields/definition.ts";
import { type EntityKey, withFields } from "../model/definitions/definitions.ts";
import { visibleGroup } from "../model/definitions/roles.ts";
import { type ActionContext, importerOf } from "./context.ts";
import type { PathParams } from "./path.ts";
import { type Records, scopeIn } from "./records.ts";

interface Params {
  groupId: string;
  /** Name of the type, for objects only. */
  objectType?: string;
  match: MatchOption;
  dryRun: boolean;
  /** Whether people and companies that rows name by name or e-mail address are made when they are not there. */
  create?: boolean;
  rows: ImportRow[];
  /** Custom fields of the group that a dry run assumes. */
  fields?: FieldData[];
}

const ROWS_MAX = 1000;
const line = Type.Optional(Type.Integer());
const row = closed({
  id: Type.Optional(Type.String()),
  fields: Type.Object({}),
  values: Type.Object({}),
  lost: Type.Optional(Type.Array(Type.String())),
  line,
  repeats: line,
  of: Type.Optional(Type.String()),
});
const field = closed({
  uuid: Type.String(),
  name: Type.String(),
  type: oneOf(CUSTOM_FIELD_TYPES),
  config: nullable(Type.Object({})),
  options: Type.Array(closed({ uuid: Type.String(), label: Type.String(), color: Type.String() })),
});

/**
 * The action behind `import`. It writes rows into a group, in one transaction, and gives for each what became of it, in
 * their order.
 * docs/guides/import-matching.md#matching
 */
export function importAction(records: Records, recognition: Recognition) {
  const { resource, store, scoping } = records;
  return {
    params: closed({
      groupId: idSchema("group"),
      ...scoping?.path,
      match: oneOf(["email", "name"]),
      dryRun: Type.Boolean(),
      create: Type.Optional(Type.Boolean()),
      rows: Type.Array(row, { maxItems: ROWS_MAX }),
      fields: Type.Optional(Type.Array(field)),
    }),
    handler: (ctx: ActionContext<Params>) => {
      const { match, create = false, rows } = ctx.params;
      return runOrTry(
        ctx.params.dryRun,
        (work) => store.write(importerOf(ctx), work),
        (inside: WriteContext) => {
          const scope = scopeIn(records, inside.definitions, inside.caller, ctx.params as unknown as PathParams);
          const writing = withPretended(inside, scope.entity, ctx.params);
          const group = visibleGroup(writing.definitions, writing.caller, ctx.params.groupId);
          if (!group) throw notFound("group", ctx.params.groupId);
          // A pretended field is one of the group, which an object has as its home.
          const here = scope.homeGroup ? { ...scope, homeGroup: group } : scope;
          return importRows(writing, { resource, scope: here, group, recognition, match, create }, rows);
        },
      );
    },
  };
}

/** A dry run sees the fields that the import would have made. */
function withPretended(writing: WriteContext, entity: EntityKey, { groupId, dryRun, fields }: Params): WriteContext {
  const group = visibleGroup(writing.definitions, writing.caller, groupId);
  if (!dryRun || !fields || !group) return writing;
  return { ...writing, definitions: withFields(writing.definitions, group, entity, fields) };
}
