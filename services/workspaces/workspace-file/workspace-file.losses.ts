import { RECORD_KINDS, type RecordKind, type Uuid } from "../../../base/values/ids.ts";
import { LOSSES_COUNTED_MAX } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";
import { printUuids } from "../../../database/uuid-list.ts";
import type { Group } from "../../../model/definitions/definitions.ts";

/**
 * Losses of records when a group, a field or an option is removed. `values` counts the values of records in the field,
 * with the option,
 * or in the fields of the group. The other three are for groups: people and companies who leave it, objects that are
 * deleted.
 */
export interface Loss {
  values: number;
  people?: number;
  companies?: number;
  objects?: number;
}

/** Number of things that a statement counts, for which it has 8 s. */
const AT_ONCE = 20;

/** Losses of records with these groups. It is to be asked before they are deleted. */
export async function lossesOfGroups(query: Query, workspaceId: Uuid, groups: Group[]): Promise<Map<Uuid, Loss>> {
  const fields = await lossesOfFields(
    query,
    workspaceId,
    groups.flatMap((group) => [...group.fieldsByUuid.keys()]),
  );
  const uuids = groups.map(({ uuid }) => uuid);
  const counts = await countByKind(
    query,
    workspaceId,
    uuids,
    (kind) => `${kind}_groups b where b.group_id = wanted.id`,
  );
  return new Map(
    groups.map((group) => {
      const values = [...group.fieldsByUuid.keys()].reduce((sum, uuid) => sum + (fields.get(uuid)?.values ?? 0), 0);
      const { person: people = 0, company: companies = 0, object: objects = 0 } = counts.get(group.uuid) ?? {};
      return [group.uuid, { values, people, companies, objects }];
    }),
  );
}

/** Losses of records with these fields. Their values stay where they are, so it may be asked at any time. */
export function lossesOfFields(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<Map<Uuid, Loss>> {
  return lossesOfValues(query, workspaceId, uuids, "field_id");
}

/** Losses of records with these options. */
export function lossesOfOptions(query: Query, workspaceId: Uuid, uuids: Uuid[]): Promise<Map<Uuid, Loss>> {
  return lossesOfValues(query, workspaceId, uuids, "item");
}

async function lossesOfValues(
  query: Query,
  workspaceId: Uuid,
  uuids: Uuid[],
  column: "field_id" | "item",
): Promise<Map<Uuid, Loss>> {
  // A record has several rows of a field with several entries.
  const counts = await countByKind(
    query,
    workspaceId,
    uuids,
    (kind) => `${kind}_values b where b.${column} = wanted.id`,
  );
  return new Map(
    [...counts].map(([uuid, { person = 0, company = 0, object = 0 }]) => [uuid, { values: person + company + object }]),
  );
}

type Counts = Partial<Record<RecordKind, number>>;

/** Number of records of each kind with rows, for each of the uuids. */
async function countByKind(
  query: Query,
  workspaceId: Uuid,
  uuids: Uuid[],
  rowsOf: (kind: RecordKind) => string,
): Promise<Map<Uuid, Counts>> {
  const counts = RECORD_KINDS.map(
    (
      kind,
    ) => `(select case when count(*) < ${LOSSES_COUNTED_MAX} then count(distinct one.id) else ${LOSSES_COUNTED_MAX} end::int from (
       select b.${kind}_id as id from ${rowsOf(kind)} and b.workspace_id = $1 limit ${LOSSES_COUNTED_MAX}) one) as ${kind}`,
  ).join(", ");
  const found = new Map<Uuid, Counts>();
  for (let i = 0; i < uuids.length; i += AT_ONCE) {
    const rows = await query<Counts & { id: Uuid }>(`select wanted.id, ${counts} from unnest($2::uuid[]) wanted(id)`, [
      workspaceId,
      printUuids(uuids.slice(i, i + AT_ONCE)),
    ]);
    for (const { id, ...one } of rows) found.set(id, one);
  }
  return found;
}
