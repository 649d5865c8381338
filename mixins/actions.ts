import type { Answer, Answered } from "../base/contract/answer.ts";
import type { Caller } from "../base/contract/caller.ts";
import { isApiError } from "../base/contract/errors.ts";
import { refusedVersion, type Versioned } from "../base/contract/etag.ts";
import type { Page } from "../base/contract/page.ts";
import { closed, DRY_RUN, deletedSchema, IF_MATCH, idSchema, type TSchema } from "../base/contract/schema.ts";
import { type IdKind, toId, type Uuid, uuidOf } from "../base/values/ids.ts";
import type { WriteContext } from "../engine/records/draft.ts";
import type { Store } from "../engine/store/store.ts";
import type { RequestBody } from "../model/fields/field.ts";
import { type ActionContext, callerOf } from "./context.ts";
import type { PageParams } from "./page.ts";
import { type Past, pastActions } from "./past-actions.ts";
import { idIn, missingIn, type PathParams, withArticle } from "./path.ts";

/** Parameters of a write with a body. */
export type BodyParams = PathParams & { body: RequestBody };

/** The description of each action in the OpenAPI document. */
type Descriptions = Record<"list" | "get" | "create" | "update" | "remove", string>;

/**
 * Everything of one kind that has an id: the records of a type (`recordActions`) or the rows of a plain resource
 * (`resourceActions`). Answers are JSON texts, made once, where the row is read.
 */
export interface Things<Current extends Versioned> {
  resource: {
    kind: IdKind;
    table: string;
    title: string;
    schema: TSchema;
    createBody: TSchema;
    updateBody: TSchema;
    hasVersions?: true;
  };
  store: Store;
  /** False for things whose writes cannot be tried. docs/guides/preview.md#writes-without-a-preview */
  hasPreview?: false;
  /** Parameters of the path that lead to them: the group and the type of objects. */
  path?: Record<string, TSchema> | undefined;
  /** Parameters of the list, in the order of the OpenAPI document. */
  listParams: Record<string, TSchema>;
  descriptions: Descriptions;
  list(ctx: ActionContext<PageParams>): Promise<Page>;
  /** The one with this uuid; null when the caller sees none. */
  read(caller: Caller, params: PathParams, uuid: Uuid): Promise<Answered | null>;
  /**
   * The one with this uuid as it is, locked until the transaction ends; undefined when the caller sees none.
   * @throws ApiError 403 when the caller may not change it
   */
  lock(writing: WriteContext, params: PathParams, uuid: Uuid, isDeleted: boolean): Promise<Current | undefined>;
  /**
   * Makes one (`current` is null) or changes the locked one, adds the events, and gives it as it is afterwards.
   * @throws ApiError that says why it cannot be written
   */
  write(writing: WriteContext, params: PathParams, current: Current | null, sent: RequestBody): Promise<Answered>;
  /** Deletes the locked one, and adds the events. */
  remove(writing: WriteContext, params: PathParams, current: Current): Promise<void>;
  /** Undefined for things without history and trash. */
  past?: Past | undefined;
}

/**
 * The actions that everything with an id has, for a service to spread and to override. What is to hold for all of them
 * is written here, between the lock and the write. They come from a function and not from a mixin, because Moleculer
 * merges the actions of mixins deeply, and their schemas with them.
 */
export function actionsOf<Current extends Versioned>(things: Things<Current>) {
  const { resource, store, path = {}, descriptions } = things;
  const { kind, table } = resource;
  const one = withArticle(resource.title.toLowerCase());
  const pathOfOne = { ...path, [`${kind}Id`]: idSchema(kind) };
  const dryRun = things.hasPreview === false ? {} : DRY_RUN;
  const pathOfWrite = { ...pathOfOne, ...(resource.hasVersions && IF_MATCH), ...dryRun };
  const past = things.past && pastActions({ resource, store, path: pathOfOne }, things.past);
  const returns = { data: resource.schema, ...(resource.hasVersions && { hasTag: true }) };

  return {
    list: {
      summary: `List ${table}`,
      description: descriptions.list,
      params: closed({ ...path, ...things.listParams }),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<PageParams>) => things.list(ctx),
    },
    get: {
      summary: `Get ${one}`,
      description: descriptions.get,
      params: closed(pathOfOne),
      returns,
      handler: async (ctx: ActionContext<PathParams>) => {
        const uuid = uuidOf(kind, idIn(resource, ctx.params));
        return (uuid && (await things.read(callerOf(ctx), ctx.params, uuid))) || missingIn(resource, ctx.params);
      },
    },
    create: {
      summary: `Create ${one}`,
      description: descriptions.create,
      params: closed({ ...path, ...dryRun, body: resource.createBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>): Promise<Answer> =>
        store.write(callerOf(ctx), (writing) => things.write(writing, ctx.params, null, ctx.params.body)),
    },
    update: {
      summary: `Update ${one}`,
      description: descriptions.update,
      params: closed({ ...pathOfWrite, body: resource.updateBody }),
      returns,
      handler: (ctx: ActionContext<BodyParams>) =>
        changeOne(things, ctx, (writing, current) => things.write(writing, ctx.params, current, ctx.params.body)),
    },
    remove: {
      summary: `Delete ${one}`,
      description: descriptions.remove,
      params: closed(pathOfWrite),
      returns: { data: deletedSchema(kind) },
      handler: (ctx: ActionContext<PathParams>) =>
        changeOne(
          things,
          ctx,
          async (writing, current) => {
            await things.remove(writing, ctx.params, current);
            return JSON.stringify({ id: toId(kind, current.uuid) });
          },
          { isDeleted: true },
        ),
    },
    ...past,
  };
}

/** Parameters of a write that may be conditional. */
export type ConditionalParams = PathParams & { ifMatch?: readonly string[] };

/**
 * Runs a write on the thing that the path names, if it has one of the versions that the request asks for; writes about
 * the same thing run one behind the other.
 * @throws ApiError 404, 403, 412 in this order, then what the work throws. docs/guides/versions.md#conditions
 */
export function changeOne<Current extends Versioned>(
  things: Pick<Things<Current>, "resource" | "store" | "lock">,
  ctx: ActionContext<PathParams | ConditionalParams>,
  work: (writing: WriteContext, current: Current) => Promise<Answer>,
  { isDeleted = false }: { isDeleted?: boolean } = {},
): Promise<Answer> {
  const params = ctx.params as PathParams;
  const { ifMatch } = ctx.params as ConditionalParams;
  return things.store.write(
    callerOf(ctx),
    async (writing) => {
      const current = await lockOne(things, writing, params, isDeleted);
      const refused = refusedVersion(ifMatch, current);
      if (refused === undefined) return work(writing, current);
      // Only the write knows which roles it needs, and those come first. The transaction is undone in any case.
      const outcome = await work(writing, current).catch((error: unknown) => error);
      throw outcome instanceof Error && !comesAfter(outcome) ? outcome : refused;
    },
    { serializeBy: idIn(things.resource, params) },
  );
}

/** Whether an error is one of those that a request tells only of the version that it was made for. */
function comesAfter(error: Error): boolean {
  return isApiError(error) && error.type !== "FORBIDDEN";
}

/**
 * The thing that the path names, locked until the transaction ends.
 * @throws ApiError 404 when the caller sees none, 403 when they may not change it
 */
export async function lockOne<Current extends Versioned>(
  { resource, lock }: Pick<Things<Current>, "resource" | "lock">,
  writing: WriteContext,
  params: PathParams,
  isDeleted = false,
): Promise<Current> {
  const uuid = uuidOf(resource.kind, idIn(resource, params));
  return (uuid && (await lock(writing, params, uuid, isDeleted))) || missingIn(resource, params);
}
