import { type Context, type Endpoint, Strategies } from "moleculer";
import { isSameSchema, MADE_FOR } from "../base/contract/validate.ts";
import type { Peers } from "./peers.ts";
import { isJsonSchema } from "./validator.ts";

/** Key of an option of a call: the id of a node that it is not to go to, as long as there is another one. */
export const NOT_ON: unique symbol = Symbol("not on");

interface Wishes {
  [MADE_FOR]?: object;
  [NOT_ON]?: string;
}

/**
 * Gives the strategy that chooses the node of a call.
 *
 * - While two releases run, the params of a call may fit the schema of one of them alone, so it goes to a node with the
 *   schema that they were made for, as long as there is one. docs/guides/upgrading.md#several-processes
 * - Among those it goes to this node itself.
 * - Else it goes to the node with the fewest calls to answer, and among equals to each in turn. So a node that is slow
 *   gets fewer calls at once, and one that hangs gets hardly any even before it is found out. Nodes that hang or fail
 *   get none while there is another one. docs/decisions/0020-nodes-that-hang.md
 */
export function fittingNode(peers: Peers): typeof Strategies.Base {
  return class FittingNode extends Strategies.RoundRobin {
    override select(list: Endpoint[], ctx?: Context): Endpoint {
      const { [MADE_FOR]: schema, [NOT_ON]: avoided } = (ctx?.options ?? {}) as Wishes;
      const fitting = schema ? preferred(list, (endpoint) => isSame(schema, endpoint)) : list;
      const nodes = avoided === undefined ? fitting : preferred(fitting, ({ id }) => id !== avoided);
      return nodes.find(({ local }) => local) ?? this.#leastBusy(nodes);
    }

    #leastBusy(nodes: Endpoint[]): Endpoint {
      const taking = preferred(nodes, ({ id }) => peers.takesCalls(id));
      let least = super.select(taking);
      for (const node of taking) if (peers.callsTo(node.id) < peers.callsTo(least.id)) least = node;
      return least;
    }
  };
}

/** Those that fit, or all when none does. */
function preferred(list: Endpoint[], fits: (endpoint: Endpoint) => boolean): Endpoint[] {
  const fitting = list.filter(fits);
  return fitting.length > 0 ? fitting : list;
}

function isSame(schema: object, endpoint: Endpoint & { action?: { params?: unknown } }): boolean {
  const params = endpoint.action?.params;
  return isJsonSchema(params) && isSameSchema(params, schema);
}
