import type { Knex } from "knex";
import type { ServiceSchema } from "moleculer";
import DbService from "moleculer-db";
import { madeAt, newUuid } from "../base/values/ids.ts";
import { type Database, run } from "../database/database.ts";
import type { Query } from "../database/query.ts";
import type { Origin } from "../engine/events/append.ts";
import { columnsOf, type Resource } from "../model/resources/resource.ts";

/** A row with the names of its resource in the place of columns: its fields, its `rowColumns`, and the uuid as `id`. */
type Entity = Record<string, unknown>;

type Authored = Entity & { author: Origin };

/**
 * Writes the rows of other tables that go with a new or changed row, together with it, inside its transaction. Gets
 * what `_create` or `_update` were given, with the uuid, and the author of the change.
 */
type WriteBeside = (query: Query, entity: Entity, author: Origin) => Promise<void>;

/**
 * Makes moleculer-db keep things that lie in one table and have no rules between their rows, as API keys do. The
 * service calls `this._find`, `this._create` and `this._update`, the latter two with an `author` beside the fields.
 * They give the id and the fields in `shown` and nothing else of a row. The ready-made actions of moleculer-db are off,
 * because they page by offset and know no caller. Records are not kept like this: they have rules between their rows
 * and are written in sets (engine/records).
 */
export function tableMixin(
  database: Database,
  resource: Resource,
  shown: readonly string[],
  writeBeside: WriteBeside,
): Partial<ServiceSchema> {
  const off = ["find", "count", "list", "create", "insert", "get", "update", "remove"] as const;
  return {
    mixins: [DbService as unknown as ServiceSchema],
    adapter: knexAdapter(database, resource, writeBeside),
    settings: { idField: "uuid", fields: ["uuid", ...shown] },
    actions: Object.fromEntries(off.map((name) => [name, false as const])),
    // After a write moleculer-db makes all nodes clear their caches. Nothing is cached here, so it notifies no node.
    methods: { clearCache: async () => {} },
  } as Partial<ServiceSchema>;
}

/**
 * The methods of an adapter that these three calls need. They are closures and no class, because Moleculer copies
 * schemas deeply, and a copied object loses its private members.
 */
function knexAdapter(database: Database, resource: Resource, writeBeside: WriteBeside) {
  const columns = columnsOf(resource);
  const rows = (): Knex.QueryBuilder => database.knex(resource.table);
  const toRow = (entity: Entity): Entity =>
    Object.fromEntries(Object.entries(entity).map(([name, value]) => [columnOf(columns, name), value]));
  const write = async (built: Knex.QueryBuilder, entity: Entity, author: Origin): Promise<Entity | undefined> => {
    const { sql, bindings } = built.toSQL().toNative();
    const [row] = await database.transaction(async (trx) => {
      const query: Query = (text, values, form) => run(trx, text, values, form);
      const [written] = await Promise.all([query<Entity>(sql, bindings), writeBeside(query, entity, author)]);
      return written;
    });
    return row && toEntity(columns, row);
  };
  return {
    init() {},
    // moleculer-db calls this when the service starts, and again until it succeeds.
    async connect() {
      await database.read("select 1");
    },
    // The process that opened the database closes it.
    async disconnect() {},
    /** The rows that have the values of `query`, in the order of their creation. */
    find: ({ query }: { query: Entity }): Promise<Entity[]> =>
      rows().select(columns).where(toRow(query)).orderBy("id").then(),
    async insert({ author, ...entity }: Authored): Promise<Entity> {
      const id = newUuid();
      const row = { ...toRow(entity), id, created_at: madeAt(id) };
      const made = await write(rows().insert(row, columnList(columns)), { ...entity, uuid: id }, author);
      if (!made) throw new Error(`Nothing was inserted into ${resource.table}`);
      return made;
    },
    updateById: (id: string, { $set: { author, ...entity } }: { $set: Authored }): Promise<Entity | undefined> => {
      const where = { workspace_id: author.workspaceId, id };
      return write(rows().where(where).update(toRow(entity), columnList(columns)), { ...entity, uuid: id }, author);
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
