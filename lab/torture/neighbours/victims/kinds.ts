import type { Wanted } from "../wire.ts";

/** What the requests of the victims name. */
export interface Records {
  people: string[];
  company: string;
  group: string;
  object: string;
  note: string;
  task: string;
}

/** A kind of request: the n-th of them. */
type Kind = (n: number, records: Records) => Omit<Wanted, "key">;

/** Everything that somebody does all day, reads and writes of every resource. Each is answered with 200. */
export const KINDS: Record<string, Kind> = {
  "get a person": (n, { people }) => get(`/v1/people/${some(people, n)}`),
  "list people": () => get("/v1/people?limit=20"),
  "filter people": (n) => get(`/v1/people?filter[jobTitle][like]=engineer%20${n % 10}&limit=20`),
  "search people": (n) => post("/v1/people/search", { filter: { lastName: { eq: `Last ${n % 100}` } } }),
  "create a person": (n) => post("/v1/people", person(n)),
  "create once": (n) => ({
    ...post("/v1/people", person(n)),
    head: [`Idempotency-Key: ${process.pid}-${n}-${Math.random()}`],
  }),
  "patch a person": (n, { people }) => patch(`/v1/people/${some(people, n)}`, { jobTitle: `Engineer ${n % 10}` }),
  "batch of five": (n, { people }) =>
    post("/v1/people/batch/update", {
      records: Array.from({ length: 5 }, (_, i) => ({ id: some(people, n * 5 + i), description: `Change ${n}` })),
    }),
  "get a company": (_, { company }) => get(`/v1/companies/${company}`),
  "patch an object": (n, { group, object }) =>
    patch(`/v1/groups/${group}/Deals/${object}`, { customFieldValues: { Stage: `Stage ${n % 5}` } }),
  "find notes": (n) => get(`/v1/notes?query=offer%20${n % 10}`),
  "create a note": (n, { people }) =>
    post("/v1/notes", { entity: { id: some(people, n) }, content: `An offer ${n % 10}`, visibility: "public" }),
  "list tasks": () => get("/v1/tasks?limit=20"),
  "create a task": (n, { people }) =>
    post("/v1/tasks", { entity: { id: some(people, n) }, title: `Call ${n}`, dueAt: "2031-01-31" }),
  "list interactions": (n, { people }) => get(`/v1/interactions?entity.id=${some(people, n)}`),
  "log an interaction": (n, { people }) => post("/v1/interactions", interaction(some(people, n))),
  "read the feed": () => get(`/v1/events?since=${new Date(Date.now() - 1000).toISOString()}`),
  "list groups": () => get("/v1/groups"),
  "list fields": (_, { group }) => get(`/v1/groups/${group}/custom-fields/Deals`),
  "users/me": () => get("/v1/users/me"),
  "call a tool": (n) => ({
    ...post("/mcp", {
      jsonrpc: "2.0",
      id: n,
      method: "tools/call",
      params: { name: "search_people", arguments: { filter: { lastName: { eq: `Last ${n % 100}` } } } },
    }),
    head: ["Accept: application/json, text/event-stream", "MCP-Protocol-Version: 2025-06-18"],
  }),
};

/** A request on a connection of its own, as of somebody who was not there before. */
export const ANEW = "come anew";

/** Somebody without a key who asks whether the server lives. */
export const LIVEZ = "livez";

/** All kinds, in the order in which they come. */
export const NAMES: string[] = [...Object.keys(KINDS), ANEW, LIVEZ];

/** A person of the victims. */
export function person(n: number): object {
  return {
    firstName: `First ${n}`,
    lastName: `Last ${n % 100}`,
    jobTitle: `Engineer ${n % 10}`,
    emails: [`p${n}@a.test`],
  };
}

function interaction(id: string): object {
  const dateTime = "2026-01-15T10:00:00.000Z";
  return { entity: { id }, dateTime, title: "Coffee", content: "Wants a demo.", activityType: "coffee" };
}

function some(list: string[], n: number): string {
  return list[n % list.length] ?? "";
}

function get(path: string): Omit<Wanted, "key"> {
  return { method: "GET", path };
}

function post(path: string, body: object): Omit<Wanted, "key"> {
  return { method: "POST", path, body };
}

function patch(path: string, body: object): Omit<Wanted, "key"> {
  return { method: "PATCH", path, body };
}
