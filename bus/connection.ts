import type { ConnectionOptions } from "nats";

/**
 * Settings of a connection to NATS. A connection that is lost is tried again for as long as the process lives, and is there
 * within half a second after NATS is back. By default the NATS client waits 2 s between its tries, in which all requests
 * would still be 503.
 * @param urls of one or several servers; user and password, or a token in the place of the user, are those of the first
 */
export function natsOptions(urls: string[], name: string): ConnectionOptions {
  const [first, ...others] = urls.map((url) => new URL(url));
  if (!first) throw new Error("NATS_URL names no server.");
  return {
    servers: [first, ...others].map(({ host }) => host),
    name,
    ...credentials(first),
    ...(first.protocol === "tls:" && { tls: {} }),
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    reconnectJitterTLS: 100,
    maxReconnectAttempts: -1,
    // By default the client gives up when its password is refused twice in a row, as it may be while the accounts of the
    // server are being changed.
    ignoreAuthErrorAbort: true,
    // A connection that breaks without a word is noticed after 6 to 9 s. Until then calls end by their own time-out.
    pingInterval: 3_000,
    maxPingOut: 2,
    // A server that lets a connection in and says nothing is tried again after this time. The client's own 20 s would be added
    // to those until the silence was noticed.
    timeout: 3_000,
    noEcho: false,
  };
}

function credentials({ username, password }: URL): Partial<ConnectionOptions> {
  if (username === "") return {};
  const user = decodeURIComponent(username);
  return password === "" ? { token: user } : { user, pass: decodeURIComponent(password) };
}
