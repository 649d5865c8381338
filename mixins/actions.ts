import type { Answered } from "../base/contract/answer.ts";
import type { Caller } from "../base/contract/caller.ts";
import type { Versioned } from "../base/contract/etag.ts";
import type { Page } from "../base/contract/page.ts";
import { closed, idSchema, type TSchema } from "../base/contract/schema.ts";
import { type Uuid, uuidOf } from "../base/values/ids.ts";
import type { Store } from "../engine/store/store.ts";
import { type ActionContext, callerOf } from "./context.ts";
import type { PageParams } from "./page.ts";
import { type Past, pastActions } from "./past-actions.ts";
import { idIn, missingIn, type PathParams, withArticle } from "./path.ts";
import { type Changeable, worksOf } from "./works/things.ts";
import { actionOf } from "./works/work.ts";

/** The description of each action in the OpenAPI document. */
type Descriptions = Record<"list" | "get" | "create" | "update" | "remove", string>;

/**
 * Everything of one kind that has an id: the records of a type (`recordActions`) or the rows of a plain resource
 * (`resourceActions`). Answers are JSON texts, made once, where the row is read.
 */
export interface Things<Current extends Versioned> extends Changeable<Current> {
  store: Store;
  /** Parameters of the list, in the order of the OpenAPI document. */
  listParams: Record<string, TSchema>;
  descriptions: Descriptions;
  list(ctx: ActionContext<PageParams>): Promise<Page>;
  /** The one with this uuid; null when the caller sees none. */
  read(caller: Caller, params: PathParams, uuid: Uuid): Promise<Answered | null>;
  /** Undefined for things without history and trash. */
  past?: Past | undefined;
}

/**
 * The actions that everything with an id has, for a service to spread and to override. They come from a function and
 * not from a mixin, because Moleculer merges the actions of mixins deeply, and their schemas with them.
 */
export function actionsOf<Current extends Versioned>(things: Things<Current>) {
  const { resource, store, path = {}, descriptions } = things;
  const { kind, table } = resource;
  const pathOfOne = { ...path, [`${kind}Id`]: idSchema(kind) };
  const past = things.past && pastActions({ resource, store, path: pathOfOne }, things.past);
  const works = worksOf(things);

  return {
    list: {
      summary: `List ${table}`,
      description: descriptions.list,
      params: closed({ ...path, ...things.listParams }),
      returns: { list: resource.schema },
      handler: (ctx: ActionContext<PageParams>) => things.list(ctx),
    },
    get: {
      summary: `Get ${withArticle(resource.title.toLowerCase())}`,
      description: descriptions.get,
      params: closed(pathOfOne),
      returns: { data: resource.schema, ...(resource.hasVersions && { hasTag: true }) },
      handler: async (ctx: ActionContext<PathParams>) => {
        const uuid = uuidOf(kind, idIn(resource, ctx.params));
        return (uuid && (await things.read(callerOf(ctx), ctx.params, uuid))) || missingIn(resource, ctx.params);
      },
    },
    create: actionOf(store, works.create),
    update: actionOf(store, works.update),
    remove: actionOf(store, works.remove),
    ...past,
  };
}
