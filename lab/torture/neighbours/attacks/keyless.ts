import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Attack } from "../attackers/attack.ts";
import { anyKey, every, flood, inTurn } from "../attackers/flood.ts";
import { get } from "../attackers/requests.ts";
import { open, read } from "../attackers/sockets.ts";
import type { World } from "../attackers/world.ts";
import { headOf, wire } from "../wire.ts";

/** Connections of one attacker; a process may have some 20,000 files. */
const CONNECTIONS = 10_000;
const OPENED_PER_SECOND = 4_000;

/** Opens a connection for each of these bytes, at a bounded rate, and reads what comes. */
function knocking(
  perSecond: number,
  bytes: (n: number, world: World) => Buffer | string,
  fromMany = false,
): Attack["prepare"] {
  return (world) => () =>
    every(world, perSecond, (n) => {
      const localAddress = fromMany ? `127.1.${(n >> 8) % 256}.${(n % 255) + 1}` : "127.0.0.1";
      read(open(world, bytes(n, world), { localAddress }), world);
    });
}

/** What somebody can do who has no key. */
export const KEYLESS: Attack[] = [
  {
    name: "ten thousand idle connections",
    about: "connections of one address are opened and held, and nothing is sent on them",
    prepare: (world) => () =>
      every(world, OPENED_PER_SECOND, (n) => {
        if (n < CONNECTIONS) open(world).once("close", () => world.note("closed"));
      }),
  },
  {
    name: "idle connections of many addresses",
    about: "a hundred connections of each of a hundred addresses are opened and held",
    prepare: (world) => () =>
      every(world, OPENED_PER_SECOND, (n) => {
        if (n < CONNECTIONS)
          open(world, "", { localAddress: `127.2.0.${(n % 100) + 1}` }).once("close", () => world.note("closed"));
      }),
  },
  {
    name: "the document",
    about: "openapi.json, which has 433 KB, 800 times a second",
    prepare: (world) => {
      const bytes = wire(get(undefined, "/v1/openapi.json"));
      return () => flood(world, { perSecond: 800 }, () => bytes);
    },
  },
  {
    name: "pages without a key",
    about: "pages of the documentation and of the console, their files, probes and paths that are not there",
    prepare: (world) => {
      const paths = ["/docs", "/console", "/docs/errors", "/docs/guides/limits", "/readyz", "/livez", "/", "/nowhere"];
      const all = paths.map((path) => wire(get(undefined, path)));
      return () => flood(world, { perSecond: 800 }, (n) => inTurn(all, n));
    },
  },
  {
    name: "the document that nobody reads",
    about: "openapi.json on a thousand connections whose clients never read",
    prepare: (world) => () =>
      every(world, 200, (n) => {
        if (n >= 1_000) return;
        const bytes = wire(get(undefined, "/v1/openapi.json"));
        open(world, Buffer.concat([bytes, bytes, bytes, bytes]));
      }),
  },
  {
    name: "keys that are wrong",
    about: "requests with another wrong key each, of one address, 800 in a second",
    prepare: (world) => () =>
      flood(world, { perSecond: 800, atOnce: 64 }, (n) => get(wrongKey(n, world), n % 2 ? "/v1/people" : "/mcp")),
  },
  {
    name: "wrong keys of many addresses",
    about: "requests with wrong keys, each of another address, 400 in a second",
    prepare: knocking(
      400,
      (n, world) => wire({ ...get(wrongKey(n, world), "/v1/people"), head: ["Connection: close"] }),
      true,
    ),
  },
  {
    name: "keys of 30 KB",
    about: "Authorization headers as long as a head may be, of letters that nobody expects",
    prepare: (world) => () =>
      flood(world, { perSecond: 400 }, (n) => get(`${n}${"\u00e9~".repeat(7_500)}`, "/v1/people")),
  },
  {
    name: "a revoked key",
    about: "a key that was revoked, and no key at all, 800 times a second",
    prepare: (world) => () =>
      flood(world, { perSecond: 800 }, (n) => get(n % 2 ? world.revoked : undefined, "/v1/users/me")),
  },
  {
    name: "large bodies without a key",
    about: "bodies of 10 MiB from somebody without a key, which are read and dropped",
    prepare: knocking(20, () =>
      Buffer.concat([
        Buffer.from(headOf({ method: "POST", path: "/v1/people" }, 10_485_760)),
        Buffer.alloc(10_485_760, " "),
      ]),
    ),
  },
  {
    name: "Transfer-Encoding and Expect",
    about: "TE: gzip, chunked; Expect: 100-continue; Upgrade; two lengths; with and without a key",
    prepare: knocking(300, (n, world) => {
      const heads = [
        ["Transfer-Encoding: gzip, chunked"],
        ["Expect: 100-continue", "Content-Length: 1000"],
        ["Connection: Upgrade", "Upgrade: h2c"],
        ["Content-Length: 5", "Content-Length: 6"],
        ["Expect: 200-maybe"],
      ];
      return headOf({
        ...{ method: "POST", path: "/v1/people", head: inTurn(heads, n) },
        ...(n % 2 ? { key: anyKey(world, n) } : {}),
      });
    }),
  },
  {
    name: "slow heads",
    about: "two thousand connections that send a byte of a head in a second",
    prepare: (world) => async () => {
      const all = Array.from({ length: 2_000 }, () =>
        read(open(world, "GET /v1/people HTTP/1.1\r\nHost: a\r\nX: "), world),
      );
      await every(world, 1, () => {
        for (const socket of all) if (!socket.destroyed) socket.write("a");
      });
    },
  },
  {
    name: "large heads",
    about: "heads of 31 KB, of thousands of lines, and heads that are too large",
    prepare: knocking(300, (n) => {
      const heads = [
        [`X-Long: ${"a".repeat(31_000)}`],
        Array.from({ length: 1_900 }, (_, i) => `X-${i}: ${i}`),
        [`X-Long: ${"a".repeat(64_000)}`],
        [`Cookie: ${"a=b; ".repeat(6_000)}`],
      ];
      return headOf({ method: "GET", path: "/v1/users/me", head: inTurn(heads, n) });
    }),
  },
  {
    name: "requests in a row",
    about: "five hundred requests on each connection at once, with and without a key, whose answers are read",
    prepare: knocking(6, (n, world) => {
      const bytes = wire(get(n % 2 ? anyKey(world, n) : undefined, "/v1/users/me"));
      return Buffer.concat(Array<Buffer>(500).fill(bytes));
    }),
  },
  {
    name: "methods that nobody knows",
    about: "HEAD, OPTIONS, TRACE, CONNECT, PUT, PROPFIND and others, with and without a key",
    prepare: knocking(400, (n, world) => {
      const methods = ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PUT", "PROPFIND", "M-SEARCH", "NONSENSE", "get"];
      const paths = ["/v1/people", "*", "http://elsewhere.test/v1/people", "/../../etc/passwd", "/%00", "//"];
      const key = n % 2 ? { key: anyKey(world, n) } : {};
      return headOf({ method: inTurn(methods, n), path: inTurn(paths, n), ...key });
    }),
  },
  {
    name: "what is no HTTP",
    about: "random bytes, a greeting of TLS, lines without end, and connections that close at once",
    prepare: knocking(400, (n) => {
      const tls = Buffer.from("16030100a5010000a10303", "hex");
      return inTurn(
        [randomBytes(2_000), tls, "GET ".repeat(5_000), "\r\n".repeat(10_000), "PRI * HTTP/2.0\r\n\r\n"],
        n,
      );
    }),
  },
  {
    name: "connections that are reset",
    about: "connections that are opened and reset, with and without a request, 800 a second",
    prepare: (world) => () =>
      every(world, 800, (n) => {
        const socket = open(world, n % 2 ? wire(get(anyKey(world, n), "/v1/people?limit=100")) : "");
        void pause(n % 10).then(() => socket.resetAndDestroy());
      }),
  },
  {
    name: "429 again and again",
    about: "one user sends 800 requests a second, most of which are over the limit",
    prepare: (world) => () => flood(world, { perSecond: 800 }, () => get(world.reader, "/v1/people?limit=100")),
  },
];

/** Each another one, as long and of the letters of a right one. */
function wrongKey(n: number, { admin }: World): string {
  return `${admin.key.slice(0, -8)}${String(n).padStart(8, "0")}`;
}
