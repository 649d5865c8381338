import { type createAddressRules, literalAddressOf } from "./addresses.ts";

/**
 * The port of a URL if it is refused as a target; null if it is allowed. Ports below 1024 belong to the services of a
 * machine: a POST is not a mail or a command for them, but can look like one. docs/guides/webhook-deliveries.md#targets
 */
export function refusedPort({ protocol, port: named }: URL): number | null {
  const port = Number(named || (protocol === "https:" ? 443 : 80));
  return port < 1024 && port !== 80 && port !== 443 ? port : null;
}

/**
 * Why the server does not send to a well-formed URL: its host is an address that the rules refuse, or its port is not
 * allowed. Null if it may send. The addresses that a host name resolves to are checked at each delivery.
 * docs/guides/webhooks.md#targets
 */
export function refuseTarget(text: string, rules: ReturnType<typeof createAddressRules>): string | null {
  const url = new URL(text);
  const port = refusedPort(url);
  if (port !== null) return `The port ${port} is not allowed. Take 80, 443 or one from 1024 on`;
  const address = literalAddressOf(url);
  const words = address === null ? null : rules.refusalOf(address);
  if (words === null) return null;
  return `The address ${address} is not allowed: ${words}. The person who runs the server can open it with WEBHOOK_ALLOW`;
}
