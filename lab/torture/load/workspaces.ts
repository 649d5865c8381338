import type { Access } from "../../harness/api.ts";
import { makeUsers } from "../../harness/users.ts";
import { type Receiver, startReceiver } from "../../harness/webhook-receiver.ts";
import type { Cluster } from "../cluster.ts";
import { insist } from "../insist.ts";
import { now } from "../promise.ts";
import { toldIn } from "../webhooks/event.ts";
import type { LoadHistory, Titled } from "./history.ts";

/** A workspace that clients send to. Its people and their changes are in the history of its load. */
export interface Workspace {
  /** Port and key of its first user. */
  at: Access;
  /** Keys of its users. */
  apiKeys: string[];
  /** The user that reminders are for. */
  userId: string;
  /** People who are there from the beginning. */
  titles: Titled[];
  /** Begin of all names. */
  prefix: string;
  /** Receiver of its webhook. */
  receiver: Receiver;
}

interface Options {
  users: number;
  random: () => number;
  history: LoadHistory;
}

type Server = Pick<Cluster, "ports"> & { postgres: { url: string } };

const PEOPLE = 150;
const BATCH = 50;
const SUBSCRIBED = [
  { eventType: "person.created" },
  { eventType: "person.updated", filter: { path: ["jobTitle"] } },
  { eventType: "reminder.triggered" },
];

/** Makes `count` workspaces, one after the other. */
export async function makeWorkspaces(count: number, server: Server, options: Options): Promise<Workspace[]> {
  const all: Workspace[] = [];
  try {
    while (all.length < count) all.push(await makeWorkspace(server, options));
  } catch (error) {
    for (const { receiver } of all) await receiver.close();
    throw error;
  }
  return all;
}

async function makeWorkspace(server: Server, options: Options): Promise<Workspace> {
  const receiver = await startReceiver(({ text, isGenuine }) => {
    for (const told of toldIn(text, now())) options.history.received.push({ ...told, isGenuine });
  });
  try {
    return { receiver, ...(await prepare(server, receiver, options)) };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

/** Makes users, the webhook, and people that are read and changed. */
async function prepare({ ports, postgres }: Server, receiver: Receiver, { users, random, history }: Options) {
  const apiKeys = (await makeUsers(postgres.url, Array<number>(users).fill(1))).flat();
  const at = { port: ports[0] ?? 0, key: apiKeys[0] ?? "" };
  const prefix = `load-${Math.floor(random() * 1e9)}`;
  const webhook = { name: "Load", targetUrl: receiver.url, subscribedEvents: SUBSCRIBED };
  const { signingSecret } = await insist<{ signingSecret: string }>(at, "POST", "/v1/webhooks", webhook);
  receiver.expect(signingSecret);
  const titles: Titled[] = [];
  while (titles.length < PEOPLE) titles.push(...(await makePeople(at, `${prefix}-${titles.length}`, history)));
  history.titles.push(...titles);
  const { id: userId } = await insist<{ id: string }>(at, "GET", "/v1/users/me");
  return { at, apiKeys, prefix, userId, titles };
}

async function makePeople(at: Access, name: string, history: LoadHistory): Promise<Titled[]> {
  const records = Array.from({ length: BATCH }, () => ({ firstName: name }));
  const { results } = await insist<{ results: { data: { id: string } }[] }>(at, "POST", "/v1/people/batch/create", {
    records,
  });
  const ids = results.map(({ data }) => data.id);
  history.people.push({ name, count: BATCH, ids });
  history.written.push(...ids.map((recordId) => ({ recordId, number: 0 })));
  return ids.map((recordId) => ({ recordId, acknowledged: 0, perhaps: 0 }));
}
