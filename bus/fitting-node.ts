import { type Context, type Endpoint, Strategies } from "moleculer";
import { isSameSchema, MADE_FOR } from "../base/contract/validate.ts";
import { isJsonSchema } from "./validator.ts";

/**
 * Chooses the node that a call goes to. While two releases run, the params of a call may fit the schema of one of them
 * alone, so it goes to a node with the schema that they were made for, as long as there is one. Among those it goes to
 * this node itself, or else to each in turn. docs/guides/upgrading.md#several-processes
 */
export class FittingNode extends Strategies.RoundRobin {
  override select(list: Endpoint[], ctx?: Context): Endpoint {
    const { [MADE_FOR]: schema } = (ctx?.options ?? {}) as { [MADE_FOR]?: object };
    const fitting = schema ? list.filter((endpoint) => isSame(schema, endpoint)) : [];
    const nodes = fitting.length > 0 ? fitting : list;
    return nodes.find(({ local }) => local) ?? super.select(nodes);
  }
}

function isSame(schema: object, endpoint: Endpoint & { action?: { params?: unknown } }): boolean {
  const params = endpoint.action?.params;
  return isJsonSchema(params) && isSameSchema(params, schema);
}
