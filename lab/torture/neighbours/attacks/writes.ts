import pg from "pg";
import type { Attack } from "../attackers/attack.ts";
import { cutOff } from "../attackers/cut-off.ts";
import { anyKey, flood, inTurn } from "../attackers/flood.ts";
import { touch } from "../attackers/large-records.ts";
import { makePeople, post, search } from "../attackers/requests.ts";

const UPDATE = "/v1/people/batch/update";

/** Writes that wait for each other, and as many as may be. */
export const WRITES: Attack[] = [
  {
    name: "a row that is locked",
    about: "a transaction holds the row of a person, and twelve PATCHes of it wait at a time",
    prepare: async (world) => {
      const [id = ""] = await makePeople(world, 1, () => ({}));
      return async () => {
        const holder = new pg.Client(world.databaseUrl);
        // The process is killed at the end, and the connection with it.
        holder.on("error", ({ message }) => world.note(message));
        await holder.connect();
        await holder.query("begin");
        await holder.query("select from people where id = $1 for update", [id.slice("per_".length)]);
        await flood(world, { perSecond: 50, atOnce: 12 }, (n) => touch(anyKey(world, n), id, n));
        await holder.end();
      };
    },
  },
  {
    name: "batches of the same records",
    about: "twenty users change the same hundred people in batches, and each of them alone",
    prepare: async (world) => {
      const people = await makePeople(world, 100, () => ({}));
      const records = people.map((id) => ({ id, jobTitle: "Engineer" }));
      return () =>
        flood(world, { perSecond: 100, atOnce: 64 }, (n) =>
          n % 4 === 0
            ? post(anyKey(world, n), UPDATE, { records: records.map((one) => ({ ...one, description: `${n}` })) })
            : touch(anyKey(world, n), people[n % 100] ?? "", n),
        );
    },
  },
  {
    name: "one record for all users",
    about: "twenty users change one person at the same time",
    prepare: async (world) => {
      const [id = ""] = await makePeople(world, 1, () => ({}));
      return () => flood(world, { perSecond: 300, atOnce: 100 }, (n) => touch(anyKey(world, n), id, n));
    },
  },
  {
    name: "batches of a hundred",
    about: "twenty users make a hundred people with each request",
    prepare: (world) => {
      const person = (n: number) => ({ firstName: `F ${n}`, emails: [`p${n}@a.test`], groups: [{ id: world.group }] });
      const records = Array.from({ length: 100 }, (_, i) => person(i));
      return () =>
        flood(world, { perSecond: 200, atOnce: 64 }, (n) =>
          post(anyKey(world, n), "/v1/people/batch/create", { records }),
        );
    },
  },
  {
    name: "companies by name",
    about: "batches of a hundred companies of the same names, which update each other",
    prepare: (world) => {
      const records = (n: number) =>
        Array.from({ length: 100 }, (_, i) => ({ name: `C ${(i + n) % 130}`, description: `${n}` }));
      return () =>
        flood(world, { perSecond: 60, atOnce: 64 }, (n) =>
          post(anyKey(world, n), "/v1/companies/batch/create", { records: records(n) }),
        );
    },
  },
  {
    name: "people of new companies",
    about: "batches of a hundred people who name twenty new companies each",
    prepare: (world) => {
      const companies = (n: number) => Array.from({ length: 20 }, (_, i) => ({ name: `New ${n} ${i}` }));
      return () =>
        flood(world, { perSecond: 20, atOnce: 32 }, (n) =>
          post(anyKey(world, n), "/v1/people/batch/create", {
            records: Array.from({ length: 100 }, (_, i) => ({ companies: companies(n * 100 + i) })),
          }),
        );
    },
  },
  {
    name: "merges of twenty",
    about: "twenty people with many notes are merged into one, again and again",
    prepare: async (world) => {
      const people = await makePeople(world, 2_000, (n) => ({ firstName: `P ${n}`, groups: [{ id: world.group }] }));
      return () =>
        flood(world, { perSecond: 30 }, (n) => {
          const [survivor, ...others] = people.slice((n * 21) % 1_900, ((n * 21) % 1_900) + 21);
          return post(anyKey(world, n), `/v1/people/${survivor}/merge`, { records: others.map((id) => ({ id })) });
        });
    },
  },
  {
    name: "one idempotency key",
    about: "the same key from many connections at the same time, with bodies that differ and are large",
    prepare: (world) => () =>
      flood(world, { perSecond: 200, atOnce: 64 }, (n) => ({
        ...post(anyKey(world, n), "/v1/people", { firstName: `${n % 3}`, description: "d".repeat(4_000) }),
        head: [`Idempotency-Key: ${Math.floor(n / 40)}`],
      })),
  },
  {
    name: "a person with thousands of notes",
    about: "people about whom there are hundreds of notes and tasks are deleted",
    prepare: async (world) => {
      const people = await makePeople(world, 40, () => ({}));
      await Promise.all(
        people.map(async (id, i) => {
          for (let n = 0; n < 12; n++) {
            const key = anyKey(world, i + n);
            await world.make(
              post(key, "/v1/notes", { entity: { id }, content: "n".repeat(50_000), visibility: "public" }),
            );
            await world.make(post(key, "/v1/tasks", { entity: { id }, title: "Call", dueAt: "2031-01-31" }));
          }
        }),
      );
      return () =>
        flood(world, { perSecond: 10 }, (n) => ({
          method: "DELETE",
          path: `/v1/people/${inTurn(people, n)}`,
          key: anyKey(world, n),
        }));
    },
  },
  {
    name: "requests that are cut off",
    about: "writes, batches and searches whose clients go away while they run",
    prepare: async (world) => {
      const people = await makePeople(world, 100, () => ({ description: "abc ".repeat(1_000) }));
      const records = people.map((id) => ({ id, jobTitle: "Engineer" }));
      const filter = { description: { like: "bca" } };
      const wanted = (n: number) =>
        inTurn(
          [
            post(anyKey(world, n), UPDATE, { records }),
            touch(anyKey(world, n), people[n % 100] ?? "", n),
            search(anyKey(world, n), filter, "?limit=100"),
          ],
          n,
        );
      return () => cutOff(world, 200, wanted, (n) => n % 30);
    },
  },
];
