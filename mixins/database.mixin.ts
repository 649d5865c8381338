import type { Knex } from "knex";
import type { ServiceSchema } from "moleculer";
import DbService from "moleculer-db";
import type { ServiceContext } from "../actions/service-context.ts";

/** What a service finds in `this.adapter`. */
export interface KnexAdapter {
  init(): void;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  /** A Knex query on the table of the service. */
  rows(): Knex.QueryBuilder;
  /** The first row with these column values, or null. */
  findOne<Row>(where: Record<string, unknown>): Promise<Row | null>;
}

/**
 * Rows of a table, as moleculer-db wants to reach them. One pool and one reader serve all services of a process. Closures
 * and no class: Moleculer copies schemas deeply, and a copied object loses its private members.
 */
function knexAdapter({ database }: ServiceContext, table: string): KnexAdapter {
  const rows = (): Knex.QueryBuilder => database.knex(table);
  return {
    init() {},
    // moleculer-db calls this at start and tries again until the database answers.
    async connect() {
      await database.read("select 1");
    },
    // The process that opened the database closes it.
    async disconnect() {},
    rows,
    async findOne<Row>(where: Record<string, unknown>): Promise<Row | null> {
      const { sql, bindings } = rows().where(where).limit(1).toSQL().toNative();
      const [row] = await database.read<Row>(sql, bindings);
      return row ?? null;
    },
  };
}

/**
 * moleculer-db on our pool for a service that keeps a table: its life cycle and `this.adapter`. Its own actions are off:
 * they page by offset, know no caller, and would be a way around every rule.
 */
export function databaseMixin(context: ServiceContext, table: string): Partial<ServiceSchema> {
  const off = ["find", "count", "list", "create", "insert", "get", "update", "remove"] as const;
  return {
    mixins: [DbService as unknown as ServiceSchema],
    adapter: knexAdapter(context, table),
    settings: { idField: "id" },
    actions: Object.fromEntries(off.map((name) => [name, false as const])),
    // Nothing is cached, so nothing need be told to drop a cache.
    methods: { clearCache: async () => {} },
  } as Partial<ServiceSchema>;
}
