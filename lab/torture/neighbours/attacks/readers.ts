import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Attack } from "../attackers/attack.ts";
import { cutOff } from "../attackers/cut-off.ts";
import { anyKey, every, flood } from "../attackers/flood.ts";
import { get, makePeople } from "../attackers/requests.ts";
import { open, read } from "../attackers/sockets.ts";
import type { World } from "../attackers/world.ts";
import { wire } from "../wire.ts";

const PAGE = "/v1/people?limit=100";

/** Records of which a page has six megabytes. */
function fill(world: World): Promise<string[]> {
  const text = "\u4e2d".repeat(4_000);
  const values = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`Text ${i}`, text]));
  const person = { groups: [{ id: world.group }], customFieldValues: { [world.group]: values } };
  return makePeople(world, 100, () => person, 50);
}

async function readSlowly(socket: Socket, world: World): Promise<void> {
  for (; world.goesOn() && !socket.destroyed; await pause(1_000)) socket.read(1_024);
}

/** Clients that do not read what they have asked for, or slowly, or not to the end. */
export const READERS: Attack[] = [
  {
    name: "lists that nobody reads",
    about: "five hundred lists of six megabytes that their clients ask for and never read",
    prepare: async (world) => {
      await fill(world);
      return () =>
        every(world, 100, (n) => {
          if (n >= 500) return;
          open(world, wire(get(anyKey(world, n), PAGE))).once("close", () => world.note("closed by the server"));
        });
    },
  },
  {
    name: "a byte at a time",
    about: "two hundred lists of six megabytes, of which their clients read a kilobyte in a second",
    prepare: async (world) => {
      await fill(world);
      return () =>
        every(world, 50, (n) => {
          if (n >= 200) return;
          const socket = open(world, wire(get(anyKey(world, n), PAGE)));
          socket.once("close", () => world.note("closed by the server"));
          socket.once("readable", () => void readSlowly(socket, world));
        });
    },
  },
  {
    name: "answers that are cut off",
    about: "lists of six megabytes whose clients reset the connection within the answer",
    prepare: async (world) => {
      await fill(world);
      return () =>
        cutOff(
          world,
          60,
          (n) => get(anyKey(world, n), PAGE),
          (n) => 20 + (n % 100),
        );
    },
  },
  {
    name: "half closed",
    about: "clients that close their half of the connection with the request, and wait",
    prepare: async (world) => {
      await makePeople(world, 100, () => ({}));
      return () =>
        every(world, 200, (n) => {
          const socket = read(open(world, wire(get(anyKey(world, n), PAGE))), world);
          socket.end();
        });
    },
  },
  {
    name: "requests in a row that nobody reads",
    about: "hundreds of requests for a list on each of fifty connections, sent at once, whose answers nobody reads",
    prepare: async (world) => {
      await fill(world);
      return () =>
        every(world, 20, (n) => {
          if (n >= 50) return;
          const bytes = wire(get(anyKey(world, n), PAGE));
          open(world, Buffer.concat(Array<Buffer>(200).fill(bytes)));
        });
    },
  },
  {
    name: "streams that nobody reads",
    about: "as many streams of events as a workspace may open, while hundreds of events happen",
    prepare: async (world) => {
      const head = ["Accept: text/event-stream"];
      const people = await makePeople(world, 100, () => ({}));
      return async () => {
        for (let n = 0; n < world.users.length * 5; n++)
          open(world, wire({ ...get(anyKey(world, n), "/v1/events"), head }));
        const description = "\u4e2d".repeat(5_000);
        await flood(world, { perSecond: 20 }, (n) => ({
          ...{ method: "POST", path: "/v1/people/batch/update", key: anyKey(world, n) },
          body: { records: people.map((id) => ({ id, description: `${n}${description.slice(10)}` })) },
        }));
      };
    },
  },
  {
    name: "streams that come and go",
    about: "streams of events from the beginning are opened and closed as fast as may be",
    prepare: async (world) => {
      await makePeople(world, 2_000, () => ({ description: "abc ".repeat(1_000) }));
      const head = ["Accept: text/event-stream", "Last-Event-ID: "];
      return () =>
        cutOff(
          world,
          150,
          (n) => ({ ...get(anyKey(world, n), "/v1/events?since=2020-01-01"), head }),
          (n) => n % 200,
        );
    },
  },
  {
    name: "the feed from its beginning",
    about: "pages of a hundred large events from the first one on, again and again, and of types that never came",
    prepare: async (world) => {
      const people = await makePeople(world, 1_000, () => ({ description: "abc ".repeat(1_000) }));
      const records = people.slice(0, 100).map((id) => ({ id, description: "xyz ".repeat(1_200) }));
      for (let n = 0; n < 10; n++)
        await world.make({
          ...{ method: "POST", path: "/v1/people/batch/update", key: anyKey(world, n) },
          body: { records: records.map((one) => ({ ...one, jobTitle: `${n}` })) },
        });
      const paths = ["/v1/events?limit=100", "/v1/events?limit=100&types=reminder.triggered"];
      return () => flood(world, { perSecond: 150 }, (n) => get(anyKey(world, n), paths[n % 2] ?? ""));
    },
  },
];
