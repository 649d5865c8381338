import type { Caller } from "../../../base/contract/caller.ts";
import { notFound } from "../../../base/contract/errors.ts";
import type { Page } from "../../../base/contract/page.ts";
import { toId, type Uuid, uuidsOf } from "../../../base/values/ids.ts";
import { PAGE_LIMIT_DEFAULT } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";
import { nameRecords } from "../../../engine/records/names.ts";
import { textsOfPage } from "../../../engine/rows/page-texts.ts";
import type { Store } from "../../../engine/store/store.ts";
import { type InteractionRow, lookUp } from "../../../engine/things/find-interaction.ts";
import { presentInteraction } from "../../../engine/things/present-interaction.ts";
import { resolveAliases } from "../../../model/resources/aliases.ts";
import { entityUuid } from "../../../model/resources/entity.ts";
import { positionOf } from "../../../model/resources/list-order.ts";
import { INTERACTIONS, listInteractions, orderOf } from "./interactions.queries.ts";
import type { ListParams } from "./interactions.schema.ts";

type Reading = Pick<Store, "query" | "definitionsCache">;

/** A page of interactions. docs/guides/interactions.md#lists */
export async function readInteractions(store: Store, caller: Caller, params: ListParams): Promise<Page> {
  const { "entity.id": entityId, timeframe = "past", importedTypes, limit = PAGE_LIMIT_DEFAULT, after } = params;
  const { workspaceId } = caller;
  const entity = entityId === undefined ? null : await entityUuid(store.query, workspaceId, entityId);
  if (entityId !== undefined && entity === null) return { items: "[]", next: null };
  const users = params["user.id"] && uuidsOf("user", params["user.id"]);
  const list = { entity, timeframe, importedTypes, users, after, limit: limit + 1 };
  return store.pageTurn(caller, { limit, table: INTERACTIONS }, async (query) => {
    // The planner estimates the rows of these users or types only with given values.
    const isPlanned = users !== undefined || importedTypes !== undefined;
    const { rows, isCut } = await listInteractions(isPlanned ? store.queryPlanned : query, workspaceId, list);
    const shown = rows.slice(0, limit);
    const page = await textsOfPage(shown, await presenting(store, caller, shown));
    const last = isCut || page.count < rows.length ? rows[page.count - 1] : undefined;
    return { items: page.items, next: last ? positionOf(orderOf(timeframe), { ...last }) : null };
  });
}

/**
 * One interaction, as JSON text.
 * @throws ApiError 404 for an interaction that is not there or is not with this record
 */
export async function getInteraction(reading: Reading, caller: Caller, id: string, entityId: string): Promise<string> {
  const row = await lookUp(reading.query, caller, id, entityId);
  if (!row) throw notFound("interaction", id);
  const present = await presenting(reading, caller, [row]);
  return JSON.stringify(present(row));
}

/** Gives the function that makes of each of these interactions what is answered. */
async function presenting(
  { query, definitionsCache }: Reading,
  caller: Caller,
  rows: InteractionRow[],
): Promise<(row: InteractionRow) => Record<string, unknown>> {
  const definitions = await definitionsCache.current(caller.workspaceId);
  const names = await namesOf(query, caller.workspaceId, rows);
  const personName = (uuid: Uuid) => names.get(uuid);
  return (row) => presentInteraction(row, { caller, definitions, personName });
}

/**
 * The names of the people among the participants, also of those who were merged into another. One statement where there
 * are any, and two more when some are not there any more.
 */
async function namesOf(query: Query, workspaceId: Uuid, rows: InteractionRow[]): Promise<Map<Uuid, string>> {
  const participants = rows.flatMap((row) => (row.participants ? [row.participants.from, ...row.participants.to] : []));
  const people = [...new Set(participants.flatMap(({ personId }) => personId ?? []))];
  const names = await peopleByUuid(query, workspaceId, people);
  const survivors = await resolveAliases(
    query,
    workspaceId,
    "person",
    people.filter((uuid) => !names.has(uuid)),
  );
  const others = await peopleByUuid(query, workspaceId, [...new Set(survivors.values())]);
  for (const [alias, survivor] of survivors) names.set(alias, others.get(survivor) ?? "");
  return names;
}

async function peopleByUuid(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<Map<Uuid, string>> {
  const wanted = new Map(uuids.map((uuid) => [toId("person", uuid) as string, uuid]));
  const found = await nameRecords(query, workspaceId, wanted);
  return new Map(found.flatMap(({ id, fullName }) => (wanted.has(id) ? [[wanted.get(id) as Uuid, fullName]] : [])));
}
