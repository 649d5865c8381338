import type { Resource } from "../../model/resources/resource.ts";
import { ALL_TABLES } from "../../model/tables.ts";
import { routes } from "../../services/gateway/operation/routes.ts";

/** The resources that a POST to a list of their own makes, with its path: notes for example. */
export const PLAIN_RESOURCES = routes.flatMap(({ path, action }): { resource: Resource; path: string }[] => {
  const service = path.includes("{") ? undefined : /^(.*)[.]create$/.exec(action)?.[1];
  const resource = ALL_TABLES.find(({ name }) => name.replaceAll("_", "-") === service)?.resource;
  return resource ? [{ resource, path }] : [];
});
