import { ServiceBroker } from "moleculer";
import { createServices } from "../../cli/process.ts";
import { readEnv } from "../../config/env.ts";
import { serviceFolders } from "../../config/service-folders.ts";
import type { Database } from "../../database/database.ts";
import { TEST_ENV } from "../../lab/harness/server-env.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { type Route, routes } from "../../services/gateway/operation/routes.ts";
import type { Schema } from "./schemas.ts";

export interface Operation extends Route {
  /** Names of the parameters in the path. */
  parameters: string[];
  /** Schemas of all that the action takes, by name; `body` is the body. */
  params: Record<string, Schema>;
  /** Names of the parameters of the query that it cannot do without. */
  query: string[];
}

/** A title for tests. */
export const titleOf = ({ method, path }: Route): string => `${method} ${path}`;

export const isList = ({ params }: Operation): boolean => "after" in params;
/** What a read key may not call: all that changes something, told without asking the table for it. */
export const isWrite = ({ method, path }: Route): boolean => method !== "GET" && !/[/](search|aggregate)$/.test(path);

/** Every route with the schema of its action. The services are created and never started. */
export async function loadOperations(database: Database): Promise<Operation[]> {
  const env = readEnv(TEST_ENV);
  const broker = new ServiceBroker(brokerOptions(env));
  await createServices(broker, serviceFolders(), { env, database });
  const actions = new Map<string, { params?: { properties?: Record<string, Schema>; required?: string[] } }>();
  for (const service of broker.services) {
    for (const [name, action] of Object.entries(service.schema.actions ?? {})) {
      if (typeof action === "object") actions.set(`${service.name}.${name}`, action);
    }
  }
  return routes.map((route) => {
    const { properties: params, required = [] } = actions.get(route.action)?.params ?? {};
    if (!params)
      throw new Error(
        `${titleOf(route)} leads to ${route.action}, which no service has, or which has no params schema.`,
      );
    const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
    const query = required.filter((name) => name !== "body" && !parameters.includes(name));
    return { ...route, params, parameters, query };
  });
}
