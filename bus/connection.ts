import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { type Authenticator, type ConnectionOptions, credsAuthenticator } from "nats";
import type { Env } from "../config/env.ts";

/** Settings of NATS in the environment. */
export type NatsSettings = Pick<Env, "natsUrls" | "natsCreds" | "natsCa" | "natsCert" | "natsKey">;

/**
 * Settings of a connection to NATS. A connection that is lost is tried again for as long as the process lives, and is
 * there within half a second after NATS is back. By default the NATS client waits 2 s between its tries, in which all
 * requests would still be 503. User and password, or a token in the place of the user, are those of the first address,
 * as is whether there is TLS. All files are read anew for each connection, so that renewed ones need no restart.
 * docs/guides/growing.md#the-bus
 */
export function natsOptions(settings: NatsSettings, name: string): ConnectionOptions {
  const [first, ...others] = (settings.natsUrls ?? []).map((url) => new URL(url));
  if (!first) throw new Error("NATS_URL names no server.");
  return {
    servers: [first, ...others].map(({ host }) => host),
    name,
    ...credentials(first),
    ...(settings.natsCreds && { authenticator: credentialsOf(settings.natsCreds) }),
    ...(first.protocol === "tls:" && { tls: tlsOf(settings, [first, ...others]) }),
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    reconnectJitterTLS: 100,
    maxReconnectAttempts: -1,
    // The client gives up by default when its password is refused twice in a row. That can happen while an operator
    // changes the accounts of the server.
    ignoreAuthErrorAbort: true,
    // A connection that breaks without a word, and a server that hangs, are noticed after 2 to 3 s. The ping and its
    // answer pass through turns of the same event loop, so one that is held up for longer breaks no connection.
    pingInterval: 1_000,
    maxPingOut: 2,
    // A server that lets a connection in and says nothing is tried again after this time. The client's own 20 s would
    // be added to those until the silence was noticed.
    timeout: 3_000,
    noEcho: false,
  };
}

function credentialsOf(file: string): Authenticator {
  return (nonce) => credsAuthenticator(readFileSync(file))(nonce);
}

function tlsOf({ natsCa, natsCert, natsKey }: NatsSettings, urls: URL[]): ConnectionOptions["tls"] {
  const addresses = urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, "")).filter((host) => isIP(host) !== 0);
  const options = {
    checkServerIdentity: (name: string, certificate: PeerCertificate) => identityFault(name, certificate, addresses),
    ...(natsCa && { caFile: natsCa }),
    ...(natsCert && { certFile: natsCert }),
    ...(natsKey && { keyFile: natsKey }),
  };
  // The client passes on options that its types do not declare.
  return options;
}

/**
 * Fault of the name in a certificate, or undefined. If a server is given by its address, the client does not name it,
 * and Node.js would compare its certificate with "localhost". The name has to be one of the given addresses.
 */
function identityFault(name: string, certificate: PeerCertificate, addresses: string[]): Error | undefined {
  const fault = checkServerIdentity(name, certificate);
  if (!fault || name !== "localhost") return fault;
  return addresses.some((address) => !checkServerIdentity(address, certificate)) ? undefined : fault;
}

function credentials({ username, password }: URL): Partial<ConnectionOptions> {
  if (username === "") return {};
  const user = decodeURIComponent(username);
  return password === "" ? { token: user } : { user, pass: decodeURIComponent(password) };
}
