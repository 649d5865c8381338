import type { LookupAddress } from "node:dns";
import { lookup as lookupByHost, Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import type { AddressRules } from "../subscriptions/addresses.ts";

/** Time that a DNS server has for an answer, and number of tries. */
const ANSWER = { timeout: 2000, tries: 2 };
/**
 * Number of lookups at once by `getaddrinfo`. Each holds one of the four threads that this process also uses for files
 * and cryptography, for half a minute if no DNS server answers, and it cannot be stopped. Two threads stay free for
 * other work.
 */
const BY_HOST_AT_ONCE = 2;
/** Maximum number of names that wait for a lookup. A further attempt fails, and is retried later. */
const BY_HOST_WAITING_MAX = 50;
/** Error codes for a name that does not exist, and for a machine without a DNS server. */
const UNKNOWN = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/**
 * An address, a port or a scheme that is refused as a target. The message reveals nothing that the target does not say
 * itself.
 */
export class RefusedTarget extends Error {}

/**
 * The name leads to an address that webhooks must not reach. Users get the same message as for a name that is not
 * found. Otherwise they could find out which names the server's own network has, and their addresses. The message of
 * this error is for the log only.
 */
export class RefusedName extends Error {}

/** These names belong to the machine itself (RFC 6761), so no DNS server is asked for them. */
const LOCAL_NAME = /(^|\.)localhost\.?$/i;

/** Finds the addresses of a name. An aborted signal ends a search that has not begun. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/**
 * Gives the addresses of a name to the connection that is made to one of exactly these, after all of them were judged.
 * A name that also leads to an address that is refused is refused as a whole: it tries to get at it.
 * docs/guides/webhook-deliveries.md#targets
 */
export function judgedLookup(rules: AddressRules, resolve: Resolve, signal: AbortSignal): LookupFunction {
  async function judged(name: string): Promise<LookupAddress[]> {
    const addresses = await resolve(name, signal);
    for (const { address } of addresses) {
      const why = rules.refusalOf(address);
      if (why !== null) throw new RefusedName(`${name} leads to ${address}, which is not allowed: ${why}`);
    }
    return addresses;
  }

  return (name, { all }, callback) => {
    judged(name).then(
      (addresses) => {
        const [first] = addresses;
        if (all || !first) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** @throws RefusedTarget when nothing may be sent to a literal address */
export function refuse(rules: AddressRules, address: string): void {
  const why = rules.refusalOf(address);
  if (why !== null) throw new RefusedTarget(`the address ${address} is not allowed: ${why}`);
}

interface Sources {
  /** The DNS; it gives none for a name that it does not have. */
  byDns(name: string): Promise<LookupAddress[]>;
  byHost(name: string): Promise<LookupAddress[]>;
}

/**
 * Asks the DNS servers, over sockets of their own and with time-outs; and `getaddrinfo`, a few at a time, for names
 * that those do not know: the ones of /etc/hosts, and short ones that a search list completes, as in Kubernetes.
 */
export function createResolve({ byDns, byHost }: Sources = { byDns: askDns, byHost: askHost }): Resolve {
  const turn = createTurn();
  return async (name, signal) => {
    const addresses = LOCAL_NAME.test(name) ? [] : await byDns(name);
    return addresses.length > 0 ? addresses : turn(() => byHost(name), signal);
  };
}

function askHost(name: string): Promise<LookupAddress[]> {
  return lookupByHost(name, { all: true, verbatim: true });
}

/** Lets a few searches run at once and some wait. One whose signal is aborted leaves the line. */
function createTurn() {
  const waiting = new Set<() => void>();
  let running = 0;

  function next(): void {
    for (const begin of waiting) {
      if (running === BY_HOST_AT_ONCE) return;
      waiting.delete(begin);
      running += 1;
      begin();
    }
  }

  return async (search: () => Promise<LookupAddress[]>, signal: AbortSignal): Promise<LookupAddress[]> => {
    signal.throwIfAborted();
    if (waiting.size >= BY_HOST_WAITING_MAX)
      throw Object.assign(new Error("Too many names are looked up"), { code: "EBUSY" });
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        if (waiting.delete(begin)) reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.add(begin);
      next();
    });
    try {
      return await search();
    } finally {
      running -= 1;
      next();
    }
  };
}

/**
 * The addresses that the DNS has, IPv4 before IPv6, because servers without IPv6 are the more usual ones; none when it
 * does not know the name. Other failures of a DNS server are thrown: `getaddrinfo` would ask the same servers, and wait
 * for them.
 */
async function askDns(name: string): Promise<LookupAddress[]> {
  // A resolver of its own reads the configuration of this moment, in 20 us.
  const resolver = new Resolver(ANSWER);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer, i) =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
  );
  const failed = answers.find((answer) => answer.status === "rejected" && !UNKNOWN.has(answer.reason.code));
  if (found.length === 0 && failed?.status === "rejected") throw failed.reason;
  return found;
}
