import type { Answer, Answered } from "../../base/contract/answer.ts";
import { isApiError } from "../../base/contract/errors.ts";
import { refusedVersion, type Versioned } from "../../base/contract/etag.ts";
import { closed, DRY_RUN, deletedSchema, IF_MATCH, idSchema, type TSchema } from "../../base/contract/schema.ts";
import { type IdKind, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import { idIn, missingIn, type PathParams, withArticle } from "../path.ts";
import type { Work } from "./work.ts";

/** Parameters of a write with a body. */
export type BodyParams = PathParams & { body: RequestBody };

/** Parameters of a write that may be conditional. */
type ConditionalParams = PathParams & { ifMatch?: readonly string[] };

/** A kind of thing, with everything that its writes need. */
export interface Changeable<Current extends Versioned> {
  resource: {
    kind: IdKind;
    table: string;
    title: string;
    schema: TSchema;
    createBody: TSchema;
    updateBody: TSchema;
    hasVersions?: true;
  };
  /** False for things whose writes cannot be tried. docs/guides/preview.md#writes-without-a-preview */
  hasPreview?: false;
  /** Parameters of the path that lead to them: the group and the type of objects. */
  path?: Record<string, TSchema> | undefined;
  /** Descriptions of the writes in the OpenAPI document. */
  descriptions: Record<"create" | "update" | "remove", string>;
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
}

/** Parts of a kind of thing by which the one that a path names is found. */
type Lockable<Current extends Versioned> = Pick<Changeable<Current>, "resource" | "lock">;

/** The schemas of the parameters of a path that leads to one thing, with those of its headers. */
export function pathOfWrite({
  resource: { kind, hasVersions },
  path,
  hasPreview,
}: Pick<Changeable<Versioned>, "resource" | "path" | "hasPreview">): Record<string, TSchema> {
  return {
    ...path,
    [`${kind}Id`]: idSchema(kind),
    ...(hasVersions && IF_MATCH),
    ...(hasPreview === false ? {} : DRY_RUN),
  };
}

/** The writes that everything with an id has. The rules that hold for all of them stand here. */
export function worksOf<Current extends Versioned>(things: Changeable<Current>) {
  const { resource, path, descriptions } = things;
  const one = withArticle(resource.title.toLowerCase());
  const ofOne = pathOfWrite(things);
  const returns = { data: resource.schema, ...(resource.hasVersions && { hasTag: true }) };
  const create: Work<BodyParams> = {
    summary: `Create ${one}`,
    description: descriptions.create,
    params: closed({ ...path, ...(things.hasPreview === false ? {} : DRY_RUN), body: resource.createBody }),
    returns,
    run: (writing, params) => things.write(writing, params, null, params.body),
  };
  const update: Work<BodyParams> = {
    summary: `Update ${one}`,
    description: descriptions.update,
    params: closed({ ...ofOne, body: resource.updateBody }),
    returns,
    ...changing(things, (writing, current, params) => things.write(writing, params, current, params.body)),
  };
  const remove: Work<PathParams> = {
    summary: `Delete ${one}`,
    description: descriptions.remove,
    params: closed(ofOne),
    returns: { data: deletedSchema(resource.kind) },
    ...changing(things, (writing, current, params) => removeOne(things, writing, current, params), {
      isDeleted: true,
    }),
  };
  return { create, update, remove };
}

async function removeOne<Current extends Versioned>(
  { resource, remove }: Pick<Changeable<Current>, "resource" | "remove">,
  writing: WriteContext,
  current: Current,
  params: PathParams,
): Promise<Answer> {
  await remove(writing, params, current);
  return JSON.stringify({ id: toId(resource.kind, current.uuid) });
}

/**
 * The parts of a work on the thing that the path names, if it has one of the versions that the request asks for; works
 * on the same thing run one behind the other.
 * @throws ApiError 404, 403, 412 in this order, then what `change` throws. docs/guides/versions.md#conditions
 */
export function changing<Current extends Versioned, Params extends object>(
  things: Lockable<Current>,
  change: (writing: WriteContext, current: Current, params: Params) => Promise<Answer>,
  { isDeleted = false }: { isDeleted?: boolean } = {},
): Pick<Work<Params>, "run" | "serializeBy"> {
  return {
    async run(writing, params) {
      const current = await lockOne(things, writing, params as PathParams, isDeleted);
      const refused = refusedVersion((params as ConditionalParams).ifMatch, current);
      if (refused === undefined) return change(writing, current, params);
      // Only the write knows which roles it needs, and those come first. The transaction is undone in any case.
      const outcome = await change(writing, current, params).catch((error: unknown) => error);
      throw outcome instanceof Error && !comesAfter(outcome) ? outcome : refused;
    },
    serializeBy: (params) => idIn(things.resource, params as PathParams),
  };
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
  { resource, lock }: Lockable<Current>,
  writing: WriteContext,
  params: PathParams,
  isDeleted = false,
): Promise<Current> {
  const uuid = uuidOf(resource.kind, idIn(resource, params));
  return (uuid && (await lock(writing, params, uuid, isDeleted))) || missingIn(resource, params);
}
