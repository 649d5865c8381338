import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import type { Attack } from "../attackers/attack.ts";
import { anyKey, flood, inTurn } from "../attackers/flood.ts";
import { get, makePeople, patch, post } from "../attackers/requests.ts";
import type { World } from "../attackers/world.ts";

/** Requests that receivers got, each of which is answered in another way than the one before. */
let count = 0;

/** Starts a receiver of webhooks, and gives its address. It ends with the process. */
async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Makes webhooks for everything that happens to people. Gives their ids. */
async function subscribe(world: World, count: number, targetUrl: string, filter: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const subscribedEvents = ["person.created", "person.updated"].map((eventType) => ({
      ...{ eventType, filter: eventType === "person.updated" ? filter : {} },
    }));
    const webhook = { name: `Webhook ${n}`, targetUrl, subscribedEvents };
    ids.push((await world.make(post(anyKey(world, n), "/v1/webhooks", webhook))).id);
  }
  return ids;
}

/** Webhooks to receivers that answer in a way of their own, and twenty users who change a hundred people at once. */
function delivering(webhooks: number, listener: RequestListener, filter: object = {}): Attack["prepare"] {
  return async (world) => {
    const people = await makePeople(world, 100, () => ({ description: "abc ".repeat(1_000) }));
    await subscribe(world, webhooks, await receiver(listener), filter);
    return () =>
      flood(world, { perSecond: 20 }, (n) =>
        post(anyKey(world, n), "/v1/people/batch/update", {
          records: people.map((id) => ({ id, jobTitle: `Engineer ${n}` })),
        }),
      );
  };
}

/** Work in the background that somebody makes more of than can be done. */
export const BACKGROUND: Attack[] = [
  {
    name: "webhooks that hang",
    about: "forty webhooks to a receiver that never answers, and thousands of events",
    prepare: delivering(40, () => undefined),
  },
  {
    name: "webhooks that answer without end",
    about: "forty webhooks to a receiver whose answer is sent as fast as it is read",
    prepare: delivering(40, (_, response) => {
      const block = Buffer.alloc(65_536, "a");
      const more = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on("drain", more);
      more();
    }),
  },
  {
    name: "webhooks that are sent elsewhere",
    about: "forty webhooks to a receiver that redirects, fails, closes, and asks to wait",
    prepare: delivering(40, ({ socket }, response) => {
      const answer = inTurn([301, 500, 410, 429, 0], count++);
      if (answer === 0) socket.destroy();
      else response.writeHead(answer, { Location: "http://127.0.0.1:1/", "Retry-After": "0" }).end();
    }),
  },
  {
    name: "webhooks that are quick",
    about: "a hundred webhooks to a receiver that answers at once",
    prepare: delivering(100, (_, response) => void response.end("ok")),
  },
  {
    name: "webhooks with many filters",
    about: "a hundred webhooks of one path and value each, for events of a hundred people at once",
    prepare: delivering(100, (_, response) => void response.end(), { path: ["jobTitle"], value: "Engineer 7" }),
  },
  {
    name: "events that are sent again",
    about: "thousands of events are sent to twenty webhooks again, and again, and tests of them",
    prepare: async (world) => {
      await makePeople(world, 2_000, (n) => ({ firstName: `P ${n}` }));
      const ids = await subscribe(world, 20, await receiver((_, response) => void response.end()));
      return () =>
        flood(world, { perSecond: 40 }, (n) =>
          n % 2
            ? post(anyKey(world, n), `/v1/webhooks/${inTurn(ids, n)}/test`, {})
            : post(anyKey(world, n), `/v1/webhooks/${inTurn(ids, n)}/replay`, { since: "2020-01-01" }),
        );
    },
  },
  {
    name: "reminders that are all due",
    about: "two thousand reminders are due at the same moment, and repeat",
    prepare: async (world) => {
      const [id] = await makePeople(world, 1, () => ({}));
      const assignedUsers = world.users.map((user) => ({ id: user.id }));
      const rule = "DTSTART;TZID=Europe/Paris:20310701T090000\nRRULE:FREQ=WEEKLY;INTERVAL=1";
      const reminder = {
        entity: { id },
        visibility: "public",
        recurrenceRule: rule,
        assignedUsers,
        name: "n".repeat(255),
      };
      const tools = (n: number) => world.make(post(anyKey(world, n), "/v1/reminders", reminder));
      for (let n = 0; n < 200; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => tools(n + i)));
      const database = new pg.Client(world.databaseUrl);
      await database.connect();
      await copyReminders(database, world.uuid);
      return async () => {
        await database.query("update tasks set next_trigger_at = now() where workspace_id = $1", [world.uuid]);
        await flood(world, { perSecond: 40 }, (n) => get(anyKey(world, n), "/v1/reminders?limit=100"));
      };
    },
  },
  {
    name: "rules that reach far",
    about: "reminders whose rules begin in the year 1 or 9999, in every zone, and tasks that repeat since then",
    prepare: async (world) => {
      const [id] = await makePeople(world, 1, () => ({}));
      const dates = ["00010101", "19000229", "99991231", "20240229"];
      const zones = ["Europe/Paris", "America/Sao_Paulo", "Pacific/Apia", "UTC", "Africa/Casablanca"];
      const rules = ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1", "FREQ=YEARLY;INTERVAL=1", "COUNT=999999999"];
      const reminder = (n: number) => ({
        ...{ entity: { id }, visibility: "public", name: "Call", assignedUsers: [{ id: world.admin.id }] },
        recurrenceRule: `DTSTART;TZID=${inTurn(zones, n)}:${inTurn(dates, n)}T023000\nRRULE:${inTurn(rules, n)}`,
      });
      const task = { entity: { id }, title: "Call", dueAt: "0001-01-01", recurrenceFrequency: "weekday" };
      return () =>
        flood(world, { perSecond: 150 }, (n) =>
          n % 4 === 0
            ? post(anyKey(world, n), "/v1/tasks", task)
            : post(anyKey(world, n), "/v1/reminders", reminder(n)),
        );
    },
  },
  {
    name: "enrichments",
    about: "as many enrichments as there are credits, from a provider that hangs, and more",
    prepare: async (world) => {
      const people = await makePeople(world, 300, () => ({ firstName: "Grace" }));
      const database = new pg.Client(world.databaseUrl);
      await database.connect();
      await database
        .query("update workspaces set credits = 1000000 where id = $1", [world.uuid])
        .catch(() => undefined);
      await database.end();
      await new Promise<void>((resolve) =>
        createServer(() => undefined).listen(world.providerPort, "127.0.0.1", resolve),
      );
      return () =>
        flood(world, { perSecond: 150 }, (n) => post(anyKey(world, n), `/v1/people/${inTurn(people, n)}/enrich`, {}));
    },
  },
  {
    name: "the log of requests",
    about: "the log of requests of the workspace is read, of requests with long paths",
    prepare: (world) => () =>
      flood(world, { perSecond: 200 }, (n) =>
        n % 2
          ? get(anyKey(world, n), "/v1/request-logs?limit=100")
          : get(anyKey(world, n), `/v1/people/${"a".repeat(20_000)}?${"b".repeat(10_000)}`),
      ),
  },
  {
    name: "webhooks that are changed",
    about: "webhooks with twenty subscriptions are made and changed, and their secrets are replaced",
    prepare: async (world) => {
      const ids = await subscribe(world, 20, await receiver((_, response) => void response.end()));
      const subscribedEvents = Array.from({ length: 20 }, (_, i) => ({
        ...{ eventType: "person.updated", filter: { path: ["jobTitle"], value: `${i}`.repeat(100) } },
      }));
      return () =>
        flood(world, { perSecond: 150 }, (n) =>
          n % 3 === 0
            ? post(anyKey(world, n), `/v1/webhooks/${inTurn(ids, n)}/rotate-secret`, {})
            : patch(anyKey(world, n), `/v1/webhooks/${inTurn(ids, n)}`, { subscribedEvents }),
        );
    },
  },
];

/** Ten of each, by a statement: to make thousands by requests would take minutes. */
async function copyReminders(database: pg.Client, workspaceId: string): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_name = 'tasks' and is_generated = 'NEVER'",
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => (name === "id" ? "gen_random_uuid()" : name));
  await database.query(
    `insert into tasks (${names.join(", ")}) select ${values.join(", ")} from tasks, generate_series(2, 10) where workspace_id = $1`,
    [workspaceId],
  );
}
