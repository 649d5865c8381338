import { setTimeout as pause } from "node:timers/promises";
import { PROXY_STATUS } from "../../harness/haproxy.ts";
import { now } from "../promise.ts";
import type { Came, Sender, Sent } from "../sender.ts";
import type { Attempt, LoadHistory, Made, Titled } from "./history.ts";

/** Requests and the shares of their kinds. */
const MIX = { read: 34, list: 10, filter: 4, create: 20, change: 12, batch: 4, note: 10, reminder: 1 };

type Kind = keyof typeof MIX;

const TOTAL = Object.values(MIX).reduce((sum, share) => sum + share, 0);
const BATCH_PEOPLE = 5;
/** A client repeats a write for this long. A server that has not answered by then never will. */
const GIVE_UP_MS = 90_000;
/** The wait before each repetition doubles, so that the writes of a fault do not all come back at its end. */
const BACK_OFF_MS = 250;
const BACK_OFF_MS_MAX = 8_000;
/** A reminder is due so long after its client first asked for it. */
const REMINDER_IN_MS = 8_000;
/** One that was acknowledged closer to its time may have been planned too late. */
const REMINDER_MARGIN_MS = 1_500;
/** A process that falls behind catches up for at most this time. A larger burst would be more load than was ordered. */
const LATE_MS_MAX = 1_000;

export interface Surroundings {
  sender: Sender;
  /** Keys of users, each of whom sends in turn. */
  apiKeys: string[];
  /** The user that reminders are for. */
  userId: string;
  /** People who are there from the beginning; none is ever without a free one. */
  titles: Titled[];
  /** Begin of all names. */
  prefix: string;
  perSecond: number;
  random: () => number;
  history: LoadHistory;
  underWay: UnderWay;
  isOver(): boolean;
}

/** First attempts, and questions to probes, without an answer so far, in the order of their sending. */
export type UnderWay = Set<{ sentAt: number }>;

/** Sends requests at even times, whatever comes of them, until it is over and all writes have their answer. */
export async function sendMixed(around: Surroundings): Promise<void> {
  const all: Promise<void>[] = [];
  const busy = new Set<string>();
  let dueAt = now();
  for (let n = 0; !around.isOver(); n += 1) {
    await pause(Math.max(0, dueAt - now()));
    dueAt = Math.max(dueAt, now() - LATE_MS_MAX) + 1000 / around.perSecond;
    all.push(KINDS[draw(around.random)](n, around, busy));
  }
  await Promise.all(all);
}

function draw(random: () => number): Kind {
  let left = random() * TOTAL;
  for (const [kind, share] of Object.entries(MIX)) {
    left -= share;
    if (left < 0) return kind as Kind;
  }
  return "read";
}

type Send = (n: number, around: Surroundings, busy: Set<string>) => Promise<void>;

const KINDS: Record<Kind, Send> = {
  read: (n, around) => once("read", n, around, `/v1/people/${someone(n, around)}`),
  list: (n, around) => once("list", n, around, "/v1/people?limit=20"),
  filter: (n, around) => once("filter", n, around, `/v1/people?limit=20&filter[firstName][like]=${around.prefix}-0`),
  create: async (n, around) => {
    const made: Made = { name: `${around.prefix}-one-${n}`, count: 1 };
    around.history.people.push(made);
    const came = await insist("create", n, around, post("/v1/people", { firstName: made.name }));
    if (came.status === 200) noteMade(made, [dataOf<{ id: string }>(came).id], around);
  },
  batch: async (n, around) => {
    const made: Made = { name: `${around.prefix}-many-${n}`, count: BATCH_PEOPLE };
    around.history.people.push(made);
    const records = Array.from({ length: BATCH_PEOPLE }, () => ({ firstName: made.name }));
    const came = await insist("batch", n, around, post("/v1/people/batch/create", { records }));
    if (came.status !== 200) return;
    const { results } = dataOf<{ results: { data: { id: string } }[] }>(came);
    noteMade(
      made,
      results.map(({ data }) => data.id),
      around,
    );
  },
  note: async (n, around) => {
    const made: Made = { name: `${around.prefix}-note-${n}`, count: 1 };
    around.history.notes.push(made);
    const body = { entity: { id: someone(n, around) }, content: made.name, visibility: "public" };
    const came = await insist("note", n, around, post("/v1/notes", body));
    if (came.status === 200) made.ids = [dataOf<{ id: string }>(came).id];
  },
  change: async (n, around, busy) => {
    // A client changes a person again only when it knows the last change to be made.
    const titled = freeOf(n, around, busy);
    if (!titled) return KINDS.read(n, around, busy);
    busy.add(titled.recordId);
    titled.perhaps += 1;
    const change = { recordId: titled.recordId, number: titled.perhaps };
    const sent = { ...post(`/v1/people/${titled.recordId}`, { jobTitle: `${titled.perhaps}` }), method: "PATCH" };
    const { status } = await insist("change", n, around, sent);
    if (status !== 200) return void around.history.perhaps.push(change);
    titled.acknowledged = titled.perhaps;
    around.history.written.push(change);
    busy.delete(titled.recordId);
  },
  reminder: async (n, around) => {
    const dueAt = new Date(Math.ceil((Date.now() + REMINDER_IN_MS) / 1000) * 1000);
    const stamp = dueAt.toISOString().replaceAll(/[-:]/g, "").slice(0, 15);
    const body = {
      entity: { id: someone(n, around) },
      name: `${around.prefix}-reminder-${n}`,
      visibility: "public",
      assignedUsers: [{ id: around.userId }],
      recurrenceRule: `DTSTART;TZID=UTC:${stamp}\nRRULE:COUNT=1`,
    };
    const came = await insist("reminder", n, around, post("/v1/reminders", body));
    if (came.status !== 200) return;
    const isSure = Date.now() < dueAt.getTime() - REMINDER_MARGIN_MS;
    around.history[isSure ? "written" : "perhaps"].push({ recordId: dataOf<{ id: string }>(came).id, number: 0 });
  },
};

function post(path: string, body: object): Omit<Sent, "headers"> {
  return { method: "POST", path, body: JSON.stringify(body) };
}

function dataOf<Data>({ text }: Came): Data {
  return (JSON.parse(text) as { data: Data }).data;
}

function noteMade(made: Made, ids: string[], { history }: Surroundings): void {
  made.ids = ids;
  history.written.push(...ids.map((recordId) => ({ recordId, number: 0 })));
}

function someone(n: number, { titles }: Surroundings): string {
  return titles[n % titles.length]?.recordId ?? "";
}

function freeOf(n: number, { titles }: Surroundings, busy: Set<string>): Titled | undefined {
  const from = n % titles.length;
  return [...titles.slice(from), ...titles.slice(0, from)].find(({ recordId }) => !busy.has(recordId));
}

async function once(kind: Kind, n: number, around: Surroundings, path: string): Promise<void> {
  await attempt(kind, 1, around, { method: "GET", path, headers: authorized(n, around) });
}

/** A write with a key, sent until its client knows what became of it. Gives the last answer. */
async function insist(kind: Kind, n: number, around: Surroundings, sent: Omit<Sent, "headers">): Promise<Came> {
  const headers = { ...authorized(n, around), "Idempotency-Key": `${around.prefix}-${n}` };
  const begun = now();
  for (let tried = 1; ; tried += 1) {
    const came = await attempt(kind, tried, around, { ...sent, headers });
    if (![0, 409, 429, 502, 503, 504].includes(came.status) || now() - begun > GIVE_UP_MS) return came;
    await pause(waitMs(came, tried, around.random));
  }
}

function authorized(n: number, { apiKeys }: Surroundings): Record<string, string> {
  return { Authorization: `Bearer ${apiKeys[n % apiKeys.length]}` };
}

function waitMs({ headers }: Came, tried: number, random: () => number): number {
  const wanted = Number(headers["retry-after"] ?? 0) * 1000;
  const doubled = Math.min(BACK_OFF_MS_MAX, BACK_OFF_MS * 2 ** (tried - 1));
  return Math.max(wanted, doubled) * (1 + random() / 2);
}

async function attempt(kind: Kind, tried: number, around: Surroundings, sent: Sent): Promise<Came> {
  const sentAt = now();
  const mark = { sentAt };
  if (tried === 1) around.underWay.add(mark);
  const came = await around.sender.send(sent);
  around.underWay.delete(mark);
  around.history.attempts.push({ kind, tried, sentAt, answeredAt: now(), ...attemptOf(came) });
  return came;
}

type Answer = Pick<Attempt, "status" | "reason" | "isProxys" | "isJson" | "retryAfterS">;

/** The part of an answer that a history keeps. */
function attemptOf({ status, headers, text, error }: Came): Answer {
  const isProxys = headers[PROXY_STATUS] !== undefined;
  const retryAfter = headers["retry-after"];
  const { isJson, refusal } = readEnvelope(text);
  const reason = isProxys ? "the load balancer" : (error ?? refusal);
  return {
    status,
    isProxys,
    isJson,
    ...(reason !== undefined && { reason }),
    ...(retryAfter !== undefined && { retryAfterS: Number(retryAfter) }),
  };
}

/** The code of an error and the first sentence of its message, which tells an overload from what is away. */
function readEnvelope(text: string): { isJson: boolean; refusal?: string } {
  try {
    const { error } = JSON.parse(text) as { error?: { code: string; message: string } };
    return { isJson: true, ...(error && { refusal: `${error.code}: ${error.message.split(". ")[0]}` }) };
  } catch {
    return { isJson: false };
  }
}
