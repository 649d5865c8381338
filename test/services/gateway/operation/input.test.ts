import { describe, expect, it } from "@jest/globals";
import type { Caller } from "../../../../base/contract/caller.ts";
import type { Issue } from "../../../../base/contract/issues.ts";
import { parseQuery } from "../../../../base/contract/query-string.ts";
import { closed, Type } from "../../../../base/contract/schema.ts";
import { newUuid } from "../../../../base/values/ids.ts";
import type { Condition } from "../../../../engine/filters/condition.ts";
import { readFilter } from "../../../../services/gateway/operation/filter-query.ts";
import { readInput } from "../../../../services/gateway/operation/input.ts";
import type { Route } from "../../../../services/gateway/operation/routes.ts";
import { createSeal } from "../../../../services/gateway/response/cursor.ts";

const caller: Caller = { workspaceId: newUuid(), userId: newUuid(), keyId: newUuid(), access: "full" };
const route: Route = { method: "GET", path: "/v1/things", action: "things.list", kind: "list" };
const seal = createSeal(Buffer.alloc(32));
const schema = closed({
  "entity.id": Type.Optional(Type.String()),
  kinds: Type.Optional(Type.Array(Type.String())),
  limit: Type.Optional(Type.Integer()),
  after: Type.Optional(Type.String()),
});

const read = (query: string) =>
  readInput(
    schema as never,
    {
      ...{ route, path: {}, query: parseQuery(query), body: {}, large: undefined },
      ...{ key: undefined, isPreview: false, ifMatch: undefined, isStrict: false },
    },
    caller,
    seal,
  );

describe("Parameters of a query", () => {
  it("name a member with a point or in brackets (docs/guides/filters.md#array-notation)", () => {
    expect(read("entity.id=a").params).toEqual({ "entity.id": "a" });
    expect(read("entity[id]=a").params).toEqual({ "entity.id": "a" });
    expect(read("entity%5Bid%5D=a").params).toEqual({ "entity.id": "a" });
    expect(() => read("entity[id]=a&entity.id=b")).toThrow(/takes one value/);
  });

  it("are lists in every notation, in the order of the request", () => {
    for (const query of [
      "kinds=b&kinds=a",
      "kinds[]=b&kinds[]=a",
      "kinds[1]=b&kinds[0]=a",
      "kinds%5B%5D=b&kinds=a",
      "kinds[007]=b&kinds[]=a",
    ])
      expect([query, read(query).params]).toEqual([query, { kinds: ["b", "a"] }]);
    expect(read("kinds=").params).toEqual({ kinds: [""] });
    expect(read("kinds[x]=a&kinds[-1]=a&kinds[0][]=a").params).toEqual({});
  });

  it("that take one value are no list", () => {
    expect(read("limit[]=5&limit[0]=5").params).toEqual({});
  });

  it("bind a cursor to what they mean, however they are written", () => {
    expect(read("entity[id]=a&kinds[]=b&limit=1").binding).toBe(read("limit=2&kinds=b&entity.id=a").binding);
    expect(read("kinds[]=b").binding).not.toBe(read("kinds[]=a").binding);
  });
});

describe("Filters of a query (docs/guides/filters.md#array-notation)", () => {
  const conditions = (query: string): [Condition[], Issue[]] => {
    const issues: Issue[] = [];
    return [readFilter(parseQuery(query), issues), issues];
  };
  const none = { values: [], ids: [], emails: [] };

  it.each([
    ["filter[emails][eq][0]=x", { field: "emails", operator: "eq", values: ["x"] }],
    ["filter[emails][eq][]=x", { field: "emails", operator: "eq", values: ["x"] }],
    ["filter%5Bemails%5D%5Beq%5D%5B%5D=x", { field: "emails", operator: "eq", values: ["x"] }],
    ["filter[a][in][2]=x&filter[a][in][0]=y&filter[a][in]=z", { field: "a", operator: "in", values: ["x", "y", "z"] }],
    ["filter[a][in][id][1]=x&filter[a][in][id][]=y", { field: "a", operator: "in", ids: ["x", "y"] }],
    ["filter[a][not_in][email][]=x", { field: "a", operator: "not_in", emails: ["x"] }],
    ["filter[a][empty][]", { field: "a", operator: "empty", values: [""] }],
    // Names that look like a notation, which only the last bracket is.
    ["filter[c.g.Q[1]][eq]=x", { field: "c.g.Q[1]", operator: "eq", values: ["x"] }],
    ["filter[c.g.Q[1]][eq][0]=x", { field: "c.g.Q[1]", operator: "eq", values: ["x"] }],
    ["filter[c.g.Q[]][eq]=x", { field: "c.g.Q[]", operator: "eq", values: ["x"] }],
    ["filter[c.g.1][eq]=x", { field: "c.g.1", operator: "eq", values: ["x"] }],
    ["filter[c.g.a][0][eq]=x", { field: "c.g.a][0", operator: "eq", values: ["x"] }],
    ["filter[c.g.[]][in][id]=x", { field: "c.g.[]", operator: "in", ids: ["x"] }],
    ["filter[c.g.a][eq][0][1]=x", { field: "c.g.a][eq", operator: "0", values: ["x"] }],
    ["filter[c.g.a][eq][x1]=x", { field: "c.g.a][eq", operator: "x1", values: ["x"] }],
    ["filter[c.g.a][eq][-1]=x", { field: "c.g.a][eq", operator: "-1", values: ["x"] }],
    ["filter[c.g.a][eq][%D9%A1]=x", { field: "c.g.a][eq", operator: "١", values: ["x"] }],
  ])("%s", (query, condition) => {
    expect(conditions(query)).toEqual([[{ ...none, ...condition }], []]);
  });

  it.each(["filter[]=x", "filter[0]=x", "filter[a][]=x", "filter[a][0]=x", "filter[a]", "filter[][]=x"])(
    "%s has no operator",
    (query) => {
      const [found, issues] = conditions(query);
      expect([found, issues]).toEqual([[], [expect.objectContaining({ code: "custom", path: ["filter"] })]]);
    },
  );
});
