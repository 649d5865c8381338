import { describe, expect, it } from "@jest/globals";
import { TRANSACTABLE } from "../../../mixins/works/operations.ts";
import { matchPath } from "../../../services/changes/transactions/match-path.ts";
import { routes } from "../../../services/gateway/operation/routes.ts";

/** A path with values that no fixed segment is equal to. */
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, "a-$1");

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

// docs/guides/transactions.md#operations
describe("The operations of transactions", () => {
  it("are operations of the API, with the same paths", () => {
    const known = new Set(routes.map(keyOf));
    expect(TRANSACTABLE.map(keyOf).filter((one) => !known.has(one))).toEqual([]);
  });

  it("are found by their paths, and no other operation of the API is taken for one of them", () => {
    const allowed = new Set(TRANSACTABLE.map(keyOf));
    for (const { method, path } of routes) {
      const found = matchPath(method, filled(path));
      const told = typeof found === "string" ? undefined : keyOf(found.operation);
      expect([method, path, told]).toEqual([
        method,
        path,
        allowed.has(keyOf({ method, path })) ? `${method} ${path}` : undefined,
      ]);
    }
  });

  it("have each fixed segment of the API in no place of a value", () => {
    for (const { path } of routes)
      for (const method of ["PATCH", "DELETE"]) {
        if (/\}$/.test(path)) continue;
        expect([method, path, typeof matchPath(method, filled(path))]).toEqual([method, path, "string"]);
      }
  });

  it("have decoded values in the path and the query", () => {
    expect(matchPath("DELETE", "/v1/interactions/a%2Fb%3F?entity.id=per_1%20&x=2")).toMatchObject({
      values: { interactionId: "a/b?", "entity.id": "per_1 " },
    });
    expect(matchPath("DELETE", "/v1/interactions/a?entity[id]=per_1")).toMatchObject({
      values: { interactionId: "a", "entity.id": "per_1" },
    });
  });
});
