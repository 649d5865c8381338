import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Attack } from "../attackers/attack.ts";
import { anyKey, every, flood, inTurn } from "../attackers/flood.ts";
import { post } from "../attackers/requests.ts";
import { open, read } from "../attackers/sockets.ts";
import type { World } from "../attackers/world.ts";
import { headOf, wire } from "../wire.ts";

const MIB = 1024 * 1024;
/** The largest body. docs/guides/limits.md#sizes */
const BODY_BYTES = 10 * MIB;
const BATCH_PATH = "/v1/people/batch/create";

/** Sends bodies in turn, each of its path. */
function sending(perSecond: number, atOnce: number, bodies: (world: World) => [path: string, text: string][]) {
  return (world: World) => {
    const all = bodies(world).flatMap(([path, text]) =>
      [0, 1].map((user) => wire(post(anyKey(world, user), path, text))),
    );
    return () => flood(world, { perSecond, atOnce }, (n) => inTurn(all, n));
  };
}

/** A list of as many of these elements as a body holds. */
function listOf(element: string, first = element, bytes = BODY_BYTES - 100): string {
  return `[${first}${`,${element}`.repeat(Math.floor((bytes - first.length) / (element.length + 1)))}]`;
}

/** An upload that sends all but the last of its bytes, and then nothing. */
function stall(world: World, key: string): Socket {
  const socket = read(open(world, headOf({ method: "POST", path: BATCH_PATH, key }, BODY_BYTES)), world);
  socket.write(Buffer.alloc(BODY_BYTES - MIB, " "));
  return socket;
}

/** Bodies that are large, slow, or made of very many parts. */
export const BODIES: Attack[] = [
  {
    name: "stalled uploads",
    about:
      "uploads fill the memory for bodies and stall, more come and are refused, the first go away, the refused go on",
    prepare: (world) => async () => {
      while (world.goesOn()) {
        const first = Array.from({ length: 13 }, (_, n) => stall(world, anyKey(world, n)));
        await pause(700);
        const refused = Array.from({ length: 20 }, (_, n) => stall(world, anyKey(world, n)));
        await pause(700);
        for (const socket of first) socket.destroy();
        for (const socket of refused) socket.write(Buffer.alloc(MIB / 2, " "));
        await pause(700);
        for (const socket of refused) socket.destroy();
      }
    },
  },
  {
    name: "a thousand unknown members",
    about: "1,001 companies of 1,000 members that companies do not have, again and again",
    prepare: sending(2, 4, () => {
      const company = `{${Array.from({ length: 1000 }, (_, i) => `"k${i}":0`).join(",")}}`;
      return [["/v1/people", `{"companies":${listOf(company, company, 9.9 * MIB)}}`]];
    }),
  },
  {
    name: "millions of elements",
    about: "lists of [1e99,{},{},…] in the place of a body, of records and of the values of a filter",
    prepare: sending(3, 4, () => [
      [BATCH_PATH, listOf("{}", "1e99")],
      [BATCH_PATH, `{"records":${listOf("{}", "1e99")}}`],
      ["/v1/people/search", `{"filter":{"fullName":{"eq":${listOf("{}", "1e99")}}}}`],
      ["/v1/people/search", `{"filter":{"createdBy":{"in":{"id":${listOf('""')}}}}}`],
    ]),
  },
  {
    name: "200,000 custom fields",
    about: "custom values under 200,000 names that no field has, and fields in filters likewise",
    prepare: sending(3, 4, ({ group }) => {
      const members = (value: string) =>
        Array.from({ length: 200_000 }, (_, i) => `"Some field ${i}":${value}`).join(",");
      return [
        ["/v1/people", `{"groups":[{"id":"${group}"}],"customFieldValues":{"${group}":{${members('"a"')}}}}`],
        ["/v1/people/search", `{"filter":{${members('{"eq":"a"}')}}}`],
      ];
    }),
  },
  {
    name: "eleven large bodies at once",
    about: "legal bodies of 10 MiB, eleven at a time",
    prepare: sending(11, 11, ({ group }) => {
      const text = "a".repeat(5_000);
      const values = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`Text ${i}`, text]));
      const record = { groups: [{ id: group }], customFieldValues: { [group]: values }, description: text };
      return [[BATCH_PATH, JSON.stringify({ records: Array(100).fill(record) })]];
    }),
  },
  {
    name: "a byte in each chunk",
    about: "bodies of 10 MiB in chunks of one byte, on sixteen connections",
    prepare: (world) => () => {
      const chunks = Buffer.from("1\r\n \r\n".repeat(10_000));
      const one = async (n: number) => {
        const head = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
        const socket = read(
          open(world, headOf({ method: "POST", path: BATCH_PATH, key: anyKey(world, n), head })),
          world,
        );
        for (let sent = 0; sent < BODY_BYTES && world.goesOn() && !socket.destroyed; sent += 10_000)
          if (!socket.write(chunks)) await Promise.race([drained(socket), pause(1_000)]);
        socket.destroy();
      };
      return flooding(world, 16, one);
    },
  },
  {
    name: "a byte in each segment",
    about: "bodies of 64 KB sent byte by byte without delay, on a hundred connections",
    prepare: (world) => () => {
      const one = async (n: number) => {
        const socket = read(
          open(world, headOf({ method: "POST", path: BATCH_PATH, key: anyKey(world, n) }, 65_536)),
          world,
        );
        for (let i = 0; i < 1_000 && world.goesOn() && !socket.destroyed; i++) {
          socket.write(" ");
          if (i % 4 === 0) await pause(1);
        }
        socket.destroy();
      };
      return flooding(world, 100, one);
    },
  },
  {
    name: "slow bodies",
    about: "a thousand uploads of one byte a second",
    prepare: (world) => async () => {
      const uploads = Array.from({ length: 1_000 }, (_, n) =>
        read(open(world, headOf({ method: "POST", path: "/v1/people", key: anyKey(world, n) }, 1_000)), world),
      );
      await every(world, 1, () => {
        for (const socket of uploads) if (!socket.destroyed) socket.write(" ");
      });
    },
  },
  {
    name: "escapes and names given twice",
    about: "10 MiB of \\u0061, of one name again and again, of blanks, and of brackets within brackets",
    prepare: sending(3, 4, () => [
      ["/v1/people", `{"firstName":"${"\\u0061".repeat(1_700_000)}"}`],
      ["/v1/people", `{${Array(1_000_000).fill('"a":1').join(",")}}`],
      ["/v1/people", `{${" ".repeat(10_000_000)}}`],
      ["/v1/people", `${"[".repeat(5_000_000)}${"]".repeat(5_000_000)}`],
      ["/v1/people", `{"records":${`${'{"a":'.repeat(60)}`}${listOf("0")}${"}".repeat(60)}}`],
    ]),
  },
  {
    name: "bodies that are packed",
    about: "bodies with Content-Encoding: gzip, of which 10 KB are 10 MiB",
    prepare: (world) => {
      const packed = gzipSync(Buffer.alloc(BODY_BYTES, " "));
      const requests = world.users.map(({ key }) =>
        Buffer.concat([
          Buffer.from(
            headOf({ method: "POST", path: "/v1/people", key, head: ["Content-Encoding: gzip"] }, packed.length),
          ),
          packed,
        ]),
      );
      return () => flood(world, { perSecond: 100 }, (n) => inTurn(requests, n));
    },
  },
];

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once("drain", resolve).once("close", resolve));
}

/** Keeps so many connections busy, each with one thing after the other. */
async function flooding(world: World, atOnce: number, one: (n: number) => Promise<void>): Promise<void> {
  const lane = async (first: number) => {
    for (let n = first; world.goesOn(); n += atOnce) {
      await one(n);
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => lane(first)));
}
