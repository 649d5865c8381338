import { isExactNumber } from "../../../base/values/exact-number.ts";

/** The call in a message of an assistant. */
export interface SentCall {
  /** Undefined when no tool is named. */
  name: string | undefined;
  /** The arguments, whatever they are. */
  sent: unknown;
  asTask: boolean;
}

interface Sent {
  method?: unknown;
  params?: { name?: unknown; arguments?: unknown; task?: unknown } | null;
}

/** The call in a message; undefined when the message calls no tool. */
export function callIn(message: unknown): SentCall | undefined {
  const { method, params }: Sent = Object(message);
  if (method !== "tools/call") return undefined;
  const { name, arguments: sent, task }: NonNullable<Sent["params"]> = Object(params);
  const isName = typeof name === "string" && !isExactNumber(name);
  return { name: isName ? name : undefined, sent, asTask: (task ?? undefined) !== undefined };
}

/**
 * The message as the SDK judges it. Members of `params` that are null count as not sent, and of the requests that are
 * answered here only the members are left that the SDK reads: it would tell of its own schemas where another is wrong,
 * copy the arguments of a call, and lose one named `__proto__`. docs/guides/assistants.md#arguments
 */
export function forProtocol(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { params: sent, ...rest }: { params?: unknown; id?: unknown; method?: unknown } = message;
  // The answer could not repeat a number that no double holds, so this is no id.
  const head = isExactNumber(rest.id) ? { ...rest, id: null } : rest;
  const readBySdk = Object.hasOwn(READ_BY_SDK, String(rest.method)) ? READ_BY_SDK[String(rest.method)] : undefined;
  const params = sent ?? (readBySdk && {});
  if (!isObject(params)) return params === undefined ? head : { ...head, params };
  const { _meta, ...members } = withoutNulls(params);
  return {
    ...head,
    params: {
      ...(readBySdk ? readBySdk(members) : members),
      ...(_meta !== undefined && { _meta: isObject(_meta) ? withoutNulls(_meta) : _meta }),
    },
  };
}

/**
 * Method → the members of its params that the SDK reads. It makes nothing of the names and the abilities of clients.
 */
const READ_BY_SDK: Record<string, (params: Record<string, unknown>) => object> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: typeof protocolVersion === "string" ? protocolVersion : "",
    capabilities: {},
    clientInfo: { name: "", version: "" },
  }),
  "tools/list": () => ({}),
  "tools/call": ({ name }) => ({ name: typeof name === "string" && !isExactNumber(name) ? name : "" }),
};

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutNulls(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null));
}
