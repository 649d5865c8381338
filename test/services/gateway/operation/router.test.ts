import { describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { readEnv } from "../../../../config/env.ts";
import type { Database } from "../../../../database/database.ts";
import gatewayService from "../../../../services/gateway/gateway.service.ts";
import { createMatcher, matchOf } from "../../../../services/gateway/operation/router.ts";
import { type Route, routes } from "../../../../services/gateway/operation/routes.ts";

describe("the matcher (docs/guides/conventions.md#paths)", () => {
  const { find } = createMatcher(routes);
  const match = (method: string, path: string) => matchOf(find(method, path), method, path);

  it.each(routes.map((route) => [route.method, route.path, route] as [string, string, Route]))(
    "leads %s %s to its route",
    (method, path, route) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
      const values = Object.fromEntries(names.map((name) => [name, `${name} %2F/é`]));
      const found = match(
        method,
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? "")),
      );
      expect(found.route).toBe(route);
      expect({ ...found.path }).toEqual(values);
    },
  );

  it("leads where moleculer-web lists the routes to lead", () => {
    const broker = new ServiceBroker({ logger: false });
    const service = broker.createService(gatewayService({ env: readEnv({}), database: {} as Database }));
    const aliases: { method: string; path: string; action: string }[] = service.aliases;
    const listed = aliases.map(({ method, path, action }) => {
      const route = find(method, `/${path}`)?.route;
      return route?.action === action ? route : undefined;
    });
    expect(new Set(listed)).toEqual(new Set(routes));
  });

  it("takes HEAD for GET, and decides by the path before the method: fixed segments win over parameters", () => {
    expect(match("HEAD", "/v1/people").route.action).toBe("people.list");
    expect(match("GET", "/v1/users/me").route.action).toBe("users.me");
    expect(() => match("GET", "/v1/groups/g/members/u")).toThrow("PATCH");
    for (const path of [
      "/v1/people/batch",
      "/v1/people/search/merge",
      "/v1/people/b%61tch/merge",
      "/v1/groups/g/custom-fields",
      "/v1/groups/g/members/u/merge",
      "/v1/groups/g/members/batch/create",
      "/v1/groups/g/Deals/batch",
      "/v1/people#batch",
    ])
      expect(() => match("POST", path)).toThrow(`nothing at ${path}`);
    // Elsewhere they are names like any other.
    expect(match("GET", "/v1/groups/g/batch").path).toEqual({ groupId: "g", objectType: "batch" });
    expect(match("PATCH", "/v1/groups/g/members/batch").path).toEqual({ groupId: "g", userId: "batch" });
    for (const path of ["/", "/v1/people/", "/v1//people", "/v1/groups//members", "/v1/people/a/b/c/d"])
      expect(() => match("GET", path)).toThrow("nothing at");
  });
});
