import type { Uuid } from "../../../base/values/ids.ts";
import { type Binder, createBinder } from "../../../database/binder.ts";
import type { Query } from "../../../database/query.ts";
import { counting, readPageRows } from "../../../engine/rows/large-pages.ts";
import {
  INTERACTION_COLUMNS,
  INTERACTION_ENTITY,
  type InteractionRow,
} from "../../../engine/things/find-interaction.ts";
import { behind, type ListOrder, orderBy } from "../../../model/resources/list-order.ts";

/** The table of the interactions that lists have. */
export const INTERACTIONS = "interactions";

/** Past interactions come newest first, upcoming ones soonest first. docs/guides/interactions.md#lists */
const ORDERS: Record<"past" | "upcoming", ListOrder["direction"]> = { past: "desc", upcoming: "asc" };

const byTime = (id: string, timeframe: "past" | "upcoming"): ListOrder => ({
  by: [
    { name: "dateTime", column: "date_time", type: "timestamptz" },
    { name: "uuid", column: id, type: "uuid" },
  ],
  direction: ORDERS[timeframe],
});

/** Order of the rows of a list, for the position of one. */
export const orderOf = (timeframe: "past" | "upcoming"): ListOrder => byTime("id", timeframe);

export interface InteractionList {
  /** With this record; null for all of the workspace, each with its first record. */
  entity: Uuid | null;
  timeframe: "past" | "upcoming";
  /** Logged ones are always in it. */
  importedTypes: string[] | undefined;
  /** Users whose interactions are read; undefined for all. */
  users: Uuid[] | undefined;
  limit: number;
  after: string | undefined;
}

/**
 * A page of interactions in the order of their time, and where that is the same, of their making. The limit stands in
 * the statement itself: without knowing it PostgreSQL plans for a tenth of all interactions, and puts them all in
 * order.
 */
export function listInteractions(
  query: Query,
  workspaceId: Uuid,
  list: InteractionList,
): Promise<{ rows: InteractionRow[]; isCut: boolean }> {
  const bind = createBinder();
  const { entity, timeframe } = list;
  const order = byTime(entity === null ? "id" : "interaction_id", timeframe);
  const where = conditions(list, order, bind(workspaceId), bind);
  const page =
    entity === null
      ? `select p.workspace_id, p.id as interaction_id, e.entity_kind, e.entity_id
         from (select t.workspace_id, t.id, t.date_time from interactions t where ${where} ${orderBy(order)} limit ${list.limit}) p
         cross join lateral (${FIRST_ENTITY}) e`
      : `select t.workspace_id, t.interaction_id, t.entity_kind, t.entity_id from interaction_entities t
         where ${where} ${orderBy(order)} limit ${list.limit}`;
  const sorted = `order by i.date_time ${order.direction}, i.id ${order.direction}`;
  const from = `from (${page}) t join interactions i on i.workspace_id = $1 and i.id = t.interaction_id`;
  const { columns, isWanted } = counting("octet_length(i.content)", sorted, "i");
  return readPageRows({
    table: INTERACTIONS,
    workspaceId,
    read: (counts) =>
      query<InteractionRow & { bytes?: string }>(
        counts
          ? `select i.* from (select ${INTERACTION_COLUMNS}, ${INTERACTION_ENTITY}, ${columns} ${from}) i where ${isWanted}
             order by i."dateTime" ${order.direction}, i.uuid ${order.direction}`
          : `select ${INTERACTION_COLUMNS}, ${INTERACTION_ENTITY} ${from} ${sorted}`,
        bind.values,
      ),
    countOf: ({ bytes }) => Number(bytes),
    lengthOf: ({ content }) => content.length,
  });
}

const FIRST_ENTITY = `select entity_kind, entity_id from interaction_entities
  where workspace_id = $1 and interaction_id = p.id order by position limit 1`;

function conditions(
  { entity, timeframe, importedTypes, users, after }: InteractionList,
  order: ListOrder,
  workspace: string,
  bind: Binder,
): string {
  const types = importedTypes && ["logged", ...importedTypes];
  return [
    `t.workspace_id = ${workspace}`,
    ...(entity === null ? [] : [`t.entity_id = ${bind(entity)}`]),
    `t.date_time ${timeframe === "past" ? "<=" : ">"} now()`,
    ...(types ? [`t.interaction_type = any(${bind(types, "text[]")})`] : []),
    ...(users ? [`t.user_ids && ${bind(users, "uuid[]")}`] : []),
    ...(after === undefined ? [] : [behind(order, after, bind)]),
  ].join(" and ");
}
