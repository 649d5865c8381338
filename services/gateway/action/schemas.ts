import type { ActionEndpoint, ServiceBroker } from "moleculer";
import { isApiError } from "../../../base/contract/errors.ts";
import { isSameSchema } from "../../../base/contract/validate.ts";
import { releaseOf } from "../../../bus/releases.ts";
import { compareReleases } from "../../../config/release.ts";

/** JSON Schema of the params of an action, as the registry has it. */
export interface ParamsSchema {
  properties: Record<
    string,
    {
      type?: string;
      emptyIsNone?: boolean;
      apartFromCursor?: boolean;
      /** Whether it may be written like a list, with the bracket of one. */
      isBracketed?: boolean;
      /** Name of the header in which a request sends it. */
      header?: string;
    }
  >;
}

/** The schemas that nodes judge the params of one action by. There is one, except while two releases run. */
export type Schemas = readonly ParamsSchema[];

interface Announced {
  /** The schema of each node, in the order of the registry. */
  ofNodes: readonly ParamsSchema[];
  schemas: Schemas;
}

/**
 * Gives a function that finds the schemas of an action in the registry, where nodes announce their actions: those of
 * now, so that they change with the releases that run. First comes that of this process, then that of its release
 * if none is newer, then the one of most nodes.
 * When no node is left, they are the last ones, so that a request is still checked while a service is away.
 * docs/guides/upgrading.md#several-processes
 */
export function schemaFinder(broker: Pick<ServiceBroker, "registry" | "metadata">): (action: string) => Schemas {
  const known = new Map<string, Announced>();
  return (action) => {
    const last = known.get(action);
    const endpoints = broker.registry.actions.get(action)?.endpoints ?? [];
    if (endpoints.length === 0) return last?.schemas ?? [];
    // Each announcement of a node brings a new object, so the same objects mean that nothing has changed.
    if (last?.ofNodes.length === endpoints.length && endpoints.every((one, i) => paramsOf(one) === last.ofNodes[i]))
      return last.schemas;
    const ofNodes = endpoints.map(paramsOf);
    const schemas = inOrder(endpoints.map(offerOf), releaseOf(broker) ?? "");
    known.set(action, { ofNodes, schemas });
    return schemas;
  };
}

function paramsOf({ action }: { action: object }): ParamsSchema {
  // Every action that a route leads to has one, which test/contract/announced.test.ts sees to.
  return Reflect.get(action, "params") as ParamsSchema;
}

/** A schema, and what decides about its place among others. */
interface Offer {
  schema: ParamsSchema;
  isLocal: boolean;
  /** The newest release of its nodes; empty when they announce none. */
  release: string;
  nodes: number;
}

function offerOf(endpoint: ActionEndpoint): Offer {
  return { schema: paramsOf(endpoint), isLocal: endpoint.local, release: releaseOf(endpoint.node) ?? "", nodes: 1 };
}

function inOrder(offers: readonly Offer[], ownRelease: string): Schemas {
  const forms: Offer[] = [];
  for (const offer of offers) {
    const form = forms.find((one) => isSameSchema(one.schema, offer.schema));
    if (!form) forms.push({ ...offer });
    else {
      form.nodes += 1;
      form.isLocal ||= offer.isLocal;
      if (compareReleases(offer.release, form.release) > 0) form.release = offer.release;
    }
  }
  // An older gateway would lead all requests to the first new node.
  const isNewest = offers.every(({ release }) => compareReleases(release, ownRelease) <= 0);
  const rank = ({ isLocal, release }: Offer) => (isLocal ? 2 : Number(isNewest && release === ownRelease));
  return forms.sort((a, b) => rank(b) - rank(a) || b.nodes - a.nodes).map(({ schema }) => schema);
}

/**
 * Makes the input of a request by the first schema that takes it: while two releases run, what one of them takes is not
 * refused, and goes to a node of that release (bus/fitting-node.ts).
 * @throws what the first schema refuses it with, when all do
 */
export async function makeByFirstFitting<Made>(
  schemas: Schemas,
  make: (schema: ParamsSchema, isLast: boolean) => Made | Promise<Made>,
): Promise<{ schema: ParamsSchema; made: Made }> {
  let refusal: unknown;
  for (const [i, schema] of schemas.entries()) {
    try {
      return { schema, made: await make(schema, i === schemas.length - 1) };
    } catch (error) {
      if (!isApiError(error) || error.type !== "UNPROCESSABLE_ENTITY") throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
