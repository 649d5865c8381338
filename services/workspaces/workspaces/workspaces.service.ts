import type { ServiceSchema } from "moleculer";
import type { CommandRun } from "../../../base/contract/caller.ts";
import { unprocessable } from "../../../base/contract/errors.ts";
import { closed, type Static, Type } from "../../../base/contract/schema.ts";
import { toId } from "../../../base/values/ids.ts";
import { run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { CONFLICTS } from "../../../database/sqlstates.ts";
import { runOrTry } from "../../../engine/store/dry-run.ts";
import { type Change, storeOf } from "../../../engine/store/store.ts";
import type { ServiceContext } from "../../../mixins/context.ts";
import { type ActionContext, importerOf } from "../../../mixins/context.ts";
import { loadDefinitions } from "../../../model/definitions/definitions.ts";
import { importedKind } from "../import/import-entity.ts";
import { commandCaller, importFields, importFieldsParams, importTarget } from "../import/import-target.ts";
import { type AppliedFile, applyDocuments } from "../workspace-file/workspace-file.apply.ts";
import { exportWorkspace } from "../workspace-file/workspace-file.export.ts";
import { faultsOf } from "../workspace-file/workspace-file.faults.ts";
import type { WorkspaceFile } from "../workspace-file/workspace-file.schema.ts";
import { wantedWorkspace } from "../workspace-file/workspace-file.wanted.ts";
import { allWorkspaces, type WorkspaceRow, workspaceBySlug } from "./workspaces.queries.ts";
import { removeWorkspace } from "./workspaces.remove.ts";

/** Tables of which more than half has changed since PostgreSQL has looked at them. */
const OUTGROWN = `
select string_agg(quote_ident(relname), ', ' order by relname) as tables from pg_stat_user_tables
where schemaname = current_schema() and n_mod_since_analyze > 1000 and n_mod_since_analyze > n_live_tup / 2`;

/**
 * Has PostgreSQL look at the tables that have outgrown what it knows of them. It does so by itself a minute later;
 * until then it plans as for tables of a few rows, and each row of an import into an empty database takes five times as
 * long.
 */
export async function refreshStatistics(query: Query): Promise<void> {
  const [row] = await query<{ tables: string | null }>(OUTGROWN, []);
  // A table that another process analyzes just now is left out, instead of waiting for it.
  if (row?.tables) await query(`analyze (skip_locked) ${row.tables}`, []);
}

const applyParams = closed({
  // The action finds the faults of documents, together with names that are given twice.
  documents: Type.Array(Type.Unknown()),
  prune: Type.Optional(Type.Boolean()),
  dryRun: Type.Optional(Type.Boolean()),
});
const slugParams = closed({ workspace: Type.String() });
const callerParams = closed({ workspace: Type.String(), user: Type.Optional(Type.String()) });
const targetParams = closed({
  workspace: Type.String(),
  group: Type.String(),
  ...importedKind,
  user: Type.Optional(Type.String()),
  definesFields: Type.Optional(Type.Boolean()),
});

/**
 * Workspaces, and the file that declares them: docs/guides/workspace-file.md. Only the command line calls these
 * actions; no route leads here.
 */
export default function workspacesService(context: ServiceContext): ServiceSchema {
  const { query, definitionsCache, changeDefinitions: change } = storeOf(context.database);

  function inTransaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    // Another file, or a user of the API, may be making the same at this moment. Then the work is done again.
    return context.database.transaction((trx) => work((sql, values, form) => run(trx, sql, values, form)), {
      retryOn: CONFLICTS,
    });
  }

  return {
    name: "workspaces",
    actions: {
      /** All workspaces, in the order of their creation. */
      list: {
        params: closed({}),
        handler: async () => ({ workspaces: (await allWorkspaces(query)).map(present) }),
      },
      get: {
        params: slugParams,
        handler: async (ctx: ActionContext<Static<typeof slugParams>>) =>
          present(await workspaceBySlug(query, ctx.params.workspace)),
      },
      /** Deletes a workspace with everything in it. */
      remove: {
        params: slugParams,
        handler: async (ctx: ActionContext<Static<typeof slugParams>>) => {
          const workspace = await inTransaction(async (inside) => {
            const row = await workspaceBySlug(inside, ctx.params.workspace);
            await inside("select 1 from workspaces where id = $1 for update", [row.id]);
            await removeWorkspace(inside, row.id);
            return row;
          });
          // Requests that were running meanwhile may have written records, which have no foreign key to the workspace.
          await inTransaction((inside) => removeWorkspace(inside, workspace.id));
          return present(workspace);
        },
      },
      /**
       * Applies the documents of a file, all of them or none, and tells what that changes in each workspace. With
       * `dryRun` nothing is written. The path of an issue begins with `documents` and the index of one.
       */
      apply: {
        params: applyParams,
        handler: (ctx: ActionContext<Static<typeof applyParams>>) => applyFile(inTransaction, ctx.params, ctx.meta.run),
      },
      /** The group, the fields and the user of an import. */
      importTarget: {
        params: targetParams,
        handler: async (ctx: ActionContext<Static<typeof targetParams>>) => {
          const { id } = await workspaceBySlug(query, ctx.params.workspace);
          return importTarget(await definitionsCache.current(id), ctx.params);
        },
      },
      /** On whose behalf a command writes that names no group. */
      caller: {
        params: callerParams,
        handler: async (ctx: ActionContext<Static<typeof callerParams>>) => {
          const { id } = await workspaceBySlug(query, ctx.params.workspace);
          return commandCaller(await definitionsCache.current(id), ctx.params);
        },
      },
      /** Lets PostgreSQL look at tables that have grown by much, as an import makes them. */
      refreshStatistics: {
        params: closed({}),
        handler: () => refreshStatistics((sql, values) => context.database.queryPlanned(sql, values)),
      },
      /** The custom fields that an import needs. */
      importFields: {
        params: importFieldsParams,
        handler: (ctx: ActionContext<Static<typeof importFieldsParams>>) => {
          const caller = importerOf(ctx);
          return runOrTry(
            ctx.params.dryRun,
            (work) => change(caller, work),
            (inside: Change) => importFields(inside, caller, ctx.params),
          );
        },
      },
      /** A workspace as a document that `apply` takes. */
      export: {
        params: slugParams,
        handler: async (ctx: ActionContext<Static<typeof slugParams>>) => {
          const workspace = await workspaceBySlug(query, ctx.params.workspace);
          const definitions = await loadDefinitions(query, workspace.id);
          if (!definitions) throw new Error(`The workspace ${workspace.slug} was removed just now`);
          return exportWorkspace(workspace, definitions);
        },
      },
    },
  };
}

async function applyFile(
  inTransaction: <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>,
  { documents, prune = false, dryRun = false }: Static<typeof applyParams>,
  run: CommandRun | undefined,
): Promise<AppliedFile> {
  const faults = faultsOf(documents);
  if (faults.length > 0) throw unprocessable(faults);
  const wanted = (documents as WorkspaceFile[]).map((document, i) => wantedWorkspace(document, ["documents", i]));
  const outcomes = await runOrTry(dryRun, inTransaction, (query: Query) =>
    applyDocuments({ query, prune, run }, wanted),
  );
  return {
    workspaces: outcomes.map(({ applied }) => applied),
    changes: outcomes.map(({ applied, changes }) => ({ slug: applied.slug, changes })),
  };
}

function present({ id, slug, name }: WorkspaceRow) {
  return { id: toId("workspace", id), slug, name };
}
