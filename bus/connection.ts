import type { ConnectionOptions } from "nats";

/**
 * Settings of a connection to NATS. It comes back by itself within half a second of the server, and for as long as the
 * process lives: the client's own 2 s would be seen by clients as 2 s of 503.
 * @param urls user and password, or a token in place of the user, are those of the first
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
    // Two refused passwords in a row would end it too, while the server's accounts are being changed.
    ignoreAuthErrorAbort: true,
    // A connection that has fallen silent is noticed after 6 to 9 s; until then calls end by their own time-out.
    pingInterval: 3_000,
    maxPingOut: 2,
    noEcho: false,
  };
}

function credentials({ username, password }: URL): Partial<ConnectionOptions> {
  if (username === "") return {};
  const user = decodeURIComponent(username);
  return password === "" ? { token: user } : { user, pass: decodeURIComponent(password) };
}
