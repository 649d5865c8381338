import { setTimeout as pause } from "node:timers/promises";
import { now } from "../promise.ts";
import type { Sender, Sent } from "../sender.ts";
import type { Asked, History } from "./history.ts";

interface Surroundings {
  sender: Sender;
  apiKey: string;
  /** Of a person that is there. */
  personId: string;
  history: History;
  /** Names of people whose creation was acknowledged go here. */
  acknowledged: Set<string>;
  underWay: UnderWay;
  isOver(): boolean;
}

/** When the requests were sent that have no answer yet, in their order. */
export type UnderWay = Set<{ sentAt: number }>;

type Request = Omit<Sent, "headers"> & {
  what: string;
  /** The name of the people that it makes. */
  makes?: string;
};

const BATCH_PEOPLE = 3;

/** Sends requests of every kind at even times, whatever comes of them, until it is over and all are answered. */
export async function sendSteadily(everyMs: number, around: Surroundings): Promise<void> {
  const all: Promise<void>[] = [];
  for (let n = 0; !around.isOver(); n++) {
    for (const request of requestsOf(n, around.personId)) all.push(ask(request, around));
    await pause(everyMs);
  }
  await Promise.all(all);
}

function requestsOf(n: number, personId: string): Request[] {
  const [one, many] = [`one ${n}`, `many ${n}`];
  const records = Array.from({ length: BATCH_PEOPLE }, () => ({ firstName: many }));
  return [
    { what: "read", method: "GET", path: `/v1/people/${personId}` },
    { what: "user", method: "GET", path: "/v1/users/me" },
    { what: "list", method: "GET", path: "/v1/companies?limit=20" },
    { what: "filter", method: "GET", path: "/v1/people?filter[firstName][like]=nobody" },
    { what: "write", method: "POST", path: "/v1/people", body: JSON.stringify({ firstName: one }), makes: one },
    { what: "batch", method: "POST", path: "/v1/people/batch/create", body: JSON.stringify({ records }), makes: many },
  ];
}

async function ask({ what, makes, ...sent }: Request, around: Surroundings): Promise<void> {
  const sentAt = now();
  const mark = { sentAt };
  around.underWay.add(mark);
  const { status, error } = await around.sender.send({
    ...sent,
    headers: { Authorization: `Bearer ${around.apiKey}` },
  });
  const asked: Asked = { what, sentAt, answeredAt: now(), status, ...(error !== undefined && { error }) };
  around.underWay.delete(mark);
  around.history.asked.push(asked);
  if (status === 200 && makes !== undefined) around.acknowledged.add(makes);
}
