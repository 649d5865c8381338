import type { LookupAddress } from "node:dns";
import { lookup as lookupByHost, Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import pLimit from "p-limit";
import type { AddressRules } from "../../../lib/webhooks/addresses.ts";

/** How long a DNS server may take for an answer, and how often it is asked. */
const ANSWER = { timeout: 2000, tries: 2 };
/**
 * `getaddrinfo` holds one of the four threads that this process has for files and cryptography too, for half a minute when no DNS
 * server answers, and it cannot be told to end. Two of them stay free for others.
 */
const BY_HOST_AT_ONCE = 2;

/** What a name leads to; an address that may not be connected to. */
export class RefusedAddress extends Error {}

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

/**
 * Gives the addresses of a name to the connection that is made to one of exactly these, after all of them were judged. A name that
 * also leads to an address that is refused is refused as a whole: it tries to get at it. docs/guides/webhook-deliveries.md#targets
 */
export function judgedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  async function judged(name: string): Promise<LookupAddress[]> {
    const addresses = await resolve(name);
    for (const { address } of addresses) refuse(rules, address);
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

/** @throws RefusedAddress when nothing may be sent to it */
export function refuse(rules: AddressRules, address: string): void {
  const why = rules.refusalOf(address);
  if (why !== null) throw new RefusedAddress(`the address ${address} is not allowed: ${why}`);
}

/**
 * Asks the DNS servers, over sockets of their own and with time-outs; and `getaddrinfo`, a few at a time, for names that those do
 * not know: the ones of /etc/hosts, and short ones that a search list completes, as in Kubernetes.
 */
export function createResolve(): Resolve {
  const byHost = pLimit(BY_HOST_AT_ONCE);
  return async (name) => {
    const addresses = await byDns(name);
    return addresses.length > 0 ? addresses : byHost(() => lookupByHost(name, { all: true, verbatim: true }));
  };
}

/**
 * The addresses that the DNS has, IPv4 before IPv6, because servers without IPv6 are the more usual ones; none when it does not know
 * the name.
 */
async function byDns(name: string): Promise<LookupAddress[]> {
  // A resolver of its own reads the configuration of this moment, in 20 us.
  const resolver = new Resolver(ANSWER);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer, i) =>
    answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
  );
  const late = answers.find((answer) => answer.status === "rejected" && answer.reason.code === "ETIMEOUT");
  // `getaddrinfo` would wait for the same servers.
  if (found.length === 0 && late?.status === "rejected") throw late.reason;
  return found;
}
