import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Came, openConnections } from "../connections.ts";
import { wire } from "../wire.ts";
import { person, type Records } from "./kinds.ts";

const PEOPLE = 100;
const PATIENCE_MS = 20_000;
/** A server that has just started may be too busy at first. */
const TRIES_MAX = 10;
const AGAIN_MS = 1_000;

/** Makes what the requests of the victims name. */
export async function makeRecords(port: number, key: string, group: string): Promise<Records> {
  const connections = openConnections(port, "127.0.0.2", PATIENCE_MS);
  const insist = async (request: Buffer): Promise<Came> => {
    let came = await connections.ask(request);
    for (let tried = 1; came.status === 503 && tried < TRIES_MAX; tried += 1) {
      await pause(AGAIN_MS);
      came = await connections.ask(request);
    }
    return came;
  };
  const post = async <Data>(path: string, body: object): Promise<Data> => {
    const came = await insist(wire({ method: "POST", path, key, body, head: [`Idempotency-Key: ${randomUUID()}`] }));
    const text = came.text().split("\r\n\r\n")[1] ?? "";
    if (came.status !== 200) throw new Error(`Victims cannot be made: ${came.status} ${came.error ?? text}`);
    return (JSON.parse(text) as { data: Data }).data;
  };
  const { results } = await post<{ results: { data: { id: string } }[] }>("/v1/people/batch/create", {
    records: Array.from({ length: PEOPLE }, (_, n) => person(n)),
  });
  const people = results.map(({ data }) => data.id);
  const [id] = people;
  const entity = { entity: { id } };
  const company = await post<{ id: string }>("/v1/companies", { name: "Analytical Engines" });
  const object = await post<{ id: string }>(`/v1/groups/${group}/Deals`, { name: "An engine" });
  const note = await post<{ id: string }>("/v1/notes", { ...entity, content: "An offer", visibility: "public" });
  const task = await post<{ id: string }>("/v1/tasks", { ...entity, title: "Call", dueAt: "2031-01-31" });
  connections.close();
  return { people, group, company: company.id, object: object.id, note: note.id, task: task.id };
}
