import type { Knex } from "knex";
import type { ServiceSchema } from "moleculer";
import DbService from "moleculer-db";
import type { Database } from "../lib/database/database.ts";
import type { Resource } from "../lib/resources/resource.ts";
import { madeAt, newUuid } from "../lib/values/ids.ts";

/** A row by the names of its resource: fields, `rowColumns`, and the uuid as `id`. */
type Entity = Record<string, unknown>;

/**
 * moleculer-db for things that are kept in one table and have no rules between their rows: API keys, and whatever is like
 * them. The service calls `this._find`, `this._create` and `this._update`; of rows only `shown` leaves them. Its ready-made
 * actions are off, since they page by offset and know no caller. Records have rules between rows and are written in sets:
 * they have lib/records instead.
 */
export function tableMixin(database: Database, resource: Resource, shown: readonly string[]): Partial<ServiceSchema> {
  const off = ["find", "count", "list", "create", "insert", "get", "update", "remove"] as const;
  return {
    mixins: [DbService as unknown as ServiceSchema],
    adapter: knexAdapter(database, resource),
    settings: { idField: "id", fields: ["id", ...shown] },
    actions: Object.fromEntries(off.map((name) => [name, false as const])),
    // Nothing is cached, so nobody has to be told to drop a cache.
    methods: { clearCache: async () => {} },
  } as Partial<ServiceSchema>;
}

/**
 * The methods of an adapter that those three call. Closures and no class: Moleculer copies schemas deeply, and a copied
 * object loses its private members.
 */
function knexAdapter(database: Database, resource: Resource) {
  const columns: Record<string, string> = {
    id: "id",
    ...resource.rowColumns,
    ...Object.fromEntries(resource.columns.map(({ name, storage }) => [name, storage.column])),
  };
  const rows = (): Knex.QueryBuilder => database.knex(resource.table);
  const toRow = (entity: Entity): Entity =>
    Object.fromEntries(Object.entries(entity).map(([name, value]) => [columnOf(columns, name), value]));
  return {
    init() {},
    // Called at the start of the service, and again until it succeeds.
    async connect() {
      await database.read("select 1");
    },
    // The process that opened the database closes it.
    async disconnect() {},
    /** Entities whose columns have these values, in the order of their making. */
    find: ({ query }: { query: Entity }): Promise<Entity[]> =>
      rows().select(columns).where(toRow(query)).orderBy("id").then(),
    async insert(entity: Entity): Promise<Entity> {
      const id = newUuid();
      const [made] = await rows().insert({ ...toRow(entity), id, created_at: madeAt(id) }, columnList(columns));
      return toEntity(columns, made);
    },
    async updateById(id: string, { $set }: { $set: Entity }): Promise<Entity | undefined> {
      const [changed] = await rows().where({ id }).update(toRow($set), columnList(columns));
      return changed && toEntity(columns, changed);
    },
    entityToObject: (entity: Entity) => entity,
    beforeSaveTransformID: (entity: Entity) => entity,
    afterRetrieveTransformID: (entity: Entity) => entity,
  };
}

function columnOf(columns: Record<string, string>, name: string): string {
  const column = columns[name];
  if (column === undefined) throw new Error(`No column is called ${name}`);
  return column;
}

function columnList(columns: Record<string, string>): string[] {
  return Object.values(columns);
}

function toEntity(columns: Record<string, string>, row: Entity): Entity {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, row[column]]));
}
